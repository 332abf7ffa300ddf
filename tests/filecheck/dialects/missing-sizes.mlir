// Segment sizes may be left out where one split of the operands fits alone.
// RUN: tapeless-opt --split-input-file --verify-diagnostics %s | filecheck %s

// Sizes of an operation follow from its types and its body; those of operations inside of it are found first.
// CHECK-LABEL: func.func @nested(
// CHECK: "soac.map"
// CHECK: "soac.reduce"
// CHECK: operandSegmentSizes = array<i32: 1, 1, 1>
// CHECK: operandSegmentSizes = array<i32: 1, 1, 0>
func.func @nested(%n: index, %m: index, %zero: f64, %rows: tensor<?x?xf64>) -> tensor<?xf64> {
  %sums = "soac.map"(%n, %rows) ({
  ^bb0(%i: index, %row: tensor<?xf64>):
    %sum = "soac.reduce"(%m, %row, %zero) ({
    ^bb0(%a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      "soac.yield"(%c) : (f64) -> ()
    }) : (index, tensor<?xf64>, f64) -> f64
    "soac.yield"(%sum) : (f64) -> ()
  }) : (index, tensor<?x?xf64>) -> tensor<?xf64>
  return %sums : tensor<?xf64>
}

// -----

// Where several splits fit, the text has to say which one is meant.
func.func @several(%a: f64, %b: f64, %c: f64) {
  // expected-error @+1 {{'phi.adjoint' op lacks operandSegmentSizes, and more than one split fits; add operandSegmentSizes = array<i32: ...> with the sizes of: inputs..., recorded..., saved..., seeds...}}
  %a_bar = "phi.adjoint"(%a, %b, %c) ({
  ^bb0(%u: f64, %v: f64, %seed: f64):
    %w = "phi.mono"(%u, %v, %seed) {exps = [1, 1, 1], coeff = 2 : i64} : (f64, f64, f64) -> f64
    "phi.yield"(%w) : (f64) -> ()
  }) {segment = "s0", form = "vjp", fm = #phi.fm<"contract">} : (f64, f64, f64) -> f64
  return
}

// -----

// A request for a derivative may leave out more: it is by every argument that is a float then, by the default method.
func.func private @scaled(%x: f64, %n: i64, %s: f64) -> f64 {
  %y = arith.mulf %x, %s : f64
  return %y : f64
}
// CHECK-LABEL: func.func @requests(
// CHECK: "ad.vjp"({{.*}}) {callee = @scaled, method = "redundant", operandSegmentSizes = array<i32: 3, 1>, wrt = [0, 2]}
// CHECK: "ad.jvp"({{.*}}) {callee = @scaled, method = "redundant", operandSegmentSizes = array<i32: 3, 2>, wrt = [0, 2]}
// CHECK: "ad.vjp"({{.*}}) {callee = @scaled, method = "coarsened", operandSegmentSizes = array<i32: 3, 1>, wrt = [2]}
func.func @requests(%x: f64, %n: i64, %s: f64) -> (f64, f64, f64) {
  %r:3 = "ad.vjp"(%x, %n, %s, %s) {callee = @scaled} : (f64, i64, f64, f64) -> (f64, f64, f64)
  %t:2 = "ad.jvp"(%x, %n, %s, %s, %x) {callee = @scaled} : (f64, i64, f64, f64, f64) -> (f64, f64)
  %c:2 = "ad.vjp"(%x, %n, %s, %s) {callee = @scaled, wrt = [2], method = "coarsened"} : (f64, i64, f64, f64) -> (f64, f64)
  return %r#1, %t#1, %c#1 : f64, f64, f64
}

// -----

// What is wrong however the operands are split is said.
func.func @unknown(%x: f64) -> f64 {
  // expected-error @+1 {{'ad.vjp' op names @missing, which is no func.func of this module; define it or declare it}}
  %r:2 = "ad.vjp"(%x, %x) {callee = @missing} : (f64, f64) -> (f64, f64)
  return %r#1 : f64
}
