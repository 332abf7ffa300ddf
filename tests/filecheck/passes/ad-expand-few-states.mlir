// ad-expand with few-states: where the derivative of a loop as a whole is not finite, its steps are retraced from few
// states; without, all of them are stored, as `redundant` does.
// RUN: tapeless-opt --ad-expand=few-states=true --mlir-print-ir-before=ad-schedule-retraces %s -o /dev/null 2>&1 | filecheck %s
// RUN: tapeless-opt --ad-expand=few-states=true %s | filecheck %s --check-prefix=SCHEDULED
// RUN: tapeless-opt --ad-expand %s | filecheck %s --check-prefix=STORED

// The loop could run backwards by a division: at the edges of floats that would give another number.
// CHECK-LABEL: func.func @as_a_whole(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[A:[^:]*]]: f64
// CHECK: "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK-NEXT: scf.if
// CHECK: } else {
// CHECK-NOT: tensor.empty
// CHECK: "rev.retrace"(%{{.*}}, %{{.*}}, %{{.*}}, %[[X]],
// CHECK-NEXT: ^bb0(%{{.*}}: index, %[[STATE:.*]]: f64):
// CHECK-NEXT: %[[NEXT:.*]] = arith.mulf %[[STATE]], %[[A]]
// CHECK-NEXT: "soac.yield"(%[[NEXT]])
// CHECK: }) {budget = 24 : i64, {{.*}}strategy = "bisection"}
// CHECK: return
// SCHEDULED-LABEL: func.func @as_a_whole(
// SCHEDULED: exact = "steps"
// SCHEDULED: } else {
// SCHEDULED-NOT: tensor.empty(%
// SCHEDULED: tensor.empty() : tensor<24xf64>
// SCHEDULED: return
// STORED-LABEL: func.func @as_a_whole(
// STORED: exact = "steps"
// STORED: } else {
// STORED-NOT: tensor<24x
// STORED: tensor.empty(%{{.*}}) : tensor<?xf64>
// STORED: return
func.func private @power(%x: f64, %a: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> (f64) {
    %next = arith.mulf %v, %a fastmath<contract> : f64
    scf.yield %next : f64
  }
  return %y : f64
}
func.func @as_a_whole(%x: f64, %a: f64, %n: index, %seed: f64) -> (f64, f64) {
  %y, %x_bar, %a_bar = "ad.vjp"(%x, %a, %n, %seed) {
    callee = @power, wrt = [0, 1], method = "coarsened", operandSegmentSizes = array<i32: 3, 1>
  } : (f64, f64, index, f64) -> (f64, f64, f64)
  return %x_bar, %a_bar : f64, f64
}

// What a user asks of `redundant` is no second way.
// CHECK-LABEL: func.func @as_asked(
// CHECK: tensor.empty(%{{.*}}) : tensor<?xf64>
// CHECK-NOT: rev.retrace
func.func @as_asked(%x: f64, %a: f64, %n: index, %seed: f64) -> (f64, f64) {
  %y, %x_bar, %a_bar = "ad.vjp"(%x, %a, %n, %seed) {
    callee = @power, wrt = [0, 1], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (f64, f64, index, f64) -> (f64, f64, f64)
  return %x_bar, %a_bar : f64, f64
}
