module {
  func.func @main(%arg0: tensor<4x4xf64>, %arg1: tensor<4xf64>, %arg2: tensor<5x4xf64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %c = stablehlo.constant dense_resource<torch_tensor_5_5_torch.int64> : tensor<5x5xi64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_1 = arith.constant dense<1> : tensor<1xi64>
    %cst_2 = arith.constant dense<2> : tensor<1xi64>
    %c_3 = stablehlo.constant dense<0> : tensor<5x5xi64>
    %0 = stablehlo.compare NE, %c, %c_3, SIGNED : (tensor<5x5xi64>, tensor<5x5xi64>) -> tensor<5x5xi1>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x4xf64>) -> tensor<5x4xf64>
    %3 = stablehlo.convert %cst_1 : (tensor<1xi64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %6 = stablehlo.multiply %2, %5 : tensor<5x4xf64>
    %7 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %8 = stablehlo.multiply %arg1, %7 : tensor<4xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<4xf64>) -> tensor<5x4xf64>
    %10 = stablehlo.add %6, %9 : tensor<5x4xf64>
    %11 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<5x4xf64>) -> tensor<4x5xf64>
    %12 = stablehlo.dot_general %10, %11, contracting_dims = [1] x [0] : (tensor<5x4xf64>, tensor<4x5xf64>) -> tensor<5x5xf64>
    %13 = stablehlo.not %0 : tensor<5x5xi1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
    %16 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<5x5xf64>) -> tensor<5x5xf64>
    %17 = stablehlo.select %14, %15, %16 : tensor<5x5xi1>, tensor<5x5xf64>
    %18 = stablehlo.reduce(%17 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<5x5xf64>, tensor<f64>) -> tensor<5xf64>
    %19 = stablehlo.reshape %18 : (tensor<5xf64>) -> tensor<5x1xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
    %21 = stablehlo.subtract %17, %20 : tensor<5x5xf64>
    %22 = stablehlo.exponential %21 : tensor<5x5xf64>
    %23 = stablehlo.reduce(%22 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<5x5xf64>, tensor<f64>) -> tensor<5xf64>
    %24 = stablehlo.reshape %23 : (tensor<5xf64>) -> tensor<5x1xf64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
    %26 = stablehlo.divide %22, %25 : tensor<5x5xf64>
    %27 = stablehlo.dot_general %26, %arg2, contracting_dims = [1] x [0] : (tensor<5x5xf64>, tensor<5x4xf64>) -> tensor<5x4xf64>
    %28 = stablehlo.convert %cst_2 : (tensor<1xi64>) -> tensor<1xf64>
    %29 = stablehlo.reshape %28 : (tensor<1xf64>) -> tensor<f64>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f64>) -> tensor<5x4xf64>
    %31 = stablehlo.power %27, %30 : tensor<5x4xf64>
    %32 = stablehlo.reduce(%31 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x4xf64>, tensor<f64>) -> tensor<f64>
    return %32 : tensor<f64>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_5_5_torch.int64: "0x080000000100000000000000000000000000000000000000000000000000000000000000000000000000000001000000000000000100000000000000000000000000000000000000000000000000000000000000010000000000000001000000000000000100000000000000000000000000000000000000000000000100000000000000010000000000000001000000000000000100000000000000000000000000000001000000000000000100000000000000010000000000000001000000000000000100000000000000"
    }
  }
#-}
