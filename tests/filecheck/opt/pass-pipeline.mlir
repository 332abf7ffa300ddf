// A pipeline runs Python and upstream passes at any level, by text or by flags in order.
// RUN: tapeless-opt %s --pass-pipeline='builtin.module(soac-inline,func.func(cse,soac-simplify),canonicalize{max-iterations=5})' | filecheck %s
// RUN: tapeless-opt %s --soac-inline --cse -soac-simplify --canonicalize=max-iterations=5 | filecheck %s
// RUN: tapeless-opt %s -core | filecheck %s
// RUN: cat %s | tapeless-opt - --core -o %t && filecheck %s < %t

// CHECK-NOT: @square
// CHECK-LABEL: func.func @twice
// CHECK-SAME: (%[[X:.+]]: f64)
// CHECK-NEXT: %[[SQUARE:.+]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[SQUARE]], %[[SQUARE]]
// CHECK-NEXT: return %[[SUM]]
func.func @twice(%x: f64) -> f64 {
  %a = func.call @square(%x) : (f64) -> f64
  %b = func.call @square(%x) : (f64) -> f64
  %c = arith.addf %a, %b : f64
  return %c : f64
}
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
