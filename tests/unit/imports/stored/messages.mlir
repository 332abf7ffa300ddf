module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<3x3xf64>, %arg3: tensor<6x3xf64>, %arg4: tensor<10xi64>, %arg5: tensor<10xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.800000e+01> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<6> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %1 = stablehlo.compare LT, %arg4, %0, SIGNED : (tensor<10xi64>, tensor<10xi64>) -> tensor<10xi1>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %3 = stablehlo.add %arg4, %2 : tensor<10xi64>
    %4 = stablehlo.select %1, %3, %arg4 : tensor<10xi1>, tensor<10xi64>
    %5 = stablehlo.convert %4 : (tensor<10xi64>) -> tensor<10xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
    %7 = "stablehlo.gather"(%arg3, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<6x3xf64>, tensor<10x1xi32>) -> tensor<10x3xf64>
    %8 = stablehlo.dot_general %7, %arg0, contracting_dims = [1] x [0] : (tensor<10x3xf64>, tensor<3x3xf64>) -> tensor<10x3xf64>
    %9 = stablehlo.composite "tapeless.custom_rule" %8 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule, version = 1 : i32} : (tensor<10x3xf64>) -> tensor<10x3xf64>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<6x3xf64>
    %11 = stablehlo.convert %arg5 : (tensor<10xi64>) -> tensor<10xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
    %13 = "stablehlo.scatter"(%10, %12, %9) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
      %37 = stablehlo.add %arg6, %arg7 : tensor<f64>
      stablehlo.return %37 : tensor<f64>
    }) : (tensor<6x3xf64>, tensor<10x1xi32>, tensor<10x3xf64>) -> tensor<6x3xf64>
    %14 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<6x3xf64>, tensor<3x3xf64>) -> tensor<6x3xf64>
    %15 = stablehlo.add %13, %14 : tensor<6x3xf64>
    %16 = stablehlo.tanh %15 : tensor<6x3xf64>
    %17 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %18 = stablehlo.compare LT, %arg4, %17, SIGNED : (tensor<10xi64>, tensor<10xi64>) -> tensor<10xi1>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %20 = stablehlo.add %arg4, %19 : tensor<10xi64>
    %21 = stablehlo.select %18, %20, %arg4 : tensor<10xi1>, tensor<10xi64>
    %22 = stablehlo.convert %21 : (tensor<10xi64>) -> tensor<10xi32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
    %24 = "stablehlo.gather"(%16, %23) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<6x3xf64>, tensor<10x1xi32>) -> tensor<10x3xf64>
    %25 = stablehlo.dot_general %24, %arg1, contracting_dims = [1] x [0] : (tensor<10x3xf64>, tensor<3x3xf64>) -> tensor<10x3xf64>
    %26 = stablehlo.composite "tapeless.custom_rule" %25 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule_0, version = 1 : i32} : (tensor<10x3xf64>) -> tensor<10x3xf64>
    %27 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<6x3xf64>
    %28 = stablehlo.convert %arg5 : (tensor<10xi64>) -> tensor<10xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<10xi32>) -> tensor<10x1xi32>
    %30 = "stablehlo.scatter"(%27, %29, %26) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
      %37 = stablehlo.add %arg6, %arg7 : tensor<f64>
      stablehlo.return %37 : tensor<f64>
    }) : (tensor<6x3xf64>, tensor<10x1xi32>, tensor<10x3xf64>) -> tensor<6x3xf64>
    %31 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [0] : (tensor<6x3xf64>, tensor<3x3xf64>) -> tensor<6x3xf64>
    %32 = stablehlo.add %30, %31 : tensor<6x3xf64>
    %33 = stablehlo.tanh %32 : tensor<6x3xf64>
    %34 = stablehlo.multiply %33, %33 : tensor<6x3xf64>
    %35 = stablehlo.reduce(%34 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x3xf64>, tensor<f64>) -> tensor<f64>
    %36 = stablehlo.divide %35, %cst : tensor<f64>
    return %36 : tensor<f64>
  }
  func.func private @tapeless.custom_rule(%arg0: tensor<10x3xf64>) -> tensor<10x3xf64> {
    %0 = call @relu(%arg0) : (tensor<10x3xf64>) -> tensor<10x3xf64>
    return %0 : tensor<10x3xf64>
  }
  func.func private @relu(%arg0: tensor<10x3xf64>) -> tensor<10x3xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<10x3xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<10x3xf64>
    return %1 : tensor<10x3xf64>
  }
  func.func private @tapeless.custom_rule_0(%arg0: tensor<10x3xf64>) -> tensor<10x3xf64> {
    %0 = call @relu(%arg0) : (tensor<10x3xf64>) -> tensor<10x3xf64>
    return %0 : tensor<10x3xf64>
  }
  func.func private @tapeless_rule_0(%arg0: tensor<10x3xf64>, %arg1: tensor<10x3xf64>) -> (tensor<10x3xf64> {jax.result_info = "result[0]"}, tensor<10x3xf64> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0 {composite_attributes = {jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_0.tapeless.custom_rule, version = 1 : i32} : (tensor<10x3xf64>) -> tensor<10x3xf64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<10x3xf64>
    %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<10x3xf64>, tensor<10x3xf64>) -> tensor<10x3xi1>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<10x3xf64>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<10x3xi1>, tensor<10x3xf64>
    return %0, %4 : tensor<10x3xf64>, tensor<10x3xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule(%arg0: tensor<10x3xf64>) -> tensor<10x3xf64> {
    %0 = call @tapeless_rule_0.relu(%arg0) : (tensor<10x3xf64>) -> tensor<10x3xf64>
    return %0 : tensor<10x3xf64>
  }
  func.func private @tapeless_rule_0.relu(%arg0: tensor<10x3xf64>) -> tensor<10x3xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<10x3xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<10x3xf64>
    return %1 : tensor<10x3xf64>
  }
}
