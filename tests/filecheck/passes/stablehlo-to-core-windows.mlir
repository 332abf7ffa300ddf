// Windows, updates at computed places, orders, convolutions.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// Windows as long as the axis, one for each prefix, are a scan.
// CHECK-LABEL: func.func @running(%arg0: tensor<1000000xf64>)
// CHECK: "soac.scan"({{%.*}}, %arg0, {{%.*}})
// CHECK: reverse = false
func.func @running(%x: tensor<1000000xf64>) -> tensor<1000000xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {window_dimensions = array<i64: 1000000>, padding = dense<[[999999, 0]]> : tensor<1x2xi64>} : (tensor<1000000xf64>, tensor<f64>) -> tensor<1000000xf64>
  return %0 : tensor<1000000xf64>
}

// Short windows are shifted slices, one axis after the other.
// CHECK-LABEL: func.func @pooled(%arg0: tensor<4x6xf32>)
// CHECK: tensor.extract_slice %arg0[0, 0] [2, 6] [2, 1]
// CHECK: tensor.extract_slice %arg0[1, 0] [2, 6] [2, 1]
// CHECK: arith.maximumf
// CHECK: tensor.extract_slice {{%.*}}[0, 0] [2, 3] [1, 2]
// CHECK: tensor.extract_slice {{%.*}}[0, 1] [2, 3] [1, 2]
// CHECK: arith.maximumf
func.func @pooled(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Sums at indices are a histogram of rows; indices outside have the key -1.
// CHECK-LABEL: func.func @summed(%arg0: tensor<10x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x3xf32>)
// CHECK: [[KEYS:%.*]] = "soac.map"(%c4, %arg1)
// CHECK: arith.select {{%.*}}, {{%.*}}, %c-1_i64 : i64
// CHECK: "soac.hist"({{%.*}}, [[KEYS]], %arg0, %arg2, {{%.*}})
func.func @summed(%x: tensor<10x3xf32>, %at: tensor<4xi32>, %u: tensor<4x3xf32>) -> tensor<10x3xf32> {
  %0 = stablehlo.reshape %at : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.scatter"(%x, %0, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<10x3xf32>
  return %1 : tensor<10x3xf32>
}

// One update at a constant place is a write of a row.
// CHECK-LABEL: func.func @written(%arg0: tensor<10x3xf32>, %arg1: tensor<3xf32>)
// CHECK: tensor.insert_slice %arg1 into %arg0{{\[}}{{.*}}, 0] [1, 3] [1, 1]
// CHECK-NOT: soac.scatter
func.func @written(%x: tensor<10x3xf32>, %u: tensor<3xf32>) -> tensor<10x3xf32> {
  %at = stablehlo.constant dense<4> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<10x3xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<10x3xf32>
  return %0 : tensor<10x3xf32>
}

// Arrays that are sorted together are read by the permutation of the one that is compared.
// CHECK-LABEL: func.func @sorted(%arg0: tensor<9xf32>, %arg1: tensor<9xi64>)
// CHECK: [[ORDER:%.*]] = "soac.argsort"({{%.*}}) : (tensor<9xf32>) -> tensor<9xi64>
// CHECK: "soac.map"({{%.*}}, [[ORDER]])
// CHECK: tensor.extract %arg0
// CHECK: "soac.map"({{%.*}}, [[ORDER]])
// CHECK: tensor.extract %arg1
func.func @sorted(%x: tensor<9xf32>, %k: tensor<9xi64>) -> (tensor<9xf32>, tensor<9xi64>) {
  %0:2 = "stablehlo.sort"(%x, %k) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i64>, %d: tensor<i64>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<9xf32>, tensor<9xi64>) -> (tensor<9xf32>, tensor<9xi64>)
  return %0#0, %0#1 : tensor<9xf32>, tensor<9xi64>
}

// A convolution is a product of patches, joined from shifted slices, and the kernel as a matrix.
// CHECK-LABEL: func.func @convolved(%arg0: tensor<1x5x5x3xf32>, %arg1: tensor<2x2x3x4xf32>)
// CHECK: tensor.concat dim(3)
// CHECK-SAME: -> tensor<1x4x4x12xf32>
// CHECK: [[KERNEL:%.*]] = tensor.reshape %arg1
// CHECK: "soac.transpose"([[KERNEL]]) {permutation = [1, 0]}
// CHECK: "soac.reduce"
func.func @convolved(%x: tensor<1x5x5x3xf32>, %w: tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x5x5x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}
