module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %3 = call @_wrapped_jax_export_main(%1, %arg0) : (tensor<i64>, tensor<?xf64>) -> tensor<f64>
    return %3 : tensor<f64>
  }
  func.func @reduce_window_float64_reducer(%arg0: tensor<f64>, %arg1: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f64>
    return %0 : tensor<f64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<2> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c_2 = stablehlo.constant dense<-1> : tensor<i64>
    %c_3 = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %1 = stablehlo.convert %arg0 : tensor<i64>
    %2 = stablehlo.add %1, %c_2 : tensor<i64>
    %3 = stablehlo.convert %2 : (tensor<i64>) -> tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = "stablehlo.dynamic_gather"(%arg1, %0, %4) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?xf64>, tensor<1xi64>, tensor<1xi32>) -> tensor<?xf64>
    %6 = stablehlo.concatenate %arg1, %5, dim = 0 : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    %7 = stablehlo.pad %6, %cst, low = [1], high = [2], interior = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<?xf64>
    %8 = call @cumsum(%arg0, %7) : (tensor<i64>, tensor<?xf64>) -> tensor<?xf64>
    %9 = stablehlo.convert %arg0 : tensor<i64>
    %10 = stablehlo.add %9, %c_3 : tensor<i64>
    %11 = stablehlo.convert %10 : (tensor<i64>) -> tensor<i32>
    %12 = stablehlo.reshape %11 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.dynamic_iota %12, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>
    %14 = stablehlo.convert %arg0 : tensor<i64>
    %15 = stablehlo.add %14, %c_3 : tensor<i64>
    %16 = stablehlo.convert %15 : (tensor<i64>) -> tensor<i32>
    %17 = stablehlo.reshape %16 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %c_1, %17, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %19 = stablehlo.multiply %18, %13 : tensor<?xi64>
    %20 = stablehlo.convert %arg0 : tensor<i64>
    %21 = stablehlo.add %20, %c_3 : tensor<i64>
    %22 = stablehlo.convert %21 : (tensor<i64>) -> tensor<i32>
    %23 = stablehlo.reshape %22 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %c_0, %23, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %25 = stablehlo.add %24, %19 : tensor<?xi64>
    %26 = stablehlo.convert %arg0 : tensor<i64>
    %27 = stablehlo.add %26, %c_3 : tensor<i64>
    %28 = stablehlo.convert %27 : (tensor<i64>) -> tensor<i32>
    %29 = stablehlo.reshape %28 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %25, %30, dims = [0] : (tensor<?xi64>, tensor<2xi32>) -> tensor<?x1xi64>
    %32 = "stablehlo.gather"(%8, %31) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1>}> : (tensor<?xf64>, tensor<?x1xi64>) -> tensor<?xf64>
    %33 = stablehlo.multiply %32, %32 : tensor<?xf64>
    %34 = stablehlo.reduce(%33 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    return %34 : tensor<f64>
  }
  func.func private @cumsum(%arg0: tensor<i64>, %arg1: tensor<?xf64>) -> tensor<?xf64> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<i64>
    %c_2 = stablehlo.constant dense<2> : tensor<i64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<f64>
    %1 = stablehlo.convert %arg0 : tensor<i64>
    %2 = stablehlo.multiply %1, %c_2 : tensor<i64>
    %3 = stablehlo.add %2, %c_1 : tensor<i64>
    %4 = stablehlo.convert %3 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %5, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %7 = stablehlo.reshape %6 : (tensor<2xi32>) -> tensor<1x2xi32>
    %8 = stablehlo.concatenate %7, dim = 0 : (tensor<1x2xi32>) -> tensor<1x2xi32>
    %9 = stablehlo.convert %arg0 : tensor<i64>
    %10 = stablehlo.multiply %9, %c_2 : tensor<i64>
    %11 = stablehlo.add %10, %c_2 : tensor<i64>
    %12 = stablehlo.convert %11 : (tensor<i64>) -> tensor<i32>
    %13 = stablehlo.reshape %12 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%arg1, %0, %13, %c, %c, %c, %8) {api_version = 2 : i32, called_computations = [@reduce_window_float64_reducer]} : (tensor<?xf64>, tensor<f64>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf64>
    return %14 : tensor<?xf64>
  }
}
