// ad-expand by the method reversible: a loop with a budget is run forward as it is, and retraced.
// RUN: tapeless-opt --ad-expand --mlir-print-ir-before=ad-schedule-retraces %s -o /dev/null 2>&1 | filecheck %s

// The loop runs without storing anything; its states and adjoints meet in the visits.
// CHECK-LABEL: func.func @request(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[N:[^:]*]]: index, %[[SEED:[^:]*]]: f64
// CHECK: %[[Y:.*]] = scf.for %{{.*}} = %c0 to %[[N]] step %c1 iter_args(%[[V:.*]] = %[[X]]) -> (f64) {
// CHECK-NEXT: math.sin %[[V]]
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {ad.budget = 5 : i64}
// CHECK: %[[BAR:.*]] = "rev.retrace"(%c0, %[[TRIPS:.*]], %c1, %[[X]], %[[SEED]]) ({
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[STATE:.*]]: f64):
// CHECK-NEXT: %[[NEXT:.*]] = math.sin %[[STATE]]
// CHECK-NEXT: "soac.yield"(%[[NEXT]])
// CHECK: ^bb0(%{{.*}}: index, %[[AT:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT: %[[SLOPE:.*]] = math.cos %[[AT]]
// CHECK-NEXT: %[[BEFORE:.*]] = arith.mulf %[[B]], %[[SLOPE]]
// CHECK-NEXT: "soac.yield"(%[[BEFORE]])
// CHECK: }) {budget = 5 : i64,
// CHECK: return %[[Y]], %[[BAR]]
func.func private @chain(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %next = math.sin %v : f64
    scf.yield %next : f64
  } {ad.budget = 5 : i64}
  return %y : f64
}
func.func @request(%x: f64, %n: index, %seed: f64) -> (f64, f64) {
  %y, %x_bar = "ad.vjp"(%x, %n, %seed) {
    callee = @chain, wrt = [0], method = "reversible", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, index, f64) -> (f64, f64)
  return %y, %x_bar : f64, f64
}
