// Every operation of `phi` parses, verifies and prints as it was read.
// RUN: tapeless-opt %s | tapeless-opt | filecheck %s

func.func private @unknown(f64) -> f64
func.func private @unknown_derivative(f64) -> f64

// Ends a region and gives its values to the operation around it.
// CHECK-LABEL: func.func @yield(
// CHECK: "phi.yield"(%{{.*}}) : (f64) -> ()
func.func @yield(%n: index, %lo: index, %a: f64) {
  %s = "phi.sum"(%lo, %n) ({
  ^bb0(%k: index):
    "phi.yield"(%a) : (f64) -> ()
  }) : (index, index) -> f64
  return
}

// The state after n steps of x = A x + b with constant A and b: `A^n p + sum of A^i b for i < n`.
// CHECK-LABEL: func.func @affine_iter(
// CHECK: "phi.affine_iter"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (index, f64, f64, f64) -> f64
func.func @affine_iter(%n: index, %a: f64, %b: f64, %c: f64) {
  %d = "phi.affine_iter"(%n, %a, %b, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 1>}
    : (index, f64, f64, f64) -> f64
  return
}

// a^n, the sum of a^i for i < n, and the derivatives of both in a, by repeated doubling.
// CHECK-LABEL: func.func @affine_pow(
// CHECK: "phi.affine_pow"(%{{.*}}, %{{.*}}) : (index, f64) -> (f64, f64, f64, f64)
func.func @affine_pow(%n: index, %a: f64) {
  %p, %s, %dp, %ds = "phi.affine_pow"(%n, %a) : (index, f64) -> (f64, f64, f64, f64)
  return
}

// A^n, and how it changes when A changes by Y: the sum of A^i Y A^(n-1-i) for i < n.
// CHECK-LABEL: func.func @matrix_pow(
// CHECK: "phi.matrix_pow"(%{{.*}}, %{{.*}}, %{{.*}}) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, f64, f64) -> (f64, f64)
func.func @matrix_pow(%n: index, %a: f64, %b: f64) {
  %p, %q = "phi.matrix_pow"(%n, %a, %b) {operandSegmentSizes = array<i32: 1, 1, 1>} : (index, f64, f64) -> (f64, f64)
  return
}

// The state after n steps of x = A(i) x + b(i); with `states = true` also every state as an array.
// CHECK-LABEL: func.func @affine_scan(
// CHECK: "phi.affine_scan"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {states = false} : (index, f64) -> f64
func.func @affine_scan(%n: index, %a: f64, %b: f64, %c: f64) {
  %last = "phi.affine_scan"(%n, %c) ({
  ^bb0(%k: index):
    "phi.yield"(%a, %b) : (f64, f64) -> ()
  }) {states = false} : (index, f64) -> f64
  return
}

