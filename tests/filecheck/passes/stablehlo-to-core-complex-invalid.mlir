// Complex numbers are refused by type and place, before anything is translated.
// RUN: tapeless-opt --stablehlo-to-core --verify-diagnostics --split-input-file %s

// expected-error @+1 {{'func.func' op has argument 1 of type tensor<3xcomplex<f32>>; pass real and imaginary parts as two arrays}}
func.func @argument(%n: tensor<i32>, %x: tensor<3xcomplex<f32>>) -> tensor<3xf32> {
  %0 = stablehlo.real %x : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// expected-error @+1 {{'func.func' op has result 0 of type tensor<complex<f64>>; pass real and imaginary parts as two arrays}}
func.func @given(%x: tensor<f64>) -> tensor<complex<f64>> {
  %0 = stablehlo.complex %x, %x : tensor<complex<f64>>
  return %0 : tensor<complex<f64>>
}

// -----

func.func @inside(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'stablehlo.complex' op has a result of type tensor<3xcomplex<f32>>; compute with real and imaginary parts}}
  %0 = stablehlo.complex %x, %x : tensor<3xcomplex<f32>>
  %1 = stablehlo.abs %0 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

func.func @constant() -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.constant' op has a result of type tensor<complex<f32>>; compute with real and imaginary parts}}
  %0 = stablehlo.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %1 = stablehlo.abs %0 : (tensor<complex<f32>>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @transformed(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.fft' op transforms to or from complex numbers; multiply by matrices of cosines and sines, or transform outside}}
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [8] : (tensor<5xcomplex<f32>>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Of real numbers that are made complex for a transform, the transform is named.
func.func @of_real_numbers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  // expected-error @+1 {{'stablehlo.fft' op transforms to or from complex numbers; multiply by matrices of cosines and sines, or transform outside}}
  %1 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
