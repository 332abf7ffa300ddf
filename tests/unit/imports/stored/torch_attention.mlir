module {
  func.func @main(%arg0: tensor<18x6xf64>, %arg1: tensor<6x6xf64>, %arg2: tensor<6xf64>, %arg3: tensor<5x6xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_1 = arith.constant dense<2.4494897427831779> : tensor<1xf64>
    %cst_2 = arith.constant dense<1> : tensor<1xi64>
    %cst_3 = arith.constant dense<2> : tensor<1xi64>
    %cst_4 = arith.constant dense<30> : tensor<1xi64>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<18x6xf64>) -> tensor<6x18xf64>
    %1 = stablehlo.dot_general %arg3, %0, contracting_dims = [1] x [0] : (tensor<5x6xf64>, tensor<6x18xf64>) -> tensor<5x18xf64>
    %2 = stablehlo.slice %1 [0:5, 0:6] : (tensor<5x18xf64>) -> tensor<5x6xf64>
    %3 = stablehlo.slice %1 [0:5, 6:12] : (tensor<5x18xf64>) -> tensor<5x6xf64>
    %4 = stablehlo.slice %1 [0:5, 12:18] : (tensor<5x18xf64>) -> tensor<5x6xf64>
    %5 = stablehlo.transpose %3, dims = [1, 0] : (tensor<5x6xf64>) -> tensor<6x5xf64>
    %6 = stablehlo.dot_general %2, %5, contracting_dims = [1] x [0] : (tensor<5x6xf64>, tensor<6x5xf64>) -> tensor<5x5xf64>
    %7 = stablehlo.convert %cst_1 : tensor<1xf64>
    %8 = stablehlo.reshape %7 : (tensor<1xf64>) -> tensor<f64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
    %10 = stablehlo.divide %6, %9 : tensor<5x5xf64>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<5x5xf64>, tensor<f64>) -> tensor<5xf64>
    %12 = stablehlo.reshape %11 : (tensor<5xf64>) -> tensor<5x1xf64>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
    %14 = stablehlo.subtract %10, %13 : tensor<5x5xf64>
    %15 = stablehlo.exponential %14 : tensor<5x5xf64>
    %16 = stablehlo.reduce(%15 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x5xf64>, tensor<f64>) -> tensor<5xf64>
    %17 = stablehlo.reshape %16 : (tensor<5xf64>) -> tensor<5x1xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
    %19 = stablehlo.divide %15, %18 : tensor<5x5xf64>
    %20 = stablehlo.dot_general %19, %4, contracting_dims = [1] x [0] : (tensor<5x5xf64>, tensor<5x6xf64>) -> tensor<5x6xf64>
    %21 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<6x6xf64>) -> tensor<6x6xf64>
    %22 = stablehlo.dot_general %20, %21, contracting_dims = [1] x [0] : (tensor<5x6xf64>, tensor<6x6xf64>) -> tensor<5x6xf64>
    %23 = stablehlo.convert %cst_2 : (tensor<1xi64>) -> tensor<1xf64>
    %24 = stablehlo.reshape %23 : (tensor<1xf64>) -> tensor<f64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %26 = stablehlo.multiply %22, %25 : tensor<5x6xf64>
    %27 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f64>) -> tensor<6xf64>
    %28 = stablehlo.multiply %arg2, %27 : tensor<6xf64>
    %29 = stablehlo.broadcast_in_dim %28, dims = [1] : (tensor<6xf64>) -> tensor<5x6xf64>
    %30 = stablehlo.add %26, %29 : tensor<5x6xf64>
    %31 = stablehlo.add %arg3, %30 : tensor<5x6xf64>
    %32 = stablehlo.convert %cst_3 : (tensor<1xi64>) -> tensor<1xf64>
    %33 = stablehlo.reshape %32 : (tensor<1xf64>) -> tensor<f64>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f64>) -> tensor<5x6xf64>
    %35 = stablehlo.power %31, %34 : tensor<5x6xf64>
    %36 = stablehlo.reduce(%35 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x6xf64>, tensor<f64>) -> tensor<f64>
    %37 = stablehlo.convert %cst_4 : (tensor<1xi64>) -> tensor<1xf64>
    %38 = stablehlo.reshape %37 : (tensor<1xf64>) -> tensor<f64>
    %39 = stablehlo.divide %36, %38 : tensor<f64>
    return %39 : tensor<f64>
  }
}
