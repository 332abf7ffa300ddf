// Every operation of `ad` parses, verifies and prints as it was read.
// RUN: tapeless-opt %s | tapeless-opt | filecheck %s

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
func.func private @square_bwd(i64, tensor<?xf64>) -> (tensor<?xf64>, f64)

// Results of a function and the adjoints of the arguments listed in `wrt`, for given cotangents.
// CHECK-LABEL: func.func @vjp(
// CHECK: "ad.vjp"(%{{.*}}, %{{.*}}, %{{.*}}) {callee = @square, method = "redundant", operandSegmentSizes = array<i32: 2, 1>, wrt = [0]} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
func.func @vjp(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  %y, %x_bar = "ad.vjp"(%x, %c, %y_bar) {
    callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// Results of a function and their tangents, for given tangents of the arguments listed in `wrt`.
// CHECK-LABEL: func.func @jvp(
// CHECK: "ad.jvp"(%{{.*}}, %{{.*}}, %{{.*}}) {callee = @square, method = "redundant", operandSegmentSizes = array<i32: 2, 1>, wrt = [0]} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
func.func @jvp(%x: tensor<?xf64>, %dx: tensor<?xf64>, %c: f64) {
  %y, %dy = "ad.jvp"(%x, %c, %dx) {
    callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// Declares that a function has its own derivative rule; stands in the module, next to the functions.
// CHECK: "ad.custom_rule"() {functions = [@square_fwd, @square_bwd], kind = "vjp", primal = @square} : () -> ()
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square_fwd, @square_bwd]} : () -> ()

// Its operand, as a constant for differentiation.
// CHECK-LABEL: func.func @stop_gradient(
// CHECK: "ad.stop_gradient"(%{{.*}}) : (tensor<?xf64>) -> tensor<?xf64>
func.func @stop_gradient(%x: tensor<?xf64>) {
  %fixed = "ad.stop_gradient"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// Its operand, with the promise that no value in it is lost.
// CHECK-LABEL: func.func @kept(
// CHECK: "ad.promise"(%{{.*}}) : (tensor<?xf64>) -> tensor<?xf64>
func.func @kept(%x: tensor<?xf64>) {
  %same = "ad.promise"(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return
}

// Ends the body of `ad.checkpoint`.
// CHECK-LABEL: func.func @yield(
// CHECK: "ad.yield"(%{{.*}}) : (f64) -> ()
func.func @yield(%c: f64) {
  %y = "ad.checkpoint"() ({
    "ad.yield"(%c) : (f64) -> ()
  }) : () -> f64
  return
}

// Runs its body; the return sweep runs it again from the values it uses instead of keeping anything from inside.
// CHECK-LABEL: func.func @checkpoint(
// CHECK: "ad.checkpoint"() ({
// CHECK: }) : () -> f64
func.func @checkpoint(%c: f64) {
  %y = "ad.checkpoint"() ({
    %z = math.exp %c : f64
    %w = arith.mulf %z, %z : f64
    "ad.yield"(%w) : (f64) -> ()
  }) : () -> f64
  return
}

// With `seed_size` cotangents and adjoints have a leading axis, also those of scalars.
// CHECK-LABEL: func.func @seeds(
// CHECK: "ad.vjp"({{.*}}) {callee = @square, method = "coarsened", operandSegmentSizes = array<i32: 2, 1>, seed_size = 3 : i64, wrt = [1, 0]} : (tensor<?xf64>, f64, tensor<3x?xf64>) -> (tensor<?xf64>, tensor<3xf64>, tensor<3x?xf64>)
func.func @seeds(%x: tensor<?xf64>, %c: f64, %y_bar: tensor<3x?xf64>) {
  %y, %c_bar, %x_bar = "ad.vjp"(%x, %c, %y_bar) {
    callee = @square, wrt = [1, 0], method = "coarsened", seed_size = 3 : i64, operandSegmentSizes = array<i32: 2, 1>
  } : (tensor<?xf64>, f64, tensor<3x?xf64>) -> (tensor<?xf64>, tensor<3xf64>, tensor<3x?xf64>)
  return
}
