module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf64>, %arg1: tensor<5x6xf64>, %arg2: tensor<6xf64>, %arg3: tensor<6x6xf64>, %arg4: tensor<3xf64>, %arg5: tensor<6x3xf64>, %arg6: tensor<7x5xf64>, %arg7: tensor<7xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_1 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_5 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg1, contracting_dims = [1] x [0] : (tensor<7x5xf64>, tensor<5x6xf64>) -> tensor<7x6xf64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<6xf64>) -> tensor<1x6xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf64>) -> tensor<7x6xf64>
    %3 = stablehlo.add %0, %2 : tensor<7x6xf64>
    %4 = stablehlo.composite "tapeless.custom_rule" %3 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule, version = 1 : i32} : (tensor<7x6xf64>) -> tensor<7x6xf64>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0] : (tensor<7x6xf64>, tensor<6x6xf64>) -> tensor<7x6xf64>
    %6 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<6xf64>) -> tensor<1x6xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x6xf64>) -> tensor<7x6xf64>
    %8 = stablehlo.add %5, %7 : tensor<7x6xf64>
    %9 = stablehlo.composite "tapeless.custom_rule" %8 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule_0, version = 1 : i32} : (tensor<7x6xf64>) -> tensor<7x6xf64>
    %10 = stablehlo.dot_general %9, %arg5, contracting_dims = [1] x [0] : (tensor<7x6xf64>, tensor<6x3xf64>) -> tensor<7x3xf64>
    %11 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<7x3xf64>
    %13 = stablehlo.add %10, %12 : tensor<7x3xf64>
    %14 = stablehlo.reduce(%13 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<7x3xf64>, tensor<f64>) -> tensor<7xf64>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<7xf64>
    %16 = stablehlo.maximum %15, %14 : tensor<7xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<7xf64>) -> tensor<7x1xf64>
    %18 = stablehlo.composite "tapeless.stop_gradient" %17 {decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<7x1xf64>) -> tensor<7x1xf64>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<7x1xf64>) -> tensor<7x3xf64>
    %20 = stablehlo.subtract %13, %19 : tensor<7x3xf64>
    %21 = stablehlo.exponential %20 : tensor<7x3xf64>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<7x3xf64>, tensor<f64>) -> tensor<7xf64>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<7xf64>) -> tensor<7x1xf64>
    %24 = stablehlo.log %23 : tensor<7x1xf64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<7x1xf64>) -> tensor<7x3xf64>
    %26 = stablehlo.subtract %20, %25 : tensor<7x3xf64>
    %27 = stablehlo.broadcast_in_dim %arg7, dims = [0] : (tensor<7xi64>) -> tensor<7x1xi64>
    %28 = stablehlo.convert %27 : (tensor<7x1xi64>) -> tensor<7x1xi32>
    %29 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %30 = stablehlo.compare LT, %28, %29, SIGNED : (tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x1xi1>
    %31 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<7x1xi32>
    %32 = stablehlo.add %28, %31 : tensor<7x1xi32>
    %33 = stablehlo.select %30, %32, %28 : tensor<7x1xi1>, tensor<7x1xi32>
    %34 = stablehlo.reshape %33 : (tensor<7x1xi32>) -> tensor<7x1x1xi32>
    %35 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<7x1x1xi32>
    %36 = stablehlo.compare GE, %34, %35, SIGNED : (tensor<7x1x1xi32>, tensor<7x1x1xi32>) -> tensor<7x1x1xi1>
    %37 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<7x1x1xi32>
    %39 = stablehlo.compare LE, %34, %38, SIGNED : (tensor<7x1x1xi32>, tensor<7x1x1xi32>) -> tensor<7x1x1xi1>
    %40 = stablehlo.and %36, %39 : tensor<7x1x1xi1>
    %41 = stablehlo.reduce(%40 init: %c) applies stablehlo.and across dimensions = [2] : (tensor<7x1x1xi1>, tensor<i1>) -> tensor<7x1xi1>
    %42 = "stablehlo.gather"(%26, %34) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<7x3xf64>, tensor<7x1x1xi32>) -> tensor<7x1xf64>
    %43 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<7x1xf64>
    %44 = stablehlo.select %41, %42, %43 : tensor<7x1xi1>, tensor<7x1xf64>
    %45 = stablehlo.reduce(%44 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x1xf64>, tensor<f64>) -> tensor<f64>
    %46 = stablehlo.divide %45, %cst : tensor<f64>
    %47 = stablehlo.negate %46 : tensor<f64>
    return %47 : tensor<f64>
  }
  func.func private @tapeless.custom_rule(%arg0: tensor<7x6xf64>) -> tensor<7x6xf64> {
    %0 = call @relu(%arg0) : (tensor<7x6xf64>) -> tensor<7x6xf64>
    return %0 : tensor<7x6xf64>
  }
  func.func private @relu(%arg0: tensor<7x6xf64>) -> tensor<7x6xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<7x6xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<7x6xf64>
    return %1 : tensor<7x6xf64>
  }
  func.func private @tapeless.custom_rule_0(%arg0: tensor<7x6xf64>) -> tensor<7x6xf64> {
    %0 = call @relu(%arg0) : (tensor<7x6xf64>) -> tensor<7x6xf64>
    return %0 : tensor<7x6xf64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<7x1xf64>) -> tensor<7x1xf64> {
    return %arg0 : tensor<7x1xf64>
  }
  func.func private @tapeless_rule_0(%arg0: tensor<7x6xf64>, %arg1: tensor<7x6xf64>) -> (tensor<7x6xf64> {jax.result_info = "result[0]"}, tensor<7x6xf64> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_0.tapeless.custom_rule, version = 1 : i32} : (tensor<7x6xf64>) -> tensor<7x6xf64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<7x6xf64>
    %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<7x6xf64>, tensor<7x6xf64>) -> tensor<7x6xi1>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<7x6xf64>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<7x6xi1>, tensor<7x6xf64>
    return %0, %4 : tensor<7x6xf64>, tensor<7x6xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule(%arg0: tensor<7x6xf64>) -> tensor<7x6xf64> {
    %0 = call @tapeless_rule_0.relu(%arg0) : (tensor<7x6xf64>) -> tensor<7x6xf64>
    return %0 : tensor<7x6xf64>
  }
  func.func private @tapeless_rule_0.relu(%arg0: tensor<7x6xf64>) -> tensor<7x6xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<7x6xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<7x6xf64>
    return %1 : tensor<7x6xf64>
  }
}
