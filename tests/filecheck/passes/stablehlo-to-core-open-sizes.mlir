// Sizes that are known only when running: followed where they are computed, compared where they must be equal.
// RUN: tapeless-opt --stablehlo-to-core %s | filecheck %s

// CHECK-LABEL: func.func @added(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>)
// CHECK-DAG: [[M:%.*]] = tensor.dim %arg0
// CHECK-DAG: [[N:%.*]] = tensor.dim %arg1
// CHECK: [[SAME:%.*]] = arith.cmpi eq, [[M]], [[N]] : index
// CHECK: "soac.assert"([[SAME]]
// CHECK-SAME: message = "an axis has size {} in one array and {} in another"
// CHECK-NOT: soac.assert
// CHECK: "soac.map"([[N]], %arg0, %arg1, %arg1)
func.func @added(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  %1 = stablehlo.multiply %0, %y : tensor<?xf32>
  return %1 : tensor<?xf32>
}

// What a producer asserts of two sizes makes them one.
// CHECK-LABEL: func.func @asserted
// CHECK: "soac.assert"
// CHECK-SAME: message = "rows: {} and {}"
// CHECK-NOT: soac.assert
// CHECK: return
func.func @asserted(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %y, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%2, %0, %1) {error_message = "rows: {0} and {1}", has_side_effect = true}
      : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  %3 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %3 : tensor<?x4xf32>
}

// Shapes are vectors of sizes: a broadcast to the size of another array reads that, and no vector is made.
// CHECK-LABEL: func.func @filled(%arg0: tensor<?xf32>, %arg1: f32)
// CHECK-NOT: tensor.concat
// CHECK: [[N:%.*]] = tensor.dim %arg0
// CHECK: tensor.splat %arg1{{\[}}[[N]]] : tensor<?x3xf32>
func.func @filled(%x: tensor<?xf32>, %c: tensor<f32>) -> tensor<?x3xf32> {
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %c, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %3 : tensor<?x3xf32>
}

// All but the first element: nothing is clamped, since the slice is seen to fit.
// CHECK-LABEL: func.func @rest
// CHECK-NOT: arith.maxsi
// CHECK-NOT: arith.minsi
// CHECK-NOT: soac.assert
// CHECK: tensor.extract_slice %arg0[%c1] [{{%.*}}] [1] : tensor<?xf32> to tensor<?xf32>
func.func @rest(%x: tensor<?xf32>) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.subtract %0, %one : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.constant dense<1> : tensor<1xi32>
  %4 = "stablehlo.dynamic_gather"(%x, %3, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>}> : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// A loop over all elements reads them without clamping.
// CHECK-LABEL: func.func @summed(%arg0: tensor<?xf32>)
// CHECK: [[N:%.*]] = tensor.dim %arg0
// CHECK: scf.for [[I:%.*]] = %c0 to [[N]]
// CHECK-NOT: arith.minsi
// CHECK: tensor.extract %arg0{{\[}}[[I]]]
func.func @summed(%x: tensor<?xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %stop = %n, %sum = %start) : tensor<i32>, tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %stop, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<?xf32>, tensor<i32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %4 = stablehlo.add %sum, %3 : tensor<f32>
    %5 = stablehlo.sine %4 : tensor<f32>
    stablehlo.return %1, %stop, %5 : tensor<i32>, tensor<i32>, tensor<f32>
  }
  return %0#2 : tensor<f32>
}

// A running sum is a scan, also where the window is as long as an open axis.
// CHECK-LABEL: func.func @running(%arg0: tensor<?xf32>)
// CHECK: "soac.scan"
func.func private @plus(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func @running(%x: tensor<?xf32>) -> tensor<?xf32> {
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.subtract %1, %one : tensor<1xi32>
  %3 = stablehlo.concatenate %2, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.reshape %3 : (tensor<2xi32>) -> tensor<1x2xi32>
  %5 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %start, %1, %one, %one, %one, %4) {called_computations = [@plus]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}
