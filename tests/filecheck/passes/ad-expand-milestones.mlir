// ad-expand by the method reversible: a loop with a budget that can be undone keeps states at even distances, and each
// stretch between them runs backwards from the one at its end.
// RUN: tapeless-opt --ad-expand --mlir-print-ir-before=ad-schedule-retraces %s -o /dev/null 2>&1 | filecheck %s

// CHECK-LABEL: func.func @request(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[C:[^:]*]]: f64, %[[N:[^:]*]]: index
// CHECK: %[[TRIPS:.*]] = arith.maxsi %[[N]], %c0
// CHECK: %[[LEAST:.*]] = arith.ceildivsi %[[TRIPS]], %c5
// CHECK-NEXT: %[[SPACING:.*]] = arith.maxsi %[[LEAST]], %c1
// CHECK-NEXT: %[[COUNT:.*]] = arith.ceildivsi %[[TRIPS]], %[[SPACING]]
// CHECK-NEXT: %[[ROOM:.*]] = arith.addi %[[COUNT]], %c1
// CHECK-NEXT: tensor.empty(%[[ROOM]]) : tensor<?xf64>

// Forward: what every so many iterations begin with is kept.
// CHECK: %[[THERE:.*]]:4 = scf.for %[[I:.*]] = %c0 to %[[N]]
// CHECK: %[[REST:.*]] = arith.remui %[[I]], %[[SPACING]]
// CHECK-NEXT: %[[IS_THERE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK-NEXT: scf.if %[[IS_THERE]]
// CHECK: tensor.insert
// CHECK: } else {
// CHECK: %[[KEPT:.*]] = tensor.insert %[[THERE]]#0 into %[[THERE]]#3[%[[COUNT]]]

// Back: from the state at the end of a stretch to that at its start, which is compared.
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1 iter_args({{.*}}, %[[OFF:.*]] = %{{.*}}) -> (f64, f64, tensor<64xf64>, tensor<?xf64>) {
// CHECK: %[[STRETCH:.*]] = arith.subi
// CHECK: %[[END:.*]] = tensor.extract %[[KEPT]]
// CHECK: %[[BACK:.*]]:4 = scf.for %{{.*}} = %c0 to %{{.*}} step %c1 iter_args({{.*}}, %[[V:.*]] = %[[END]], %{{.*}})
// CHECK: arith.divf %[[V]], %[[C]]
// CHECK: %[[TRUE:.*]] = tensor.extract %[[KEPT]][%[[STRETCH]]]
// CHECK: arith.subf %[[TRUE]], %[[BACK]]#2
// CHECK: tensor.insert %{{.*}} into %[[OFF]][%[[STRETCH]]]
// CHECK: soac.report
// CHECK: rev.retrace
func.func private @loop(%x: f64, %c: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %damped = arith.mulf %v, %c : f64
    scf.yield %damped : f64
  } {ad.budget = 5 : i64}
  return %y : f64
}
func.func @request(%x: f64, %c: f64, %n: index, %seed: f64) -> (f64, f64) {
  %y, %c_bar = "ad.vjp"(%x, %c, %n, %seed) {
    callee = @loop, wrt = [1], method = "reversible", operandSegmentSizes = array<i32: 3, 1>
  } : (f64, f64, index, f64) -> (f64, f64)
  return %y, %c_bar : f64, f64
}
