module {
  func.func @main(%arg0: tensor<9x4xf64>, %arg1: tensor<9xf64>, %arg2: tensor<3x4xi64>) -> tensor<f64> {
    %c = stablehlo.constant dense<0> : tensor<9xi64>
    %c_0 = stablehlo.constant dense<-100> : tensor<9xi64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<9x4xf64>, tensor<3x4xi64>) -> tensor<3x4x4xf64>
    %1 = stablehlo.convert %0 : tensor<3x4x4xf64>
    %2 = stablehlo.slice %1 [0:3, 0:3, 0:4] : (tensor<3x4x4xf64>) -> tensor<3x3x4xf64>
    %3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<9x4xf64>) -> tensor<4x9xf64>
    %4 = stablehlo.reshape %2 : (tensor<3x3x4xf64>) -> tensor<3x3x4xf64>
    %5 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<4x9xf64>) -> tensor<3x4x9xf64>
    %6 = stablehlo.reshape %5 : (tensor<3x4x9xf64>) -> tensor<3x4x9xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<3x4x9xf64>) -> tensor<3x4x9xf64>
    %8 = stablehlo.dot_general %4, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x3x4xf64>, tensor<3x4x9xf64>) -> tensor<3x3x9xf64>
    %9 = stablehlo.reshape %8 : (tensor<3x3x9xf64>) -> tensor<3x3x9xf64>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<9xf64>) -> tensor<3x3x9xf64>
    %11 = stablehlo.add %9, %10 : tensor<3x3x9xf64>
    %12 = stablehlo.reshape %11 : (tensor<3x3x9xf64>) -> tensor<9x9xf64>
    %13 = stablehlo.slice %arg2 [0:3, 1:4] : (tensor<3x4xi64>) -> tensor<3x3xi64>
    %14 = stablehlo.reshape %13 : (tensor<3x3xi64>) -> tensor<9xi64>
    %15 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<9x9xf64>, tensor<f64>) -> tensor<9xf64>
    %16 = stablehlo.reshape %15 : (tensor<9xf64>) -> tensor<9x1xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<9x1xf64>) -> tensor<9x9xf64>
    %18 = stablehlo.subtract %12, %17 : tensor<9x9xf64>
    %19 = stablehlo.exponential %18 : tensor<9x9xf64>
    %20 = stablehlo.reduce(%19 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<9x9xf64>, tensor<f64>) -> tensor<9xf64>
    %21 = stablehlo.reshape %20 : (tensor<9xf64>) -> tensor<9x1xf64>
    %22 = stablehlo.log %21 : tensor<9x1xf64>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<9x1xf64>) -> tensor<9x9xf64>
    %24 = stablehlo.subtract %18, %23 : tensor<9x9xf64>
    %25 = stablehlo.compare NE, %14, %c_0, SIGNED : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<9xi1>) -> tensor<9xi1>
    %27 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<9xi64>) -> tensor<9xi64>
    %28 = stablehlo.select %26, %27, %c : tensor<9xi1>, tensor<9xi64>
    %29 = stablehlo.reshape %28 : (tensor<9xi64>) -> tensor<9x1xi64>
    %30 = stablehlo.iota dim = 0 : tensor<9x1x1xi64>
    %31 = stablehlo.reshape %29 : (tensor<9x1xi64>) -> tensor<9x1x1xi64>
    %32 = stablehlo.concatenate %30, %31, dim = 2 : (tensor<9x1x1xi64>, tensor<9x1x1xi64>) -> tensor<9x1x2xi64>
    %33 = "stablehlo.gather"(%24, %32) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<9x9xf64>, tensor<9x1x2xi64>) -> tensor<9x1xf64>
    %34 = stablehlo.reshape %33 : (tensor<9x1xf64>) -> tensor<9xf64>
    %35 = stablehlo.negate %34 : tensor<9xf64>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<9xf64>) -> tensor<9xf64>
    %37 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %38 = stablehlo.select %26, %36, %37 : tensor<9xi1>, tensor<9xf64>
    %39 = stablehlo.convert %25 : (tensor<9xi1>) -> tensor<9xi64>
    %40 = stablehlo.reduce(%39 init: %c_1) applies stablehlo.add across dimensions = [0] : (tensor<9xi64>, tensor<i64>) -> tensor<i64>
    %41 = stablehlo.convert %40 : (tensor<i64>) -> tensor<f64>
    %42 = stablehlo.reduce(%38 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<9xf64>, tensor<f64>) -> tensor<f64>
    %43 = stablehlo.divide %42, %41 : tensor<f64>
    return %43 : tensor<f64>
  }
}
