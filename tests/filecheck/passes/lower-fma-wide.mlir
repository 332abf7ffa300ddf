// Totals of vectors of eight registers take in a product before the term beside it; others stay as they are.
// RUN: tapeless-opt --lower-fma="vector-bits=128" %s | filecheck %s
// RUN: tapeless-opt --lower-fma="vector-bits=256" %s | filecheck %s --check-prefix=NARROW

// CHECK-LABEL: func.func @wide(
// CHECK-SAME: %[[A:[^:]*]]: vector<16xf64>, %[[B:[^:]*]]: vector<16xf64>, %[[C:[^:]*]]: vector<16xf64>, %[[T:[^:]*]]:
// CHECK-NEXT: %[[S:.*]] = llvm.intr.fmuladd(%[[A]], %[[B]], %[[T]]) {fastmathFlags = #llvm.fastmath<nsz, reassoc>}
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[S]], %[[C]] fastmath<reassoc,nsz> : vector<16xf64>
// CHECK-NEXT: return %[[R]]
// NARROW-LABEL: func.func @wide(
// NARROW-SAME: %[[A:[^:]*]]: vector<16xf64>, %[[B:[^:]*]]: vector<16xf64>, %[[C:[^:]*]]: vector<16xf64>, %[[T:[^:]*]]:
// NARROW-NEXT: %[[V:.*]] = math.fma %[[A]], %[[B]], %[[C]] : vector<16xf64>
// NARROW-NEXT: arith.addf %[[T]], %[[V]] fastmath<reassoc,nsz> : vector<16xf64>
func.func @wide(%a: vector<16xf64>, %b: vector<16xf64>, %c: vector<16xf64>, %t: vector<16xf64>) -> vector<16xf64> {
  %p = arith.mulf %a, %b fastmath<contract> {tapeless.fused} : vector<16xf64>
  %v = arith.addf %p, %c fastmath<contract> : vector<16xf64>
  %r = arith.addf %t, %v fastmath<reassoc,nsz,contract> : vector<16xf64>
  return %r : vector<16xf64>
}

// A sum that is used elsewhere is computed once, and one in a fixed order stays in that order.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-2: math.fma
func.func @others(%a: vector<16xf64>, %c: vector<16xf64>, %t: vector<16xf64>) -> (vector<16xf64>, vector<16xf64>, vector<16xf64>) {
  %p = arith.mulf %a, %a fastmath<contract> {tapeless.fused} : vector<16xf64>
  %v = arith.addf %p, %c fastmath<contract> : vector<16xf64>
  %r = arith.addf %t, %v fastmath<reassoc,nsz,contract> : vector<16xf64>
  %q = arith.mulf %a, %c fastmath<contract> {tapeless.fused} : vector<16xf64>
  %w = arith.addf %q, %c fastmath<contract> : vector<16xf64>
  %s = arith.addf %t, %w fastmath<contract> : vector<16xf64>
  return %r, %v, %s : vector<16xf64>, vector<16xf64>, vector<16xf64>
}
