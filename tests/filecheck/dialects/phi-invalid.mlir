// Invalid uses of `phi`: each message says what is wrong and what to do.
// RUN: tapeless-opt %s --split-input-file --verify-diagnostics

func.func @invalid() {
  // expected-error @+1 {{'phi.const' op has value = "one"; give an integer, a float or a #phi.rat}}
  %y = "phi.const"() {value = "one"} : () -> f64
  return
}

// -----

func.func @invalid() {
  // expected-error @+1 {{'phi.const' op has value = #phi.rat<1 : i64, 0 : i64>; give a denominator of at least 1}}
  %y = "phi.const"() {value = #phi.rat<1 : i64, 0 : i64>} : () -> f64
  return
}

// -----

func.func @invalid(%i: index, %a: f64) {
  // expected-error @+1 {{'phi.lin' op has operands (f64, index) and result f64; make the types equal}}
  %y = "phi.lin"(%a, %i) {coeffs = [1, 1], constant = 0 : i64} : (f64, index) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.lin' op has 1 coeffs for 2 operands; give one per operand}}
  %y = "phi.lin"(%a, %b) {coeffs = [1], constant = 0 : i64} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.mono' op has exps = "two"; give an integer, a float or a #phi.rat}}
  %y = "phi.mono"(%a) {exps = ["two"], coeff = 1 : i64} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.fn' op has the unknown function 'gamma'; use one of exp, exp2, expm1, log, log2, log10, log1p, rsqrt, cbrt, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, erfinv, lgamma, digamma, trigamma, sigmoid, softplus, round_f16, round_bf16, abs, sign, floor, ceil, trunc, round, roundeven}}
  %y = "phi.fn"(%a) {function = "gamma"} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.fn' op has fact = #phi.fact<"big">; give #phi.fact of one of int, nonneg, nonzero, pos}}
  %y = "phi.fn"(%a) {function = "exp", fact = #phi.fact<"big">} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.fn2' op has the unknown function 'exp'; use one of pow, atan2, hypot, max, min, maxnum, minnum, rem, copysign}}
  %y = "phi.fn2"(%a, %b) {function = "exp"} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.cmp' op has the unknown predicate 'olt'; use one of eq, ne, lt, le, gt, ge}}
  %y = "phi.cmp"(%a, %b) {predicate = "olt"} : (f64, f64) -> i1
  return
}

// -----

func.func @invalid(%i: index, %a: f64) {
  // expected-error @+1 {{'phi.cmp' op compares f64 with index; make the types equal}}
  %y = "phi.cmp"(%a, %i) {predicate = "lt"} : (f64, index) -> i1
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.cmp' op has results (f64); make it i1}}
  %y = "phi.cmp"(%a, %b) {predicate = "lt"} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%ok: i1) {
  // expected-error @+1 {{'phi.logic' op has the unknown connective 'nand'; use one of not, and, or, xor}}
  %y = "phi.logic"(%ok) {connective = "nand"} : (i1) -> i1
  return
}

// -----

func.func @invalid(%ok: i1) {
  // expected-error @+1 {{'phi.logic' op has 1 operands; give and 2}}
  %y = "phi.logic"(%ok) {connective = "and"} : (i1) -> i1
  return
}

// -----

func.func @invalid(%ok: i1, %a: f64) {
  // expected-error @+1 {{'phi.gamma' op has 1 arms and 1 results; give two arms and one result, or two regions}}
  %y = "phi.gamma"(%ok, %a) ({}, {}) : (i1, f64) -> f64
  return
}

// -----

func.func @invalid(%ok: i1, %a: f64, %b: f64) {
  // expected-error @+1 {{'phi.gamma' op has both arms and regions; give one or the other}}
  %y = "phi.gamma"(%ok, %a, %b) ({
      "phi.yield"(%a) : (f64) -> ()
    }, {
      "phi.yield"(%a) : (f64) -> ()
    }) : (i1, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%ok: i1, %a: f64) {
  // expected-error @+1 {{'phi.gamma' op has 0 blocks in the region otherwise; give it exactly one}}
  %y = "phi.gamma"(%ok) ({
      "phi.yield"(%a) : (f64) -> ()
    }, {}) : (i1) -> f64
  return
}

// -----

func.func @invalid(%i: index) {
  // expected-error @+1 {{'phi.switch' op has no arms; give at least one}}
  %y = "phi.switch"(%i) : (index) -> f64
  return
}

// -----

func.func @invalid(%n: index, %many: tensor<?xf64>) {
  // expected-error @+1 {{'phi.iterate' op carries a value of type tensor<?xf64>; carry scalars, or static arrays of at most 16 elements}}
  %y = "phi.iterate"(%n, %many) ({
    ^bb0(%j: index, %x: tensor<?xf64>):
      "phi.yield"(%x) : (tensor<?xf64>) -> ()
    }) : (index, tensor<?xf64>) -> tensor<?xf64>
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.iterate' op has results (index); make them the carried types (f64)}}
  %y = "phi.iterate"(%n, %a) ({
    ^bb0(%j: index, %x: f64):
      "phi.yield"(%x) : (f64) -> ()
    }) : (index, f64) -> index
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.iterate' op has body arguments (f64); make them (index, f64): the step, then the carried values}}
  %y = "phi.iterate"(%n, %a) ({
    ^bb0(%x: f64):
      "phi.yield"(%x) : (f64) -> ()
    }) : (index, f64) -> f64
  return
}

// -----

func.func @invalid(%ok: i1, %a: f64) {
  // expected-error @+1 {{'phi.while' op has last result i8; make it the number of steps (index)}}
  %y:2 = "phi.while"(%a) ({
    ^bb0(%x: f64):
      "phi.yield"(%ok) : (i1) -> ()
    }, {
    ^bb0(%z: f64):
      "phi.yield"(%z) : (f64) -> ()
    }) : (f64) -> (f64, i8)
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.while' op yields (f64) from condition; yield (i1): the condition}}
  %y:2 = "phi.while"(%a) ({
    ^bb0(%x: f64):
      "phi.yield"(%x) : (f64) -> ()
    }, {
    ^bb0(%z: f64):
      "phi.yield"(%z) : (f64) -> ()
    }) : (f64) -> (f64, index)
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.nest' op yields () from body; yield (f64): their next values}}
  %y = "phi.nest"(%n, %a) ({
    ^bb0(%x: f64):
      "phi.yield"() : () -> ()
    }) : (index, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %i: index, %a: f64) {
  // expected-error @+1 {{'phi.pow_iter' op has operands (f64, index, f64) and result f64; make the types equal}}
  %y = "phi.pow_iter"(%n, %a, %i, %a) : (index, f64, index, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index) {
  // expected-error @+1 {{'phi.affine_iter' op has 0 values; solve recurrences of 1 to 4}}
  "phi.affine_iter"(%n) {operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (index) -> ()
  return
}

// -----

func.func @invalid(%n: index, %a: f64, %b: f64) {
  // expected-error @+1 {{'phi.affine_iter' op has 1 entries in matrix and 0 in offset for 1 values; give 1 and 1}}
  %y = "phi.affine_iter"(%n, %a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (index, f64, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %a: f64, %b: f64) {
  // expected-error @+1 {{'phi.matrix_pow' op has 2 entries in matrix; give a square matrix of at most 5 rows}}
  %y:4 = "phi.matrix_pow"(%n, %a, %b, %a, %b) {operandSegmentSizes = array<i32: 1, 2, 2>} : (index, f64, f64, f64, f64) -> (f64, f64, f64, f64)
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.matrix_pow' op has 0 entries in change and 2 results for 1 entries in matrix; give 1 and 2}}
  %y:2 = "phi.matrix_pow"(%n, %a) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, f64) -> (f64, f64)
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.affine_pow' op has 3 results; give pairs: power and sum, then the derivatives of both}}
  %y:3 = "phi.affine_pow"(%n, %a) : (index, f64) -> (f64, f64, f64)
  return
}

// -----

func.func @invalid(%n: index, %a: f64, %b: f64) {
  // expected-error @+1 {{'phi.affine_scan' op has results (f64); make them (f64, tensor<?xf64>)}}
  %y = "phi.affine_scan"(%n, %a) ({
    ^bb0(%j: index):
      "phi.yield"(%a, %b) : (f64, f64) -> ()
    }) {states = true} : (index, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.affine_scan' op yields (f64) from step; yield (f64, f64): the matrix, then the offset}}
  %y = "phi.affine_scan"(%n, %a) ({
    ^bb0(%j: index):
      "phi.yield"(%a) : (f64) -> ()
    }) {states = false} : (index, f64) -> f64
  return
}

// -----

func.func @invalid(%n: index, %lo: index, %a: f64) {
  // expected-error @+1 {{'phi.sum' op has term arguments (); make them (index): the index}}
  %y = "phi.sum"(%lo, %n) ({
      "phi.yield"(%a) : (f64) -> ()
    }) : (index, index) -> f64
  return
}

// -----

func.func @invalid(%n: index, %lo: index, %a: f64) {
  // expected-error @+1 {{'phi.prod' op yields (f64) from term; yield (index): the value at the index}}
  %y = "phi.prod"(%lo, %n) ({
    ^bb0(%j: index):
      "phi.yield"(%a) : (f64) -> ()
    }) : (index, index) -> index
  return
}

// -----

func.func @invalid(%n: index, %lo: index, %a: f64) {
  // expected-error @+1 {{'phi.fold' op has the unknown kind 'sum'; use one of max, min, and, or, argmax, argmin}}
  %y = "phi.fold"(%lo, %n) ({
    ^bb0(%j: index):
      "phi.yield"(%a) : (f64) -> ()
    }) {kind = "sum"} : (index, index) -> f64
  return
}

// -----

func.func @invalid(%n: index, %lo: index, %a: f64) {
  // expected-error @+1 {{'phi.fold' op has result f64; make it index}}
  %y = "phi.fold"(%lo, %n) ({
    ^bb0(%k: index):
      "phi.yield"(%a) : (f64) -> ()
    }) {kind = "argmax"} : (index, index) -> f64
  return
}

// -----

func.func @invalid(%n: index, %a: f64) {
  // expected-error @+1 {{'phi.map' op has result f64; make it a ranked tensor of rank 1 or more}}
  %y = "phi.map"(%n) ({
    ^bb0(%j: index):
      "phi.yield"(%a) : (f64) -> ()
    }) : (index) -> f64
  return
}

// -----

func.func @invalid(%i: index, %a: f64) {
  // expected-error @+1 {{'phi.elem' op has array of type f64; give a ranked tensor or a memref}}
  %y = "phi.elem"(%a, %i) : (f64, index) -> f64
  return
}

// -----

func.func @invalid(%i: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'phi.elem' op has 2 indices into tensor<?xf64>; give 1}}
  %y = "phi.elem"(%xs, %i, %i) : (tensor<?xf64>, index, index) -> f64
  return
}

// -----

func.func @invalid(%i: index, %xs: tensor<?xf64>) {
  // expected-error @+1 {{'phi.elem' op has result index; make it f64}}
  %y = "phi.elem"(%xs, %i) : (tensor<?xf64>, index) -> index
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.segment' op has active_in = [1]; give 1 times true or false}}
  %y = "phi.segment"(%a) ({
    ^bb0(%u: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {label = "s0", active_in = [1], active_out = [true], fm = #phi.fm<"contract">} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.segment' op has active_out = []; give 1 times true or false}}
  %y = "phi.segment"(%a) ({
    ^bb0(%u: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {label = "s0", active_in = [true], active_out = [], fm = #phi.fm<"contract">} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.segment' op has fm = #phi.fm<"fast">; give #phi.fm of some of afn, arcp, cancel, contract, ninf, nnan, nsz, reassoc, stable}}
  %y = "phi.segment"(%a) ({
    ^bb0(%u: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {label = "s0", active_in = [true], active_out = [true], fm = #phi.fm<"fast">} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.segment' op has fm = "contract"; give #phi.fm of some of afn, arcp, cancel, contract, ninf, nnan, nsz, reassoc, stable}}
  %y = "phi.segment"(%a) ({
    ^bb0(%u: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {label = "s0", active_in = [true], active_out = [true], fm = "contract"} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.segment' op has body arguments (f64, f64); make them (f64): the live-ins}}
  %y = "phi.segment"(%a) ({
    ^bb0(%u: f64, %v: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {label = "s0", active_in = [true], active_out = [true], fm = #phi.fm<"contract">} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: tensor<?xf64>, %i: index) {
  // expected-error @+1 {{'phi.segment' op has tensor.rank in its body; raise it to phi or leave it outside}}
  %y = "phi.segment"(%a, %i) ({
    ^bb0(%u: tensor<?xf64>, %k: index):
      %z = "tensor.rank"(%u) : (tensor<?xf64>) -> index
      "phi.yield"(%z) : (index) -> ()
    }) {label = "s0", active_in = [true, false], active_out = [false], fm = #phi.fm<"contract">} : (tensor<?xf64>, index) -> index
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.adjoint' op has the unknown form 'hvp'; use one of vjp, jvp, jacobian}}
  %y = "phi.adjoint"(%a, %b) ({
    ^bb0(%u: f64, %v: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {segment = "s0", form = "hvp", fm = #phi.fm<"contract">, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.adjoint' op has fm = 1 : i64; give #phi.fm of some of afn, arcp, cancel, contract, ninf, nnan, nsz, reassoc, stable}}
  %y = "phi.adjoint"(%a, %b) ({
    ^bb0(%u: f64, %v: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {segment = "s0", form = "vjp", fm = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.adjoint' op has seeds although its form is jacobian; leave them out}}
  %y = "phi.adjoint"(%a, %b) ({
    ^bb0(%u: f64, %v: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {segment = "s0", form = "jacobian", fm = #phi.fm<"contract">, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (f64, f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.adjoint' op has body arguments (f64); make them (f64, f64): the operands in order}}
  %y = "phi.adjoint"(%a, %b) ({
    ^bb0(%u: f64):
      "phi.yield"(%u) : (f64) -> ()
    }) {segment = "s0", form = "vjp", fm = #phi.fm<"contract">, operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (f64, f64) -> f64
  return
}

// -----

func.func private @unknown(f64) -> f64
func.func private @unknown_derivative(f64) -> f64
func.func @invalid(%a: f64, %b: f64) {
  // expected-error @+1 {{'phi.opaque' op has 1 derivatives; give one per operand, 2, or none}}
  %y = "phi.opaque"(%a, %b) {callee = @unknown, derivatives = [@unknown_derivative]} : (f64, f64) -> f64
  return
}

// -----

func.func private @unknown(f64) -> f64
func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.opaque' op has "d" among its derivatives; give symbols such as @name}}
  %y = "phi.opaque"(%a) {callee = @unknown, derivatives = ["d"]} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.opaque' op names @nobody, which is no func.func of this module; define it or declare it}}
  %y = "phi.opaque"(%a) {callee = @nobody, derivatives = []} : (f64) -> f64
  return
}

// -----

func.func @invalid(%a: f64) {
  // expected-error @+1 {{'phi.barrier' op has result index; make it the type of the operand f64}}
  %y = "phi.barrier"(%a) : (f64) -> index
  return
}
