// Operations of StableHLO become maps with scalar bodies; tensors without axes are numbers.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// Broadcasts are values that the map reads, and one map computes a chain.
// CHECK-LABEL: func.func @chain(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>, %arg2: f32) -> tensor<4x3xf32>
// CHECK: [[ROWS:%.*]] = "soac.map"(%c4, %arg0)
// CHECK: "soac.map"(%c3, {{%.*}}, %arg1)
// CHECK: [[SUM:%.*]] = arith.addf {{%.*}}, {{%.*}} fastmath<contract> : f32
// CHECK: [[SCALED:%.*]] = arith.mulf [[SUM]], %arg2 fastmath<contract> : f32
// CHECK: math.tanh [[SCALED]]
// CHECK: return [[ROWS]]
func.func @chain(%x: tensor<4x3xf32>, %b: tensor<3xf32>, %c: tensor<f32>) -> tensor<4x3xf32> {
  %row = stablehlo.reshape %b : (tensor<3xf32>) -> tensor<1x3xf32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
  %0 = stablehlo.add %x, %rows : tensor<4x3xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<4x3xf32>
  %3 = stablehlo.tanh %2 : tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}

// What one operation reads twice is computed once, in its map.
// CHECK-LABEL: func.func @squares(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
// CHECK: [[ALL:%.*]] = "soac.map"(%c4, %arg0, %arg1)
// CHECK: [[APART:%.*]] = arith.subf
// CHECK-NEXT: [[SQUARE:%.*]] = arith.mulf [[APART]], [[APART]]
// CHECK-NEXT: [[FOURTH:%.*]] = arith.mulf [[SQUARE]], [[SQUARE]]
// CHECK-NEXT: "soac.yield"([[FOURTH]])
// CHECK-NOT: "soac.map"
// CHECK: return [[ALL]]
func.func @squares(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.subtract %x, %y : tensor<4xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Calls are replaced by what they call, and axes of size 1 are no memory.
// CHECK-LABEL: func.func @kept_axis(%arg0: tensor<4x3xf32>)
// CHECK: [[SUMS:%.*]] = "soac.map"(%c4, %arg0)
// CHECK: "soac.reduce"
// CHECK: "soac.map"({{%.*}}, %arg0, [[SUMS]])
// CHECK: arith.divf
// CHECK-NOT: func.func private
func.func @kept_axis(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = call @sums(%x) : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.divide %x, %1 : tensor<4x3xf32>
  return %2 : tensor<4x3xf32>
}
func.func private @sums(%x: tensor<4x3xf32>) -> tensor<4x1xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}

// Constants that are all equal stay numbers; an index is the index of its map.
// CHECK-LABEL: func.func @made()
// CHECK-DAG: [[FILL:%.*]] = arith.constant 7 : i32
// CHECK: tensor.splat [[FILL]] : tensor<1000x1000xi32>
// CHECK: "soac.map"
// CHECK-NEXT: ^bb0([[I:%.*]]: index):
// CHECK: arith.index_cast [[I]] : index to i32
func.func @made() -> (tensor<1000x1000xi32>, tensor<5xi32>) {
  %0 = stablehlo.constant dense<7> : tensor<1000x1000xi32>
  %1 = stablehlo.iota dim = 0 : tensor<5xi32>
  return %0, %1 : tensor<1000x1000xi32>, tensor<5xi32>
}

// Integers divided by 0 and by -1 do not stop the program.
// CHECK-LABEL: func.func @quotient(%arg0: i32, %arg1: i32) -> i32
// CHECK: [[SAFE:%.*]] = arith.select {{%.*}}, %c1_i32, %arg1 : i32
// CHECK: arith.divsi %arg0, [[SAFE]] : i32
func.func @quotient(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.divide %x, %y : tensor<i32>
  return %0 : tensor<i32>
}

// Functions that have nothing of StableHLO stay as they are.
// CHECK-LABEL: func.func @core(%arg0: f64) -> f64
// CHECK: math.exp
func.func @core(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}
