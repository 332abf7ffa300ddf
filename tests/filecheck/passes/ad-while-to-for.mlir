// ad-while-to-for: loops with a small bound run guarded iterations, others are counted by running them once before.
// RUN: tapeless-opt --ad-while-to-for --canonicalize --cse %s | filecheck %s

// CHECK-LABEL: func.func @counted(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[LIMIT:[^:]*]]: f64
// CHECK: %[[COUNTING:.*]]:2 = scf.while (%{{.*}} = %[[X]], %[[COUNT:.*]] = %c0)
// CHECK: scf.condition
// CHECK: arith.addi %{{.*}}, %c1
// CHECK: %[[RESULT:.*]] = scf.for %{{.*}} = %c0 to %[[COUNTING]]#1 step %c1 iter_args(%[[STATE:.*]] = %[[X]])
// CHECK-NEXT: %[[NEXT:.*]] = arith.mulf %[[STATE]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: return %[[RESULT]]
func.func @counted(%x: f64, %limit: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %y = scf.while (%t = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %t, %limit : f64
    scf.condition(%more) %t : f64
  } do {
  ^bb0(%t: f64):
    %a = arith.mulf %t, %half : f64
    scf.yield %a : f64
  }
  return %y : f64
}

// The loop has ended within its bound, or the program fails.
// CHECK-LABEL: func.func @bounded(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[LIMIT:[^:]*]]: f64
// CHECK-NOT: scf.while
// CHECK: %[[RESULT:.*]] = scf.for %{{.*}} = %c0 to %c9 step %c1 iter_args(%[[STATE:.*]] = %[[X]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpf ogt, %[[STATE]], %[[LIMIT]]
// CHECK-NEXT: %[[NEXT:.*]] = scf.if %[[MORE]] -> (f64) {
// CHECK-NEXT: %[[HALVED:.*]] = arith.mulf %[[STATE]]
// CHECK-NEXT: scf.yield %[[HALVED]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[STATE]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: %[[AGAIN:.*]] = arith.cmpf ogt, %[[RESULT]], %[[LIMIT]]
// CHECK: %[[ENDED:.*]] = arith.xori %[[AGAIN]], %true
// CHECK-NEXT: "soac.assert"(%[[ENDED]], %c9_i64)
// CHECK-NEXT: return %[[RESULT]]
func.func @bounded(%x: f64, %limit: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %y = scf.while (%t = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %t, %limit : f64
    scf.condition(%more) %t : f64
  } do {
  ^bb0(%t: f64):
    %a = arith.mulf %t, %half : f64
    scf.yield %a : f64
  } attributes {ad.bound = 9 : i64}
  return %y : f64
}

// A large bound limits the counting; nothing is as long as the bound.
// CHECK-LABEL: func.func @bounded_by_much(
// CHECK: scf.while (%[[STATE:.*]] = %{{.*}}, %[[COUNT:.*]] = %c0)
// CHECK: %[[MORE:.*]] = arith.cmpf ogt, %[[STATE]]
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[COUNT]], %c5000
// CHECK: %[[BOTH:.*]] = arith.andi %[[MORE]], %[[BELOW]]
// CHECK: scf.condition(%[[BOTH]])
// CHECK: scf.for
// CHECK: "soac.assert"(%{{.*}}, %c5000_i64)
func.func @bounded_by_much(%x: f64, %limit: f64) -> f64 {
  %half = arith.constant 0.5 : f64
  %y = scf.while (%t = %x) : (f64) -> f64 {
    %more = arith.cmpf ogt, %t, %limit : f64
    scf.condition(%more) %t : f64
  } do {
  ^bb0(%t: f64):
    %a = arith.mulf %t, %half : f64
    scf.yield %a : f64
  } attributes {ad.bound = 5000 : i64}
  return %y : f64
}
