module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<5x3xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<5x3xf64>, tensor<3xf64>) -> tensor<5xf64>
    %1 = stablehlo.composite "tapeless.stop_gradient" %0 {decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<5xf64>) -> tensor<5xf64>
    %2 = stablehlo.dot_general %arg2, %arg1, contracting_dims = [1] x [0] : (tensor<5x3xf64>, tensor<3xf64>) -> tensor<5xf64>
    %3 = stablehlo.subtract %2, %1 : tensor<5xf64>
    %4 = stablehlo.multiply %3, %3 : tensor<5xf64>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
    %6 = stablehlo.divide %5, %cst : tensor<f64>
    return %6 : tensor<f64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<5xf64>) -> tensor<5xf64> {
    return %arg0 : tensor<5xf64>
  }
}
