// What has no derivative is refused with the place and what to do instead.
// RUN: tapeless-opt --ad-expand --split-input-file --verify-diagnostics %s

func.func private @special(%x: f64) -> f64 {
  // expected-error @+1 {{'soac.fn' op trigamma has no derivative; use custom_vjp to give one}}
  %y = "soac.fn"(%x) {function = "trigamma"} : (f64) -> f64
  return %y : f64
}
func.func @no_rule_for_a_function(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @special, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @bits(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.bitcast' op has no derivative rule; give one with custom_vjp}}
  %y = arith.bitcast %x : f64 to f64
  %z = arith.mulf %y, %x : f64
  return %z : f64
}
func.func @no_rule(%x: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%x, %bar) {
    callee = @bits, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @bits(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.bitcast' op has no derivative rule; give one with custom_jvp}}
  %y = arith.bitcast %x : f64 to f64
  %z = arith.mulf %y, %x : f64
  return %z : f64
}
func.func @no_rule_forward(%x: f64, %dx: f64) -> f64 {
  %r:2 = "ad.jvp"(%x, %dx) {
    callee = @bits, wrt = [0], method = "redundant", operandSegmentSizes = array<i32: 1, 1>
  } : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

func.func private @from(%n: index, %xs: tensor<?xf64>, %e: f64) -> f64 {
  // expected-error @+1 {{'soac.reduce' op has a neutral element that depends on a differentiated value; pass a constant and combine the value with the result}}
  %y = "soac.reduce"(%n, %xs, %e) ({
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, tensor<?xf64>, f64) -> f64
  return %y : f64
}
func.func @active_neutral(%n: index, %xs: tensor<?xf64>, %e: f64, %bar: f64) -> f64 {
  %r:2 = "ad.vjp"(%n, %xs, %e, %bar) {
    callee = @from, wrt = [2], method = "redundant", operandSegmentSizes = array<i32: 3, 1>
  } : (index, tensor<?xf64>, f64, f64) -> (f64, f64)
  return %r#1 : f64
}

// -----

// What has no rule is refused, not taken for a constant.
func.func private @dot(%n: index, %xs: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  // expected-error @+1 {{'soac.fused' op has no derivative rule; give one with custom_vjp}}
  %dot = "soac.fused"(%n, %xs, %zero) ({
  ^bb0(%i: index, %x: f64):
    %xx = arith.mulf %x, %x : f64
    "soac.yield"(%xx) : (f64) -> ()
  }, {
  ^bb0(%a: f64, %b: f64):
    %sum = arith.addf %a, %b : f64
    "soac.yield"(%sum) : (f64) -> ()
  }, {}) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (index, tensor<?xf64>, f64) -> f64
  return %dot : f64
}
func.func @no_rule_for_fused(%n: index, %xs: tensor<?xf64>, %bar: f64) -> tensor<?xf64> {
  %r:2 = "ad.vjp"(%n, %xs, %bar) {
    callee = @dot, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, tensor<?xf64>, f64) -> (f64, tensor<?xf64>)
  return %r#1 : tensor<?xf64>
}

// -----

func.func private @squares(%n: index, %x: f64) -> tensor<?xf64> {
  // expected-error @+1 {{'tensor.generate' op has no derivative rule; give one with custom_vjp}}
  %ys = tensor.generate %n {
  ^bb0(%i: index):
    %xx = arith.mulf %x, %x : f64
    tensor.yield %xx : f64
  } : tensor<?xf64>
  return %ys : tensor<?xf64>
}
func.func @no_rule_for_unknown_regions(%n: index, %x: f64, %bars: tensor<?xf64>) -> f64 {
  %r:2 = "ad.vjp"(%n, %x, %bars) {
    callee = @squares, wrt = [1], method = "redundant", operandSegmentSizes = array<i32: 2, 1>
  } : (index, f64, tensor<?xf64>) -> (tensor<?xf64>, f64)
  return %r#1 : f64
}