// A number, exact where possible.
// CHECK-LABEL: func.func @const(
// CHECK: "phi.const"() {value = #phi.rat<1 : i64, 3 : i64>} : () -> f64
func.func @const() {
  %third = "phi.const"() {value = #phi.rat<1 : i64, 3 : i64>} : () -> f64
  return
}

// A linear combination: the sum of coefficient times term, plus a constant.
// CHECK-LABEL: func.func @lin(
// CHECK: "phi.lin"(%{{.*}}, %{{.*}}) {coeffs = [1, -2], constant = 5.000000e-01 : f64} : (f64, f64) -> f64
func.func @lin(%a: f64, %b: f64) {
  %y = "phi.lin"(%a, %b) {coeffs = [1, -2], constant = 0.5 : f64} : (f64, f64) -> f64
  return
}

// A monomial: a coefficient times the product of bases to rational exponents; covers mul, div, sqrt and powers.
// CHECK-LABEL: func.func @mono(
// CHECK: "phi.mono"(%{{.*}}, %{{.*}}) {coeff = 3 : i64, exps = [1, #phi.rat<-1 : i64, 2 : i64>]} : (f64, f64) -> f64
func.func @mono(%a: f64, %b: f64) {
  %y = "phi.mono"(%a, %b) {exps = [1, #phi.rat<-1 : i64, 2 : i64>], coeff = 3 : i64} : (f64, f64) -> f64
  return
}

// An elementary function of one value.
// CHECK-LABEL: func.func @fn(
// CHECK: "phi.fn"(%{{.*}}) {fact = #phi.fact<"pos">, function = "exp"} : (f64) -> f64
func.func @fn(%a: f64) {
  %y = "phi.fn"(%a) {function = "exp", fact = #phi.fact<"pos">} : (f64) -> f64
  return
}

// A function of two values: pow, atan2, hypot, max, min, copysign.
// CHECK-LABEL: func.func @fn2(
// CHECK: "phi.fn2"(%{{.*}}, %{{.*}}) {function = "pow"} : (f64, f64) -> f64
func.func @fn2(%a: f64, %b: f64) {
  %y = "phi.fn2"(%a, %b) {function = "pow"} : (f64, f64) -> f64
  return
}

// Compares two values: eq, ne, lt, le, gt, ge.
// CHECK-LABEL: func.func @cmp(
// CHECK: "phi.cmp"(%{{.*}}, %{{.*}}) {predicate = "lt"} : (f64, f64) -> i1
func.func @cmp(%a: f64, %b: f64) {
  %p = "phi.cmp"(%a, %b) {predicate = "lt"} : (f64, f64) -> i1
  return
}

// Combines predicates: not (one operand), and, or, xor (two).
// CHECK-LABEL: func.func @logic(
// CHECK: "phi.logic"(%{{.*}}, %{{.*}}) {connective = "and"} : (i1, i1) -> i1
func.func @logic(%ok: i1) {
  %q = "phi.logic"(%ok, %ok) {connective = "and"} : (i1, i1) -> i1
  return
}

// The merge of two branches: the first arm where the condition holds, else the second.
// CHECK-LABEL: func.func @gamma(
// CHECK: "phi.gamma"(%{{.*}}) ({
// CHECK: }) : (i1) -> f64
func.func @gamma(%ok: i1, %a: f64, %b: f64) {
  %y = "phi.gamma"(%ok, %a, %b) ({}, {}) : (i1, f64, f64) -> f64
  %z = "phi.gamma"(%ok) ({
    %root = "phi.mono"(%a) {exps = [#phi.rat<1 : i64, 2 : i64>], coeff = 1 : i64} : (f64) -> f64
    "phi.yield"(%root) : (f64) -> ()
  }, {
    "phi.yield"(%b) : (f64) -> ()
  }) : (i1) -> f64
  return
}

// The merge of k branches: the arm at an index, the last one for any larger index.
// CHECK-LABEL: func.func @switch(
// CHECK: "phi.switch"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (index, f64, f64, f64) -> f64
func.func @switch(%i: index, %a: f64, %b: f64, %c: f64) {
  %y = "phi.switch"(%i, %a, %b, %c) : (index, f64, f64, f64) -> f64
  return
}

// A counted loop: the carried values after n steps.
// CHECK-LABEL: func.func @iterate(
// CHECK: "phi.iterate"(%{{.*}}, %{{.*}}) ({
// CHECK: }) : (index, f64) -> f64
func.func @iterate(%n: index, %a: f64, %b: f64) {
  %d = "phi.iterate"(%n, %b) ({
  ^bb0(%k: index, %x: f64):
    %y = "phi.lin"(%x, %a) {coeffs = [2, 1], constant = 0 : i64} : (f64, f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) : (index, f64) -> f64
  return
}

// A loop that runs while its condition holds; results are the values at its end and the number of steps.
// CHECK-LABEL: func.func @while(
// CHECK: "phi.while"(%{{.*}}) ({
// CHECK: }) : (f64) -> (f64, index)
func.func @while(%b: f64, %c: f64) {
  %d, %trip = "phi.while"(%b) ({
  ^bb0(%x: f64):
    %p = "phi.cmp"(%x, %c) {predicate = "lt"} : (f64, f64) -> i1
    "phi.yield"(%p) : (i1) -> ()
  }, {
  ^bb0(%x: f64):
    %y = "phi.lin"(%x) {coeffs = [2], constant = 1 : i64} : (f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) : (f64) -> (f64, index)
  return
}

// A function applied n times to a value, when nothing more is known about it.
// CHECK-LABEL: func.func @nest(
// CHECK: "phi.nest"(%{{.*}}, %{{.*}}) ({
// CHECK: }) : (index, f64) -> f64
func.func @nest(%n: index, %b: f64) {
  %d = "phi.nest"(%n, %b) ({
  ^bb0(%x: f64):
    %y = "phi.fn"(%x) {function = "sin"} : (f64) -> f64
    "phi.yield"(%y) : (f64) -> ()
  }) : (index, f64) -> f64
  return
}

// The recurrence d = a * d^b solved: `a^((b^n - 1) / (b - 1)) * p^(b^n)`, and `a^n * p` for b = 1.
// CHECK-LABEL: func.func @pow_iter(
// CHECK: "phi.pow_iter"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (index, f64, f64, f64) -> f64
func.func @pow_iter(%n: index, %a: f64, %b: f64, %c: f64) {
  %d = "phi.pow_iter"(%n, %a, %b, %c) : (index, f64, f64, f64) -> f64
  return
}

// The sum of a term over lo <= i < hi.
// CHECK-LABEL: func.func @sum(
// CHECK: "phi.sum"(%{{.*}}, %{{.*}}) ({
// CHECK: }) : (index, index) -> f64
func.func @sum(%n: index, %lo: index, %xs: tensor<?xf64>) {
  %s = "phi.sum"(%lo, %n) ({
  ^bb0(%k: index):
    %x = "phi.elem"(%xs, %k) : (tensor<?xf64>, index) -> f64
    "phi.yield"(%x) : (f64) -> ()
  }) : (index, index) -> f64
  return
}

// The product of a term over lo <= i < hi.
// CHECK-LABEL: func.func @prod(
// CHECK: "phi.prod"(%{{.*}}, %{{.*}}) ({
// CHECK: }) : (index, index) -> f64
func.func @prod(%n: index, %lo: index, %a: f64) {
  %p = "phi.prod"(%lo, %n) ({
  ^bb0(%k: index):
    "phi.yield"(%a) : (f64) -> ()
  }) : (index, index) -> f64
  return
}

// The max, min, and, or of a term over lo <= i < hi; or the first index of the largest or smallest one.
// CHECK-LABEL: func.func @fold(
// CHECK: "phi.fold"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {kind = "max"} : (index, index) -> f64
func.func @fold(%n: index, %lo: index, %a: f64) {
  %m = "phi.fold"(%lo, %n) ({
  ^bb0(%k: index):
    "phi.yield"(%a) : (f64) -> ()
  }) {kind = "max"} : (index, index) -> f64
  return
}

// The array of a value over 0 <= i < n.
// CHECK-LABEL: func.func @map(
// CHECK: "phi.map"(%{{.*}}) ({
// CHECK: }) : (index) -> tensor<?xf64>
func.func @map(%n: index, %a: f64) {
  %g = "phi.map"(%n) ({
  ^bb0(%k: index):
    "phi.yield"(%a) : (f64) -> ()
  }) : (index) -> tensor<?xf64>
  return
}

// An element of an array that is only read, as a symbol.
// CHECK-LABEL: func.func @elem(
// CHECK: "phi.elem"(%{{.*}}, %{{.*}}) : (tensor<?xf64>, index) -> f64
func.func @elem(%i: index, %xs: tensor<?xf64>) {
  %x = "phi.elem"(%xs, %i) : (tensor<?xf64>, index) -> f64
  return
}

// A pure piece of a program, raised to expressions; its derivative replaces op-by-op differentiation.
// CHECK-LABEL: func.func @segment(
// CHECK: "phi.segment"(%{{.*}}, %{{.*}}) ({
// CHECK: }) {active_in = [true, false], active_out = [true], fm = #phi.fm<"contract">, label = "s0"} : (f64, f64) -> f64
func.func @segment(%a: f64, %b: f64) {
  %y = "phi.segment"(%a, %b) ({
  ^bb0(%u: f64, %v: f64):
    %w = "phi.mono"(%u, %v) {exps = [2, 1], coeff = 1 : i64} : (f64, f64) -> f64
    "phi.yield"(%w) : (f64) -> ()
  }) {label = "s0", active_in = [true, false], active_out = [true], fm = #phi.fm<"contract">} : (f64, f64) -> f64
  return
}

// The generated derivative of a segment.
// CHECK-LABEL: func.func @adjoint(
// CHECK: "phi.adjoint"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// CHECK: }) {fm = #phi.fm<"contract,reassoc">, form = "vjp", operandSegmentSizes = array<i32: 2, 0, 0, 1>, segment = "s0"} : (f64, f64, f64) -> f64
func.func @adjoint(%a: f64, %b: f64, %c: f64) {
  %a_bar = "phi.adjoint"(%a, %b, %c) ({
  ^bb0(%u: f64, %v: f64, %seed: f64):
    %w = "phi.mono"(%u, %v, %seed) {exps = [1, 1, 1], coeff = 2 : i64} : (f64, f64, f64) -> f64
    "phi.yield"(%w) : (f64) -> ()
  }) {segment = "s0", form = "vjp", fm = #phi.fm<"contract,reassoc">, operandSegmentSizes = array<i32: 2, 0, 0, 1>}
    : (f64, f64, f64) -> f64
  return
}

// A call that is not looked into; `derivatives` names one function per operand, or is empty when it has none.
// CHECK-LABEL: func.func @opaque(
// CHECK: "phi.opaque"(%{{.*}}) {callee = @unknown, derivatives = [@unknown_derivative]} : (f64) -> f64
func.func @opaque(%a: f64) {
  %y = "phi.opaque"(%a) {callee = @unknown, derivatives = [@unknown_derivative]} : (f64) -> f64
  return
}

// Its operand; nothing is rewritten across it.
// CHECK-LABEL: func.func @barrier(
// CHECK: "phi.barrier"(%{{.*}}) : (f64) -> f64
func.func @barrier(%a: f64) {
  %y = "phi.barrier"(%a) : (f64) -> f64
  return
}
