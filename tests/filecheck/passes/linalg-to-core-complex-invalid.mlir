// Complex numbers are refused by type and place, before anything is translated.
// RUN: tapeless-opt --linalg-to-core --verify-diagnostics --split-input-file %s

// expected-error @+1 {{'func.func' op has argument 0 of type tensor<3xcomplex<f64>>; pass real and imaginary parts as two arrays}}
func.func @argument(%x: tensor<3xcomplex<f64>>, %out: tensor<3xf64>) -> tensor<3xf64> {
  return %out : tensor<3xf64>
}

// -----

func.func @inside(%x: tensor<3xf64>, %out: tensor<3xf64>) -> tensor<3xf64> {
  %0 = linalg.map ins(%x : tensor<3xf64>) outs(%out : tensor<3xf64>) (%a: f64, %b: f64) {
    // expected-error @+1 {{'complex.create' op has a result of type complex<f64>; compute with real and imaginary parts}}
    %1 = complex.create %a, %a : complex<f64>
    %2 = complex.abs %1 : complex<f64>
    linalg.yield %2 : f64
  }
  return %0 : tensor<3xf64>
}
