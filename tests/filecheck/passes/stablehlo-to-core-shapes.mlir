// Arrays that are cut, moved and joined.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// CHECK-LABEL: func.func @sliced(%arg0: tensor<8x6xf32>)
// CHECK: tensor.extract_slice %arg0[1, 0] [3, 6] [2, 1] : tensor<8x6xf32> to tensor<3x6xf32>
func.func @sliced(%x: tensor<8x6xf32>) -> tensor<3x6xf32> {
  %0 = stablehlo.slice %x [1:7:2, 0:6] : (tensor<8x6xf32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// Starts that are constants are not clamped when running, and others are; axes as long as the slice need none.
// CHECK-LABEL: func.func @dynamic(%arg0: tensor<8x6xf32>, %arg1: i32)
// CHECK: [[ABOVE:%.*]] = arith.maxsi %arg1, {{%.*}} : i32
// CHECK: [[INSIDE:%.*]] = arith.minsi [[ABOVE]], %c5_i32 : i32
// CHECK: [[START:%.*]] = arith.index_cast [[INSIDE]] : i32 to index
// CHECK: tensor.extract_slice %arg0{{\[}}[[START]], 0] [3, 6] [1, 1]
// CHECK: tensor.extract_slice %arg0[5, 0] [3, 6] [1, 1]
func.func @dynamic(%x: tensor<8x6xf32>, %i: tensor<i32>) -> (tensor<3x6xf32>, tensor<3x6xf32>) {
  %far = stablehlo.constant dense<100> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [3, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x6xf32>
  %1 = stablehlo.dynamic_slice %x, %far, %i, sizes = [3, 6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x6xf32>
  return %0, %1 : tensor<3x6xf32>, tensor<3x6xf32>
}

// A row that is written needs no axis of its own.
// CHECK-LABEL: func.func @row_written
// CHECK: tensor.insert_slice %arg1 into %arg0[2, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<4x3xf32>
func.func @row_written(%x: tensor<4x3xf32>, %row: tensor<3xf32>) -> tensor<4x3xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
  %1 = stablehlo.dynamic_update_slice %x, %0, %two, %zero : (tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// Padding between elements is a step, and negative padding cuts off.
// CHECK-LABEL: func.func @padded(%arg0: tensor<4xf32>, %arg1: f32)
// CHECK: [[PART:%.*]] = tensor.extract_slice %arg0[1] [3] [1]
// CHECK: [[FILL:%.*]] = tensor.splat %arg1 : tensor<7xf32>
// CHECK: tensor.insert_slice [[PART]] into [[FILL]][1] [3] [2]
func.func @padded(%x: tensor<4xf32>, %fill: tensor<f32>) -> tensor<7xf32> {
  %0 = stablehlo.pad %x, %fill, low = [-1], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: func.func @moved(%arg0: tensor<2x3x4xf32>)
// CHECK: "soac.transpose"(%arg0) {permutation = [2, 0, 1]}
// CHECK: "soac.reverse"(%arg0) {axis = 1 : i64}
// CHECK: tensor.concat dim(0) %arg0, %arg0
func.func @moved(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<4x3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.reverse %x, dims = [1] : tensor<2x3x4xf32>
  %2 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<4x3x4xf32>
  return %0, %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>, tensor<4x3x4xf32>
}

// Slices without elements read nothing, since MLIR has no slice of an axis that is empty.
// CHECK-LABEL: func.func @nothing(
// CHECK: tensor.splat %{{.*}} : tensor<0xf32>
func.func @nothing(%x: tensor<2xf32>) -> tensor<0xf32> {
  %0 = stablehlo.slice %x [2:2] : (tensor<2xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

// What is computed of a transpose lies in memory as the array itself does: nobody reads with a stride or makes a copy.
// CHECK-LABEL: func.func @channels_first(
// CHECK-SAME: %[[X:.*]]: tensor<2x5x3xf64>
// CHECK-NOT: soac.transpose
// CHECK: "soac.map"(%{{.*}}, %[[X]])
// CHECK: math.tanh
// CHECK: "soac.map"
// CHECK: "soac.reduce"
// CHECK-NOT: soac.transpose
// CHECK: return %{{.*}}, %{{.*}} : tensor<2x3xf64>, tensor<2x4x3xf64>
func.func @channels_first(%x: tensor<2x5x3xf64>) -> (tensor<2x3xf64>, tensor<2x4x3xf64>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<2x5x3xf64>) -> tensor<2x3x5xf64>
  %1 = stablehlo.tanh %0 : tensor<2x3x5xf64>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [2]
    : (tensor<2x3x5xf64>, tensor<f64>) -> tensor<2x3xf64>
  %3 = stablehlo.slice %1 [0:2, 0:3, 1:5] : (tensor<2x3x5xf64>) -> tensor<2x3x4xf64>
  %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<2x3x4xf64>) -> tensor<2x4x3xf64>
  return %2, %4 : tensor<2x3xf64>, tensor<2x4x3xf64>
}
