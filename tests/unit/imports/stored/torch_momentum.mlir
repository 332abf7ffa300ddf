module {
  func.func @main(%arg0: tensor<4x4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<5x4xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %cst_1 = arith.constant dense<1> : tensor<1xi64>
    %cst_2 = arith.constant dense<5> : tensor<1xi64>
    %0 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
    %1 = stablehlo.dot_general %arg4, %0, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x4xf64>) -> tensor<5x4xf64>
    %2 = stablehlo.convert %cst_1 : (tensor<1xi64>) -> tensor<1xf64>
    %3 = stablehlo.reshape %2 : (tensor<1xf64>) -> tensor<f64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %5 = stablehlo.multiply %1, %4 : tensor<5x4xf64>
    %6 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %7 = stablehlo.multiply %arg3, %6 : tensor<4xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<4xf64>) -> tensor<5x4xf64>
    %9 = stablehlo.add %5, %8 : tensor<5x4xf64>
    %10 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %12 = stablehlo.multiply %9, %11 : tensor<5x4xf64>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<5xf64>
    %14 = stablehlo.reshape %13 : (tensor<5xf64>) -> tensor<5x1xf64>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x4xf64>
    %16 = stablehlo.subtract %12, %15 : tensor<5x4xf64>
    %17 = stablehlo.exponential %16 : tensor<5x4xf64>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<5xf64>
    %19 = stablehlo.reshape %18 : (tensor<5xf64>) -> tensor<5x1xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x4xf64>
    %21 = stablehlo.divide %17, %20 : tensor<5x4xf64>
    %22 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
    %23 = stablehlo.dot_general %arg4, %22, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x4xf64>) -> tensor<5x4xf64>
    %24 = stablehlo.multiply %23, %4 : tensor<5x4xf64>
    %25 = stablehlo.multiply %arg1, %6 : tensor<4xf64>
    %26 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<4xf64>) -> tensor<5x4xf64>
    %27 = stablehlo.add %24, %26 : tensor<5x4xf64>
    %28 = stablehlo.reduce(%27 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<5xf64>
    %29 = stablehlo.reshape %28 : (tensor<5xf64>) -> tensor<5x1xf64>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x4xf64>
    %31 = stablehlo.subtract %27, %30 : tensor<5x4xf64>
    %32 = stablehlo.exponential %31 : tensor<5x4xf64>
    %33 = stablehlo.reduce(%32 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<5xf64>
    %34 = stablehlo.reshape %33 : (tensor<5xf64>) -> tensor<5x1xf64>
    %35 = stablehlo.log %34 : tensor<5x1xf64>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x4xf64>
    %37 = stablehlo.subtract %31, %36 : tensor<5x4xf64>
    %38 = stablehlo.composite "tapeless.stop_gradient" %21 {decomposition = @main.same0, version = 1 : i32} : (tensor<5x4xf64>) -> tensor<5x4xf64>
    %39 = stablehlo.multiply %38, %37 : tensor<5x4xf64>
    %40 = stablehlo.reduce(%39 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<5xf64>
    %41 = stablehlo.reduce(%40 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
    %42 = stablehlo.convert %cst_2 : (tensor<1xi64>) -> tensor<1xf64>
    %43 = stablehlo.reshape %42 : (tensor<1xf64>) -> tensor<f64>
    %44 = stablehlo.divide %41, %43 : tensor<f64>
    %45 = stablehlo.negate %44 : tensor<f64>
    return %45 : tensor<f64>
  }
  func.func private @main.same0(%arg0: tensor<5x4xf64>) -> tensor<5x4xf64> {
    return %arg0 : tensor<5x4xf64>
  }
}
