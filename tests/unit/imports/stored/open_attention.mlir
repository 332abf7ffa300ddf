module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf64>, %arg1: tensor<?x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x4xf64>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 4),args[1].shape = (m, 4). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %1, %3) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'm'. Using the following polymorphic shapes specifications: args[0].shape = (n, 4),args[1].shape = (m, 4). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), 'm' = {1} from specification 'm' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
    %6 = call @_wrapped_jax_export_main(%3, %1, %arg0, %arg1) : (tensor<i64>, tensor<i64>, tensor<?x4xf64>, tensor<?x4xf64>) -> tensor<f64>
    return %6 : tensor<f64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "m"}, %arg1: tensor<i64> {jax.global_constant = "n"}, %arg2: tensor<?x4xf64>, %arg3: tensor<?x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %0 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<?x4xf64>) -> tensor<4x?xf64>
    %1 = stablehlo.dot_general %arg2, %0, contracting_dims = [1] x [0] : (tensor<?x4xf64>, tensor<4x?xf64>) -> tensor<?x?xf64>
    %2 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %3, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %cst_1, %6, dims = [] : (tensor<f64>, tensor<2xi32>) -> tensor<?x?xf64>
    %8 = stablehlo.divide %1, %7 : tensor<?x?xf64>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf64>, tensor<f64>) -> tensor<?xf64>
    %10 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %11 = stablehlo.reshape %10 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst_0, %11, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %13 = stablehlo.maximum %12, %9 : tensor<?xf64>
    %14 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %15 = stablehlo.reshape %14 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %13, %16, dims = [0] : (tensor<?xf64>, tensor<2xi32>) -> tensor<?x1xf64>
    %18 = stablehlo.composite "tapeless.stop_gradient" %arg0, %arg1, %17 {composite_attributes = {sizes = 2 : i64}, decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<i64>, tensor<i64>, tensor<?x1xf64>) -> tensor<?x1xf64>
    %19 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %20 = stablehlo.reshape %19 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %22 = stablehlo.reshape %21 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %20, %22, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %18, %23, dims = [0, 1] : (tensor<?x1xf64>, tensor<2xi32>) -> tensor<?x?xf64>
    %25 = stablehlo.subtract %8, %24 : tensor<?x?xf64>
    %26 = stablehlo.exponential %25 : tensor<?x?xf64>
    %27 = stablehlo.reduce(%26 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf64>, tensor<f64>) -> tensor<?xf64>
    %28 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %29 = stablehlo.reshape %28 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %27, %30, dims = [0] : (tensor<?xf64>, tensor<2xi32>) -> tensor<?x1xf64>
    %32 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %33 = stablehlo.reshape %32 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %35 = stablehlo.reshape %34 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %33, %35, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %37 = stablehlo.dynamic_broadcast_in_dim %31, %36, dims = [0, 1] : (tensor<?x1xf64>, tensor<2xi32>) -> tensor<?x?xf64>
    %38 = stablehlo.divide %26, %37 : tensor<?x?xf64>
    %39 = stablehlo.dot_general %38, %arg3, contracting_dims = [1] x [0] : (tensor<?x?xf64>, tensor<?x4xf64>) -> tensor<?x4xf64>
    %40 = stablehlo.multiply %39, %39 : tensor<?x4xf64>
    %41 = stablehlo.reduce(%40 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x4xf64>, tensor<f64>) -> tensor<f64>
    return %41 : tensor<f64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<i64> {jax.global_constant = "m"}, %arg1: tensor<i64> {jax.global_constant = "n"}, %arg2: tensor<?x1xf64>) -> tensor<?x1xf64> {
    return %arg2 : tensor<?x1xf64>
  }
}
