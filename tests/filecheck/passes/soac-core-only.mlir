// Operations of other dialects are refused at once, with what to do.
// RUN: tapeless-opt --soac-core-only --verify-diagnostics --split-input-file %s
// RUN: tapeless-opt --core --verify-diagnostics --split-input-file %s
// RUN: tapeless-opt --cpu-sequential --verify-diagnostics --split-input-file %s

func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.tanh' op is not core IR; run stablehlo-to-core first}}
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @inside(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<4xf32>) {
    // expected-error @+1 {{'tosa.exp' op is not core IR; write it with operations of ad, arith, func, math, phi, rev, scf, soac, tensor}}
    %0 = tosa.exp %t : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @of_others(%x: tensor<2x2xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{'tensor.collapse_shape' op is not core IR; run linalg-to-core first}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xf64> into tensor<4xf64>
  return %0 : tensor<4xf64>
}

// -----

func.func @checked(%c: i1) {
  // expected-error @+1 {{'cf.assert' op is not core IR; run linalg-to-core first}}
  cf.assert %c, "no"
  return
}
