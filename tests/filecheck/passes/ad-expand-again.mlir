// Where a second derivative of a loop as a whole is not finite, both are taken step by step, of the function as it was.
// RUN: tapeless-opt --ad-expand %s | filecheck %s
// RUN: tapeless-opt --ad-expand %s | filecheck %s --check-prefix=GONE

// What was kept for that is gone, whether it was needed or not.
// GONE-NOT: {{ad\.|original_of}}

// CHECK-LABEL: func.func @slope(
// CHECK: %[[FINITE:.*]] = "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK: return

// Steps store what they go back by.
// CHECK-LABEL: func.func @curvature(
// CHECK: %[[FINITE:.*]] = "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK-NEXT: %[[FOUND:.*]] = scf.if %[[FINITE]] -> (f64) {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK: scf.for
// CHECK: tensor.insert
// CHECK: scf.for
// CHECK: tensor.extract
// CHECK: return %[[FOUND]] : f64
func.func private @power(%k: f64, %x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f64) {
    %b = arith.mulf %a, %k : f64
    scf.yield %b : f64
  }
  return %y : f64
}
func.func @slope(%k: f64, %x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %g = "ad.vjp"(%k, %x, %n, %one) {
    callee = @power, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 3, 1>
  } : (f64, f64, index, f64) -> (f64, f64)
  return %g : f64
}
func.func @curvature(%k: f64, %x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %y, %g = "ad.vjp"(%k, %x, %n, %one) {
    callee = @slope, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 3, 1>
  } : (f64, f64, index, f64) -> (f64, f64)
  return %g : f64
}

// Arrays are looked at, all elements of them.
// CHECK-LABEL: func.func @curvatures(
// CHECK: "soac.reduce"
// CHECK: %[[FINITE:.*]] = "soac.guard"(%{{.*}}) {exact = "steps"}
// CHECK-NEXT: scf.if %[[FINITE]] -> (tensor<4xf64>) {
// CHECK: } else {
// CHECK: tensor.insert
// CHECK: return
func.func private @powers(%ks: tensor<4xf64>, %x: f64, %n: index) -> tensor<4xf64> {
  %width = arith.constant 4 : index
  %ys = "soac.map"(%width, %ks) ({
  ^bb0(%i: index, %k: f64):
    %g = func.call @slope(%k, %x, %n) : (f64, f64, index) -> f64
    "soac.yield"(%g) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<4xf64>) -> tensor<4xf64>
  return %ys : tensor<4xf64>
}
func.func @curvatures(%ks: tensor<4xf64>, %x: f64, %n: index, %bars: tensor<4xf64>) -> tensor<4xf64> {
  %y, %g = "ad.vjp"(%ks, %x, %n, %bars) {
    callee = @powers, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 3, 1>
  } : (tensor<4xf64>, f64, index, tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>)
  return %g : tensor<4xf64>
}

// Without loops as a whole nothing is in doubt.
// CHECK-LABEL: func.func @curvature_of_a_product(
// CHECK-NOT: scf.for
// CHECK-NOT: exact = "steps"
// CHECK: return
func.func private @product(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y : f64
  %q = arith.mulf %p, %x : f64
  return %q : f64
}
func.func private @slope_of_a_product(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %p, %g = "ad.vjp"(%x, %y, %one) {
    callee = @product, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64)
  return %g : f64
}
func.func @curvature_of_a_product(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %p, %g = "ad.vjp"(%x, %y, %one) {
    callee = @slope_of_a_product, wrt = [0], method = "coarsened", operandSegmentSizes = array<i32: 2, 1>
  } : (f64, f64, f64) -> (f64, f64)
  return %g : f64
}
