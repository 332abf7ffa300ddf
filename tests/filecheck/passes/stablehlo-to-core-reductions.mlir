// Sums over axes, and products summed over shared axes.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// A start that is not neutral is combined with the result.
// CHECK-LABEL: func.func @from_start(%arg0: tensor<4xf32>, %arg1: f32)
// CHECK: [[NEUTRAL:%.*]] = arith.constant 0xFF800000 : f32
// CHECK: [[LARGEST:%.*]] = "soac.reduce"({{%.*}}, %arg0, [[NEUTRAL]])
// CHECK: arith.maximumf %arg1, [[LARGEST]]
func.func @from_start(%x: tensor<4xf32>, %start: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%x init: %start) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// An operator that is not known is applied to one element after the other.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.for {{%.*}} = {{%.*}} to {{%.*}} step {{%.*}} iter_args([[STATE:%.*]] = %arg1) -> (f32)
// CHECK: arith.subf
func.func @unknown(%x: tensor<4xf32>, %start: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %start) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.subtract %a, %b : tensor<f32>
    %2 = stablehlo.abs %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A product of matrices has the form of `a @ b`: rows by rows of the second operand's transpose.
// CHECK-LABEL: func.func @matmul(%arg0: tensor<8x5xf32>, %arg1: tensor<5x7xf32>)
// CHECK: [[COLUMNS:%.*]] = "soac.transpose"(%arg1) {permutation = [1, 0]}
// CHECK: "soac.map"(%c8, %arg0)
// CHECK: "soac.map"(%c7, [[COLUMNS]])
// CHECK: arith.mulf
// CHECK: "soac.reduce"
func.func @matmul(%a: tensor<8x5xf32>, %b: tensor<5x7xf32>) -> tensor<8x7xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x5xf32>, tensor<5x7xf32>) -> tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}

// Rows by rows need no transpose; axes of both are maps outside.
// CHECK-LABEL: func.func @batched(%arg0: tensor<3x4x5xf32>, %arg1: tensor<3x6x5xf32>)
// CHECK-NOT: soac.transpose
// CHECK: "soac.map"(%c3, %arg0, %arg1)
func.func @batched(%a: tensor<3x4x5xf32>, %b: tensor<3x6x5xf32>) -> tensor<3x4x6xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x4x5xf32>, tensor<3x6x5xf32>) -> tensor<3x4x6xf32>
  return %0 : tensor<3x4x6xf32>
}
