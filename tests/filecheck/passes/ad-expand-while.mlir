// ad-expand on while loops: counted on the way forward, run back that often.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @halved(%x: f64, %limit: f64) -> f64 {
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

// The primal loop counts; the way back has that many iterations.
// CHECK-LABEL: func.func @halved_vjp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[LIMIT:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[FORWARD:.*]]:2 = scf.while (%{{.*}} = %[[X]], %[[COUNT:.*]] = %{{.*}})
// CHECK: scf.condition
// CHECK: %[[TRIPS:.*]] = arith.maxsi %[[FORWARD]]#1
// CHECK: scf.for {{.*}} to %[[TRIPS]] {{.*}} iter_args(%[[STATE_BAR:.*]] = %[[BAR]])
// CHECK: arith.mulf %[[STATE_BAR]]
func.func @halved_vjp(%x: f64, %limit: f64, %bar: f64) -> (f64) {
  %r:2 = "ad.vjp"(%x, %limit, %bar) {
    callee = @halved, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// The condition reads values only.
// CHECK-LABEL: func.func @halved_jvp(
// CHECK-SAME: %[[X:[^:]*]]: f64, %[[LIMIT:[^:]*]]: f64, %[[DX:[^:]*]]: f64
// CHECK: scf.while (%[[STATE:.*]] = %[[X]], %[[MOVING:.*]] = %[[DX]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpf ogt, %[[STATE]], %[[LIMIT]]
// CHECK-NEXT: scf.condition(%[[MORE]]) %[[STATE]], %[[MOVING]]
// CHECK-NOT: scf.for
func.func @halved_jvp(%x: f64, %limit: f64, %dx: f64) -> (f64) {
  %r:2 = "ad.jvp"(%x, %limit, %dx) {
    callee = @halved, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}
