// RUN: tapeless-opt --stablehlo-to-core --verify-diagnostics --split-input-file %s

func.func @untranslated(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{'stablehlo.cholesky' op has no translation to core IR; compute this part otherwise, or outside of the module}}
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// expected-error @+1 {{'func.func' op has argument 1 of type tensor<4xi16>; convert it to one of f64, f32, i64, i32, i1, f16, bf16, ui32}}
func.func @half(%x: tensor<4xf32>, %y: tensor<4xi16>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.convert' op has a result of type tensor<4xi16>; convert it to one of f64, f32, i64, i32, i1, f16, bf16, ui32, ui64}}
  %0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi16>
  %1 = stablehlo.convert %0 : (tensor<4xi16>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
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

// -----

func.func @together(%x: tensor<4xf32>, %at: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.scatter' op updates 2 arrays together; write one scatter for each}}
  %0:2 = "stablehlo.scatter"(%x, %x, %at, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %d : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @no_order(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that is no known order; compare operands by LT or GT, the first one first}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.abs %a : tensor<f32>
    %2 = stablehlo.compare LT, %1, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @by_function(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error @+1 {{'stablehlo.sine' op stands in a comparator, where it is not known; compare operands by LT or GT}}
    %1 = stablehlo.sine %a : tensor<f32>
    %2 = stablehlo.compare LT, %1, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @quadratic(%x: tensor<8xf32>, %start: tensor<f32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.reduce_window' op combines all prefixes of an axis by a start that is not neutral; start from the neutral number}}
  %0 = "stablehlo.reduce_window"(%x, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>} : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @fewer_bits(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.reduce_precision' op keeps 5 bits of the exponent and 10 of the mantissa of f32; keep all of them}}
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @unselected(%x: tensor<2x2xf32>, %s: tensor<1x1xf32>, %start: tensor<f32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{'stablehlo.select_and_scatter' op combines numbers by an operator that is not known; use add, multiply, maximum or minimum}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.atan2 %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @unsigned_power(%x: tensor<8xui32>) -> tensor<8xui32> {
  // expected-error @+1 {{'stablehlo.power' op has an operand or a result of type tensor<8xui32>; convert it to i32 or i64 for this operation}}
  %0 = stablehlo.power %x, %x : tensor<8xui32>
  return %0 : tensor<8xui32>
}

// -----

// expected-error @+1 {{'func.func' op has argument 0 of type tensor<8xui64>; convert it to one of f64, f32, i64, i32, i1, f16, bf16, ui32}}
func.func @wide(%x: tensor<8xui64>) -> tensor<8xf32> {
  %0 = stablehlo.convert %x : (tensor<8xui64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @wide_inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{'stablehlo.convert' op converts f32 to ui64; convert it to ui32 or i64}}
  %0 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xui64>
  %1 = stablehlo.convert %0 : (tensor<8xui64>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @nowhere(%x: tensor<8xf32>, %at: tensor<2x0xi32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{'stablehlo.gather' op has starts without components; give one for an axis of the operand at least}}
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], index_vector_dim = 1>, slice_sizes = array<i64: 8>}> : (tensor<8xf32>, tensor<2x0xi32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// expected-error @+1 {{'func.func' op has result 0 of type tensor<8xui64>; convert it to one of f64, f32, i64, i32, i1, f16, bf16, ui32}}
func.func @wide_result(%x: tensor<8xui32>) -> tensor<8xui64> {
  %0 = stablehlo.convert %x : (tensor<8xui32>) -> tensor<8xui64>
  return %0 : tensor<8xui64>
}

// -----

func.func @order_from_outside(%x: tensor<4xf32>, %k: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.sort' op has a comparator that reads values from outside; compare operands by LT or GT}}
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %k, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @without_a_body(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' op calls @declared, which has no body; define it in the module}}
  %0 = call @declared(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.exponential %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
