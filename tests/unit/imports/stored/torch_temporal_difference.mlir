module {
  func.func @main(%arg0: tensor<8x4xf64>, %arg1: tensor<8xf64>, %arg2: tensor<1x8xf64>, %arg3: tensor<1xf64>, %arg4: tensor<5x4xf64>, %arg5: tensor<5xf64>, %arg6: tensor<5x4xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_0 = arith.constant dense<1> : tensor<1xi64>
    %cst_1 = arith.constant dense<9.000000e-01> : tensor<1xf64>
    %cst_2 = arith.constant dense<2> : tensor<1xi64>
    %cst_3 = arith.constant dense<5> : tensor<1xi64>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xf64>) -> tensor<4x8xf64>
    %1 = stablehlo.dot_general %arg6, %0, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x8xf64>) -> tensor<5x8xf64>
    %2 = stablehlo.convert %cst_0 : (tensor<1xi64>) -> tensor<1xf64>
    %3 = stablehlo.reshape %2 : (tensor<1xf64>) -> tensor<f64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<5x8xf64>
    %5 = stablehlo.multiply %1, %4 : tensor<5x8xf64>
    %6 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %7 = stablehlo.multiply %arg1, %6 : tensor<8xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<8xf64>) -> tensor<5x8xf64>
    %9 = stablehlo.add %5, %8 : tensor<5x8xf64>
    %10 = stablehlo.tanh %9 : tensor<5x8xf64>
    %11 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<1x8xf64>) -> tensor<8x1xf64>
    %12 = stablehlo.dot_general %10, %11, contracting_dims = [1] x [0] : (tensor<5x8xf64>, tensor<8x1xf64>) -> tensor<5x1xf64>
    %13 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<5x1xf64>
    %14 = stablehlo.multiply %12, %13 : tensor<5x1xf64>
    %15 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %16 = stablehlo.multiply %arg3, %15 : tensor<1xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [1] : (tensor<1xf64>) -> tensor<5x1xf64>
    %18 = stablehlo.add %14, %17 : tensor<5x1xf64>
    %19 = stablehlo.reshape %18 : (tensor<5x1xf64>) -> tensor<5xf64>
    %20 = stablehlo.convert %cst_1 : tensor<1xf64>
    %21 = stablehlo.reshape %20 : (tensor<1xf64>) -> tensor<f64>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %23 = stablehlo.composite "tapeless.stop_gradient" %19 {decomposition = @main.same0, version = 1 : i32} : (tensor<5xf64>) -> tensor<5xf64>
    %24 = stablehlo.multiply %23, %22 : tensor<5xf64>
    %25 = stablehlo.add %arg5, %24 : tensor<5xf64>
    %26 = stablehlo.dot_general %arg4, %0, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x8xf64>) -> tensor<5x8xf64>
    %27 = stablehlo.multiply %26, %4 : tensor<5x8xf64>
    %28 = stablehlo.add %27, %8 : tensor<5x8xf64>
    %29 = stablehlo.tanh %28 : tensor<5x8xf64>
    %30 = stablehlo.dot_general %29, %11, contracting_dims = [1] x [0] : (tensor<5x8xf64>, tensor<8x1xf64>) -> tensor<5x1xf64>
    %31 = stablehlo.multiply %30, %13 : tensor<5x1xf64>
    %32 = stablehlo.add %31, %17 : tensor<5x1xf64>
    %33 = stablehlo.reshape %32 : (tensor<5x1xf64>) -> tensor<5xf64>
    %34 = stablehlo.subtract %33, %25 : tensor<5xf64>
    %35 = stablehlo.convert %cst_2 : (tensor<1xi64>) -> tensor<1xf64>
    %36 = stablehlo.reshape %35 : (tensor<1xf64>) -> tensor<f64>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<f64>) -> tensor<5xf64>
    %38 = stablehlo.power %34, %37 : tensor<5xf64>
    %39 = stablehlo.reduce(%38 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
    %40 = stablehlo.convert %cst_3 : (tensor<1xi64>) -> tensor<1xf64>
    %41 = stablehlo.reshape %40 : (tensor<1xf64>) -> tensor<f64>
    %42 = stablehlo.divide %39, %41 : tensor<f64>
    return %42 : tensor<f64>
  }
  func.func private @main.same0(%arg0: tensor<5xf64>) -> tensor<5xf64> {
    return %arg0 : tensor<5xf64>
  }
}
