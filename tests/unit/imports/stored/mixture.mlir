module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<3x2xf64>, %arg2: tensor<3x2xf64>, %arg3: tensor<9x2xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %1 = stablehlo.maximum %cst_2, %0 : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %3 = stablehlo.composite "tapeless.stop_gradient" %2 {decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<1xf64>) -> tensor<1xf64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3xf64>
    %6 = stablehlo.exponential %5 : tensor<3xf64>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %9 = stablehlo.log %8 : tensor<1xf64>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
    %11 = stablehlo.subtract %5, %10 : tensor<3xf64>
    %12 = stablehlo.broadcast_in_dim %arg3, dims = [0, 2] : (tensor<9x2xf64>) -> tensor<9x1x2xf64>
    %13 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x2xf64>) -> tensor<1x3x2xf64>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<9x1x2xf64>) -> tensor<9x3x2xf64>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x3x2xf64>) -> tensor<9x3x2xf64>
    %16 = stablehlo.subtract %14, %15 : tensor<9x3x2xf64>
    %17 = stablehlo.negate %arg2 : tensor<3x2xf64>
    %18 = stablehlo.exponential %17 : tensor<3x2xf64>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2] : (tensor<3x2xf64>) -> tensor<1x3x2xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x3x2xf64>) -> tensor<9x3x2xf64>
    %21 = stablehlo.multiply %16, %20 : tensor<9x3x2xf64>
    %22 = stablehlo.multiply %21, %21 : tensor<9x3x2xf64>
    %23 = stablehlo.reduce(%22 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<9x3x2xf64>, tensor<f64>) -> tensor<9x3xf64>
    %24 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<9x3xf64>
    %25 = stablehlo.multiply %24, %23 : tensor<9x3xf64>
    %26 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<9x3xf64>
    %28 = stablehlo.subtract %27, %25 : tensor<9x3xf64>
    %29 = stablehlo.reduce(%arg2 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf64>, tensor<f64>) -> tensor<3xf64>
    %30 = stablehlo.broadcast_in_dim %29, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<9x3xf64>
    %32 = stablehlo.subtract %28, %31 : tensor<9x3xf64>
    %33 = stablehlo.reduce(%32 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<9x3xf64>, tensor<f64>) -> tensor<9xf64>
    %34 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %35 = stablehlo.maximum %34, %33 : tensor<9xf64>
    %36 = stablehlo.is_finite %35 : (tensor<9xf64>) -> tensor<9xi1>
    %37 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %38 = stablehlo.select %36, %35, %37 : tensor<9xi1>, tensor<9xf64>
    %39 = stablehlo.composite "tapeless.stop_gradient" %38 {decomposition = @tapeless.stop_gradient_0, version = 1 : i32} : (tensor<9xf64>) -> tensor<9xf64>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<9xf64>) -> tensor<9x1xf64>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<9x1xf64>) -> tensor<9x3xf64>
    %42 = stablehlo.subtract %32, %41 : tensor<9x3xf64>
    %43 = stablehlo.exponential %42 : tensor<9x3xf64>
    %44 = stablehlo.reduce(%43 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<9x3xf64>, tensor<f64>) -> tensor<9xf64>
    %45 = stablehlo.abs %44 : tensor<9xf64>
    %46 = stablehlo.log %45 : tensor<9xf64>
    %47 = stablehlo.add %46, %39 : tensor<9xf64>
    %48 = stablehlo.reduce(%47 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<9xf64>, tensor<f64>) -> tensor<f64>
    %49 = stablehlo.divide %48, %cst : tensor<f64>
    %50 = stablehlo.negate %49 : tensor<f64>
    return %50 : tensor<f64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<1xf64>) -> tensor<1xf64> {
    return %arg0 : tensor<1xf64>
  }
  func.func private @tapeless.stop_gradient_0(%arg0: tensor<9xf64>) -> tensor<9xf64> {
    return %arg0 : tensor<9xf64>
  }
}
