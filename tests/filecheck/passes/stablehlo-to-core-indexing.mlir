// Reads at computed places.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// Rows at indices: starts outside are moved inside.
// CHECK-LABEL: func.func @rows(%arg0: tensor<10x3xf32>, %arg1: tensor<4xi32>)
// CHECK: "soac.map"(%c4, %arg1)
// CHECK: ^bb0({{%.*}}: index, [[INDEX:%.*]]: i32):
// CHECK: arith.maxsi [[INDEX]]
// CHECK: arith.minsi
// CHECK: [[PLACE:%.*]] = arith.index_cast
// CHECK: tensor.extract_slice %arg0{{\[}}[[PLACE]], 0] [1, 3] [1, 1] : tensor<10x3xf32> to tensor<3xf32>
func.func @rows(%x: tensor<10x3xf32>, %at: tensor<4xi32>) -> tensor<4x3xf32> {
  %0 = stablehlo.broadcast_in_dim %at, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<10x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// One element of each row, of vectors that are joined: the number of the row is in range.
// CHECK-LABEL: func.func @picked(%arg0: tensor<6x5xf32>, %arg1: tensor<6xi64>)
// CHECK: "soac.map"(%c6, %arg1)
// CHECK: ^bb0([[ROW:%.*]]: index, [[COLUMN:%.*]]: i64):
// CHECK: arith.maxsi [[COLUMN]]
// CHECK: [[PLACE:%.*]] = arith.index_cast {{%.*}} : i64 to index
// CHECK: tensor.extract %arg0{{\[}}[[ROW]], [[PLACE]]]
func.func @picked(%x: tensor<6x5xf32>, %at: tensor<6xi64>) -> tensor<6xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<6x1xi64>
  %1 = stablehlo.reshape %at : (tensor<6xi64>) -> tensor<6x1xi64>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x2xi64>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf32>, tensor<6x2xi64>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}
