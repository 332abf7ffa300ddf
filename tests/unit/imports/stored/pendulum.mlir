module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<f64>, %arg3: tensor<2xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<20> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %3:5 = stablehlo.while(%iterArg = %arg2, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %c_1, %iterArg_5 = %2) : tensor<f64>, tensor<f64>, tensor<i64>, tensor<i64>, tensor<2xf64>
    cond {
      %7 = stablehlo.compare LT, %iterArg_3, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<f64>, tensor<f64>, tensor<i64>, tensor<2xf64>) -> (tensor<i64>, tensor<2xf64>)
      %8 = stablehlo.add %iterArg_3, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_2, %8, %7#0, %7#1 : tensor<f64>, tensor<f64>, tensor<i64>, tensor<i64>, tensor<2xf64>
    }
    %4 = stablehlo.subtract %3#4, %arg3 : tensor<2xf64>
    %5 = stablehlo.multiply %4, %4 : tensor<2xf64>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    return %6 : tensor<f64>
  }
  func.func private @closed_call(%arg0: tensor<f64>, %arg1: tensor<f64>, %arg2: tensor<i64>, %arg3: tensor<2xf64>) -> (tensor<i64>, tensor<2xf64>) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %cst_0 = stablehlo.constant dense<5.000000e-02> : tensor<f64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.add %arg2, %c : tensor<i64>
    %1 = stablehlo.slice %arg3 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %2 = stablehlo.reshape %1 : (tensor<1xf64>) -> tensor<f64>
    %3 = stablehlo.slice %arg3 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = stablehlo.negate %arg0 : tensor<f64>
    %6 = stablehlo.sine %2 : tensor<f64>
    %7 = stablehlo.multiply %5, %6 : tensor<f64>
    %8 = stablehlo.multiply %arg1, %4 : tensor<f64>
    %9 = stablehlo.subtract %7, %8 : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %11 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %12 = stablehlo.concatenate %10, %11, dim = 0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %14 = stablehlo.multiply %13, %12 : tensor<2xf64>
    %15 = stablehlo.add %arg3, %14 : tensor<2xf64>
    %16 = stablehlo.slice %15 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
    %17 = stablehlo.reshape %16 : (tensor<1xf64>) -> tensor<f64>
    %18 = stablehlo.slice %15 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
    %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
    %20 = stablehlo.negate %arg0 : tensor<f64>
    %21 = stablehlo.sine %17 : tensor<f64>
    %22 = stablehlo.multiply %20, %21 : tensor<f64>
    %23 = stablehlo.multiply %arg1, %19 : tensor<f64>
    %24 = stablehlo.subtract %22, %23 : tensor<f64>
    %25 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %26 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %27 = stablehlo.concatenate %25, %26, dim = 0 : (tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
    %28 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %29 = stablehlo.multiply %28, %27 : tensor<2xf64>
    %30 = stablehlo.add %arg3, %29 : tensor<2xf64>
    return %0, %30 : tensor<i64>, tensor<2xf64>
  }
}
