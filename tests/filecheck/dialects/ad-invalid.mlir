// Invalid uses of `ad`: each message says what is wrong and what to do.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has the unknown method 'tape'; use one of redundant, reversible, coarsened}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [0], method = "tape", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op names @cube, which is no func.func of this module; define it or declare it}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @cube, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has seed_size = -2 : i64; give a size, or -1 for one known only at run time}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>, seed_size = -2 : i64} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has primals (f64, f64); give (tensor<?xf64>, f64): the arguments of the callee}}
  %r:2 = "ad.vjp"(%c, %c, %y_bar) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (f64, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has wrt = ["x"]; give positions of arguments}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = ["x"], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has wrt = [0, 0]; list each argument once}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [0, 0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has 2 in wrt; the callee has 2 arguments}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @counted(i64, f64) -> f64
func.func @invalid(%c: f64, %k: i64) {
  // expected-error @+1 {{'ad.vjp' op asks for the derivative in argument 0 of type i64; leave it out of wrt}}
  %r:2 = "ad.vjp"(%k, %c, %c) {callee = @counted, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (i64, f64, f64) -> (f64, i64)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has seeds (f64); give (tensor<?xf64>): one cotangent per float result of the callee}}
  %r:2 = "ad.vjp"(%x, %c, %c) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has results (tensor<?xf64>, f64); give (tensor<?xf64>, tensor<?xf64>): those of the callee, then one adjoint per wrt}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.jvp' op has seeds (f64); give (tensor<?xf64>): one tangent per wrt}}
  %r:2 = "ad.jvp"(%x, %c, %c) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %dx: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.jvp' op has results (tensor<?xf64>, f64); give (tensor<?xf64>, tensor<?xf64>): those of the callee, then one tangent per float result}}
  %r:2 = "ad.jvp"(%x, %c, %dx) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func @invalid(%x: tensor<?xf64>, %y_bar: tensor<?xf64>, %c: f64) {
  // expected-error @+1 {{'ad.vjp' op has seeds (tensor<?xf64>); give (tensor<3x?xf64>): one cotangent per float result of the callee}}
  %r:2 = "ad.vjp"(%x, %c, %y_bar) {callee = @square, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 2, 1>, seed_size = 3 : i64} : (tensor<?xf64>, f64, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  return
}

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
func.func private @square_bwd(i64, tensor<?xf64>) -> (tensor<?xf64>, f64)
// expected-error @+1 {{'ad.custom_rule' op has the unknown kind 'both'; use one of vjp, jvp}}
"ad.custom_rule"() {primal = @square, kind = "both", functions = [@square_fwd, @square_bwd]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
// expected-error @+1 {{'ad.custom_rule' op has 1 functions; give 2: forward, backward}}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square_fwd]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
// expected-error @+1 {{'ad.custom_rule' op has "a" among its functions; give symbols such as @name}}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = ["a", "b"]} : () -> ()

// -----

func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
func.func private @square_bwd(i64, tensor<?xf64>) -> (tensor<?xf64>, f64)
// expected-error @+1 {{'ad.custom_rule' op names @cube, which is no func.func of this module; define it or declare it}}
"ad.custom_rule"() {primal = @cube, kind = "vjp", functions = [@square_fwd, @square_bwd]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_bwd(i64, tensor<?xf64>) -> (tensor<?xf64>, f64)
func.func private @counted(i64, f64) -> f64
// expected-error @+1 {{'ad.custom_rule' op has forward arguments (i64, f64); give (tensor<?xf64>, f64): those of the primal}}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@counted, @square_bwd]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
// expected-error @+1 {{'ad.custom_rule' op has backward arguments (tensor<?xf64>, f64); give (tensor<?xf64>): the residuals, then the cotangents}}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square, @square]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
func.func private @square_fwd(tensor<?xf64>, f64) -> (tensor<?xf64>, i64)
// expected-error @+1 {{'ad.custom_rule' op has backward arguments (tensor<?xf64>, f64); give (i64, tensor<?xf64>): the residuals, then the cotangents}}
"ad.custom_rule"() {primal = @square, kind = "vjp", functions = [@square_fwd, @square]} : () -> ()

// -----

func.func private @square(tensor<?xf64>, f64) -> tensor<?xf64>
// expected-error @+1 {{'ad.custom_rule' op has rule arguments (tensor<?xf64>, f64); give (tensor<?xf64>, f64, tensor<?xf64>, f64): the arguments, then their tangents}}
"ad.custom_rule"() {primal = @square, kind = "jvp", functions = [@square]} : () -> ()

// -----

func.func @invalid(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ad.stop_gradient' op has result f64; make it the type of the operand tensor<?xf64>}}
  %r = "ad.stop_gradient"(%x) : (tensor<?xf64>) -> f64
  return
}

// -----

func.func @invalid(%x: tensor<?xf64>) {
  // expected-error @+1 {{'ad.promise' op has result f64; make it the type of the operand tensor<?xf64>}}
  %r = "ad.promise"(%x) : (tensor<?xf64>) -> f64
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'ad.checkpoint' op yields (f64) from body; yield (index): the results}}
  %r = "ad.checkpoint"() ({
      "ad.yield"(%c) : (f64) -> ()
    }) : () -> index
  return
}

// -----

func.func @invalid() {
  // expected-error @+1 {{'ad.checkpoint' op has 0 blocks in the region body; give it exactly one}}
  %r = "ad.checkpoint"() ({}) : () -> f64
  return
}

// -----

func.func @invalid(%c: f64) {
  // expected-error @+1 {{'ad.checkpoint' op has a region body that does not end in ad.yield; end it with one}}
  %r = "ad.checkpoint"() ({
      "soac.yield"(%c) : (f64) -> ()
    }) : () -> f64
  return
}
