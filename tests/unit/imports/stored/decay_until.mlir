module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<f64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0:3 = stablehlo.while(%iterArg = %arg0, %iterArg_1 = %arg1, %iterArg_2 = %cst_0) : tensor<f64>, tensor<f64>, tensor<f64>
    cond {
      %1 = stablehlo.compare GT, %iterArg_1, %cst, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.negate %iterArg : tensor<f64>
      %2 = stablehlo.exponential %1 : tensor<f64>
      %3 = stablehlo.multiply %iterArg_1, %2 : tensor<f64>
      %4 = stablehlo.multiply %3, %3 : tensor<f64>
      %5 = stablehlo.add %iterArg_2, %4 : tensor<f64>
      stablehlo.return %iterArg, %3, %5 : tensor<f64>, tensor<f64>, tensor<f64>
    }
    return %0#2 : tensor<f64>
  }
}
