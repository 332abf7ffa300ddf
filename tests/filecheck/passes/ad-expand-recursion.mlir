// ad-expand makes a function with tangents of one that calls itself, for the arguments that move.
// RUN: tapeless-opt --soac-inline --ad-expand %s | filecheck %s

// CHECK-LABEL: func.func private @power.jvp_1
// CHECK-SAME: (%[[N:.*]]: i64, %[[X:.*]]: f64, %[[DX:.*]]: f64) -> (f64, f64)
// CHECK: %[[BOTH:.*]]:2 = func.call @power.jvp_1(%{{.*}}, %[[X]], %[[DX]])
// CHECK-DAG: arith.mulf %[[DX]], %[[BOTH]]#0
// CHECK-DAG: arith.mulf %[[BOTH]]#1, %[[X]]
func.func private @power(%n: i64, %x: f64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %one = arith.constant 1.0 : f64
  %ends = arith.cmpi sle, %n, %c0 : i64
  %r = scf.if %ends -> (f64) {
    scf.yield %one : f64
  } else {
    %m = arith.subi %n, %c1 : i64
    %p = func.call @power(%m, %x) : (i64, f64) -> f64
    %y = arith.mulf %x, %p : f64
    scf.yield %y : f64
  }
  return %r : f64
}

func.func private @f(%n: i64, %x: f64) -> f64 {
  %y = func.call @power(%n, %x) : (i64, f64) -> f64
  return %y : f64
}

// CHECK-LABEL: func.func @g
// CHECK: call @power.jvp_1
func.func @g(%n: i64, %x: f64, %dx: f64) -> (f64, f64) {
  %y, %dy = "ad.jvp"(%n, %x, %dx) {callee = @f, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (i64, f64, f64) -> (f64, f64)
  return %y, %dy : f64, f64
}
