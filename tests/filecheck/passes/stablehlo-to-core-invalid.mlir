// RUN: tapeless-opt --stablehlo-to-core --verify-diagnostics --split-input-file %s

func.func @untranslated(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'stablehlo.cholesky' op has no translation to core IR; compute this part otherwise, or outside of the module}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has argument 1 of type tensor<4xf16>; convert it to one of f64, f32, i64, i32, i1}}
func.func @half(%x: tensor<4xf32>, %y: tensor<4xf16>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.convert' op has a result of type tensor<4xbf16>; convert it to one of f64, f32, i64, i32, i1}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %1 = stablehlo.convert %0 : (tensor<4xbf16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has argument 0 of type tensor<?xf32>; give all sizes when the program is exported}}
func.func @open_size(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @outside(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op calls 'lapack_spotrf_ffi', code outside of the module; use operations of StableHLO for this part}}
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @recursive(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.exponential %x : tensor<f32>
  %1 = call @again(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @again(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{'func.call' op calls @again, which calls itself; write a loop}}
  %0 = call @again(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @narrowed(%x: tensor<4xf64>) -> tensor<f32> {
  // expected-error @+1 {{'stablehlo.dot_general' op has operands of f64 and a result of f32; convert the result instead}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @unknown_name(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.composite' op has the name 'tapeless.forget', which Tapeless gives no meaning; known are tapeless.stop_gradient}}
  %0 = stablehlo.composite "tapeless.forget" %x {decomposition = @forget} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @forget(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @halves(%x: tensor<4x2xf32>) -> tensor<4xf64> {
  // expected-error @+1 {{'stablehlo.bitcast_convert' op changes f32 to f64; only types of equal width are translated}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4x2xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
