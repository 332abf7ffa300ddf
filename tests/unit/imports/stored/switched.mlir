module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    %1 = stablehlo.compare GT, %0, %cst, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %12 = stablehlo.multiply %arg2, %arg2 : tensor<4xf64>
      %13 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %14 = stablehlo.multiply %13, %12 : tensor<4xf64>
      stablehlo.return %14 : tensor<4xf64>
    }, {
      %12 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %13 = stablehlo.multiply %12, %arg2 : tensor<4xf64>
      stablehlo.return %13 : tensor<4xf64>
    }) : (tensor<i32>) -> tensor<4xf64>
    %4 = stablehlo.clamp %c_2, %c_1, %c_0 : tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %12 = stablehlo.sine %3 : tensor<4xf64>
      stablehlo.return %12 : tensor<4xf64>
    }, {
      %12 = stablehlo.cosine %3 : tensor<4xf64>
      stablehlo.return %12 : tensor<4xf64>
    }, {
      %12 = stablehlo.multiply %3, %3 : tensor<4xf64>
      stablehlo.return %12 : tensor<4xf64>
    }) : (tensor<i32>) -> tensor<4xf64>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    %7 = stablehlo.clamp %c_2, %c, %c_0 : tensor<i32>
    %8 = "stablehlo.case"(%7) ({
      %12 = stablehlo.sine %arg0 : tensor<f64>
      stablehlo.return %12 : tensor<f64>
    }, {
      %12 = stablehlo.cosine %arg0 : tensor<f64>
      stablehlo.return %12 : tensor<f64>
    }, {
      %12 = stablehlo.multiply %arg0, %arg0 : tensor<f64>
      stablehlo.return %12 : tensor<f64>
    }) : (tensor<i32>) -> tensor<f64>
    %9 = stablehlo.add %6, %8 : tensor<f64>
    %10 = "stablehlo.case"(%c_2) ({
      %12 = stablehlo.tan %arg1 : tensor<f64>
      stablehlo.return %12 : tensor<f64>
    }, {
      %12 = stablehlo.sine %arg1 : tensor<f64>
      stablehlo.return %12 : tensor<f64>
    }) : (tensor<i32>) -> tensor<f64>
    %11 = stablehlo.add %9, %10 : tensor<f64>
    return %11 : tensor<f64>
  }
}
