module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf64>, %arg1: tensor<3x3x2x4xf64>, %arg2: tensor<36x3xf64>, %arg3: tensor<2x6x6x2xf64>, %arg4: tensor<2xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<3> : tensor<i64>
    %c_0 = stablehlo.constant dense<2> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.convolution(%arg3, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x2xf64>, tensor<3x3x2x4xf64>) -> tensor<2x6x6x4xf64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<4xf64>) -> tensor<1x1x1x4xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf64>) -> tensor<2x6x6x4xf64>
    %3 = stablehlo.add %0, %2 : tensor<2x6x6x4xf64>
    %4 = stablehlo.composite "tapeless.custom_rule" %3 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule, version = 1 : i32} : (tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<f64>
    %6 = "stablehlo.reduce_window"(%4, %5) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %42 = stablehlo.maximum %arg5, %arg6 : tensor<f64>
      stablehlo.return %42 : tensor<f64>
    }) : (tensor<2x6x6x4xf64>, tensor<f64>) -> tensor<2x3x3x4xf64>
    %7 = stablehlo.reshape %6 : (tensor<2x3x3x4xf64>) -> tensor<2x36xf64>
    %8 = stablehlo.dot_general %7, %arg2, contracting_dims = [1] x [0] : (tensor<2x36xf64>, tensor<36x3xf64>) -> tensor<2x3xf64>
    %9 = stablehlo.reduce(%8 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %11 = stablehlo.maximum %10, %9 : tensor<2xf64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %13 = stablehlo.composite "tapeless.stop_gradient" %12 {decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<2x1xf64>) -> tensor<2x1xf64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x3xf64>
    %15 = stablehlo.subtract %8, %14 : tensor<2x3xf64>
    %16 = stablehlo.exponential %15 : tensor<2x3xf64>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf64>, tensor<f64>) -> tensor<2xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %19 = stablehlo.log %18 : tensor<2x1xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x3xf64>
    %21 = stablehlo.subtract %15, %20 : tensor<2x3xf64>
    %22 = stablehlo.iota dim = 0 : tensor<2xi64>
    %23 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<2xi64>
    %24 = stablehlo.compare LT, %22, %23, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %25 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<2xi64>
    %26 = stablehlo.add %22, %25 : tensor<2xi64>
    %27 = stablehlo.select %24, %26, %22 : tensor<2xi1>, tensor<2xi64>
    %28 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<2xi64>
    %29 = stablehlo.compare LT, %arg4, %28, SIGNED : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %30 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<2xi64>
    %31 = stablehlo.add %arg4, %30 : tensor<2xi64>
    %32 = stablehlo.select %29, %31, %arg4 : tensor<2xi1>, tensor<2xi64>
    %33 = stablehlo.convert %27 : (tensor<2xi64>) -> tensor<2xi32>
    %34 = stablehlo.convert %32 : (tensor<2xi64>) -> tensor<2xi32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %37 = stablehlo.concatenate %35, %36, dim = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %38 = "stablehlo.gather"(%21, %37) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf64>, tensor<2x2xi32>) -> tensor<2xf64>
    %39 = stablehlo.reduce(%38 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    %40 = stablehlo.divide %39, %cst : tensor<f64>
    %41 = stablehlo.negate %40 : tensor<f64>
    return %41 : tensor<f64>
  }
  func.func private @tapeless.custom_rule(%arg0: tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64> {
    %0 = call @relu(%arg0) : (tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64>
    return %0 : tensor<2x6x6x4xf64>
  }
  func.func private @relu(%arg0: tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x6x6x4xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x6x4xf64>
    return %1 : tensor<2x6x6x4xf64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<2x1xf64>) -> tensor<2x1xf64> {
    return %arg0 : tensor<2x1xf64>
  }
  func.func private @tapeless_rule_0(%arg0: tensor<2x6x6x4xf64>, %arg1: tensor<2x6x6x4xf64>) -> (tensor<2x6x6x4xf64> {jax.result_info = "result[0]"}, tensor<2x6x6x4xf64> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_0.tapeless.custom_rule, version = 1 : i32} : (tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x6x6x4xf64>
    %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<2x6x6x4xf64>, tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xi1>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x6x6x4xf64>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<2x6x6x4xi1>, tensor<2x6x6x4xf64>
    return %0, %4 : tensor<2x6x6x4xf64>, tensor<2x6x6x4xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule(%arg0: tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64> {
    %0 = call @tapeless_rule_0.relu(%arg0) : (tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64>
    return %0 : tensor<2x6x6x4xf64>
  }
  func.func private @tapeless_rule_0.relu(%arg0: tensor<2x6x6x4xf64>) -> tensor<2x6x6x4xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x6x6x4xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x6x6x4xf64>
    return %1 : tensor<2x6x6x4xf64>
  }
}
