// Operations that are not translated with open sizes, at their place in the source.
// RUN: tapeless-opt --stablehlo-to-core --verify-diagnostics --split-input-file %s

func.func @normalised(%x: tensor<?x3xf32>, %c: tensor<3xf32>) -> tensor<?x3xf32> {
  // expected-error @+1 {{'stablehlo.batch_norm_inference' op has an operand or a result of type tensor<?x3xf32>; give this operation sizes that are known}}
  %0 = "stablehlo.batch_norm_inference"(%x, %c, %c, %c, %c) <{epsilon = 0.1 : f32, feature_index = 1 : i64}> : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @kernel(%x: tensor<2x8x3xf32>, %k: tensor<?x3x4xf32>) -> tensor<2x?x4xf32> {
  // expected-error @+1 {{'stablehlo.convolution' op has a kernel of type tensor<?x3x4xf32>; give it sizes that are known}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x3xf32>, tensor<?x3x4xf32>) -> tensor<2x?x4xf32>
  return %0 : tensor<2x?x4xf32>
}

// -----

func.func @strides(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<1xi32>
  // expected-error @+1 {{'stablehlo.real_dynamic_slice' op has strides that are known only when running; give constants}}
  %1 = stablehlo.real_dynamic_slice %x, %0, %n, %n : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @between(%x: tensor<?xf32>, %c: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @+1 {{'stablehlo.dynamic_pad' op has amounts between elements that are known only when running; give constants}}
  %0 = stablehlo.dynamic_pad %x, %c, %n, %n, %n : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func private @plus(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @windows(%x: tensor<?xf32>, %c: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<1x2xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{'stablehlo.custom_call' op has windows whose size is known only when running, and that are no prefixes; give constants}}
  %2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %c, %n, %1, %1, %1, %0) {called_computations = [@plus]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func private @plus(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @moved(%x: tensor<?xf32>, %c: tensor<f32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<1x2xi32>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @+1 {{'stablehlo.custom_call' op moves windows by amounts that are known only when running; give constants}}
  %2 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %c, %1, %n, %1, %1, %0) {called_computations = [@plus]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

func.func @components(%x: tensor<8xf32>, %at: tensor<2x?xi32>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.gather' op has starts of type tensor<2x?xi32>; give them a number of components that is known}}
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<2x?xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @scaled(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %x, %0 : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @ruled(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{'stablehlo.composite' op has a rule and reads a size, its operand 0, that none of its arrays has; pass one that has it}}
  %0 = stablehlo.composite "tapeless.custom_rule" %n, %x {composite_attributes = {jvp = "", sizes = 1 : i64}, decomposition = @scaled} : (tensor<i32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
