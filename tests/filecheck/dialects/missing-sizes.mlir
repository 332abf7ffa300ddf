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
