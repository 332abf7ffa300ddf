// ad-expand on branches: the branch that was taken is run again and then back.
// RUN: tapeless-opt --ad-expand --canonicalize --cse --soac-simplify --canonicalize --cse %s | filecheck %s

func.func private @branch(%c: i1, %x: f64, %y: f64) -> f64 {
  %z = scf.if %c -> (f64) {
    %a = math.exp %x : f64
    scf.yield %a : f64
  } else {
    scf.yield %y : f64
  }
  return %z : f64
}

// Each branch gives the adjoints of all that any branch reads.
// CHECK-LABEL: func.func @branch_vjp(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[BAR:[^:]*]]: f64
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[Y_BAR:.*]] = arith.select %[[C]], %[[ZERO]], %[[BAR]]
// CHECK-DAG: %[[X_BAR:.*]] = scf.if %[[C]] -> (f64) {
// CHECK: %[[AGAIN:.*]] = math.exp %[[X]]
// CHECK: %[[PART:.*]] = arith.mulf %[[BAR]], %[[AGAIN]]
// CHECK: scf.yield %[[PART]]
// CHECK: } else {
// CHECK-NOT: math.exp
// CHECK: scf.yield %[[ZERO]]
// CHECK: return %[[X_BAR]], %[[Y_BAR]]
func.func @branch_vjp(%c: i1, %x: f64, %y: f64, %bar: f64) -> (f64, f64) {
  %r:3 = "ad.vjp"(%c, %x, %y, %bar) {
    callee = @branch, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (i1, f64, f64, f64) -> (f64, f64, f64)
  return %r#1, %r#2 : f64, f64
}

// CHECK-LABEL: func.func @branch_jvp(
// CHECK-SAME: %[[C:[^:]*]]: i1, %[[X:[^:]*]]: f64, %[[Y:[^:]*]]: f64, %[[DX:[^:]*]]: f64, %[[DY:[^:]*]]: f64
// CHECK: scf.if %[[C]] -> (f64) {
// CHECK: %[[AGAIN:.*]] = math.exp %[[X]]
// CHECK-NEXT: %[[PART:.*]] = arith.mulf %[[DX]], %[[AGAIN]]
// CHECK-NEXT: scf.yield %[[PART]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[DY]]
func.func @branch_jvp(%c: i1, %x: f64, %y: f64, %dx: f64, %dy: f64) -> (f64) {
  %r:2 = "ad.jvp"(%c, %x, %y, %dx, %dy) {
    callee = @branch, wrt = [1, 2], method = "redundant", operandSegmentSizes = array<i32: 3, 2>
  } : (i1, f64, f64, f64, f64) -> (f64, f64)
  return %r#1 : f64
}
