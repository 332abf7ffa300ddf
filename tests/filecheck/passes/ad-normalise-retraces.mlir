// ad-normalise: chains visited backwards store all states.
// RUN: tapeless-opt --ad-normalise=backwards=true --canonicalize --cse %s | filecheck %s

// No row is written twice, which the promise says.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[LO:[^:]*]]: index, %[[N:[^:]*]]: index, %[[X:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[ROOM:.*]] = tensor.empty(%[[N]]) : tensor<?xf64>
// CHECK: %[[ROWS:.*]]:2 = scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[V:.*]] = %[[X]], %[[R:.*]] = %[[ROOM]])
// CHECK-NEXT: %[[SAME:.*]] = "ad.promise"(%[[R]]) {ad.sure}
// CHECK-NEXT: %[[NEXT_ROWS:.*]] = tensor.insert %[[V]] into %[[SAME]][%[[K]]]
// CHECK-NEXT: %[[NEXT:.*]] = math.sin %[[V]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[NEXT_ROWS]]
// CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[B:.*]] = %[[BAR]])
// CHECK: %[[STEP:.*]] = arith.subi %{{.*}}, %[[K]]
// CHECK: %[[AT:.*]] = tensor.extract %[[ROWS]]#1[%[[STEP]]]
// CHECK: %[[BACK:.*]] = arith.muli %[[STEP]], %c3
// CHECK: %[[I:.*]] = arith.addi %[[LO]], %[[BACK]]
// CHECK: arith.index_cast %[[I]]
// CHECK: math.cos %[[AT]]
// CHECK-NOT: rev.retrace
func.func @chain(%lo: index, %n: index, %x: f64, %bar: f64) -> f64 {
  %c3 = arith.constant 3 : index
  %r = "rev.retrace"(%lo, %n, %c3, %x, %bar) ({
  ^bb0(%i: index, %v: f64):
    %next = math.sin %v : f64
    "soac.yield"(%next) : (f64) -> ()
  }, {
  ^bb0(%i: index, %v: f64, %b: f64):
    %k = arith.index_cast %i : index to i64
    %c = arith.sitofp %k : i64 to f64
    %slope = math.cos %v : f64
    %scaled = arith.mulf %slope, %c : f64
    %before = arith.mulf %b, %scaled : f64
    "soac.yield"(%before) : (f64) -> ()
  }) {strategy = "treeverse", budget = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (index, index, index, f64, f64) -> f64
  return %r : f64
}
