module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?xf64>, %arg1: tensor<?xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xi64>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n,),args[1].shape = (m,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %1, %3) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'm'. Using the following polymorphic shapes specifications: args[0].shape = (n,),args[1].shape = (m,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), 'm' = {1} from specification 'm' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
    %6 = call @_wrapped_jax_export_main(%3, %1, %arg0, %arg1) : (tensor<i64>, tensor<i64>, tensor<?xf64>, tensor<?xi64>) -> tensor<f64>
    return %6 : tensor<f64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "m"}, %arg1: tensor<i64> {jax.global_constant = "n"}, %arg2: tensor<?xf64>, %arg3: tensor<?xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.convert %arg1 : tensor<i64>
    %1 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %c_2, %2, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %4 = stablehlo.compare LT, %arg3, %3, SIGNED : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi1>
    %5 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.dynamic_broadcast_in_dim %0, %6, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %8 = stablehlo.add %arg3, %7 : tensor<?xi64>
    %9 = stablehlo.select %4, %8, %arg3 : tensor<?xi1>, tensor<?xi64>
    %10 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %11 = stablehlo.reshape %10 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %9, %12, dims = [0] : (tensor<?xi64>, tensor<2xi32>) -> tensor<?x1xi64>
    %14 = "stablehlo.gather"(%arg2, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<?xf64>, tensor<?x1xi64>) -> tensor<?xf64>
    %15 = stablehlo.multiply %14, %14 : tensor<?xf64>
    %16 = stablehlo.reduce(%15 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %17 = stablehlo.convert %arg1 : tensor<i64>
    %18 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %19 = stablehlo.reshape %18 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %c_2, %19, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %21 = stablehlo.compare LT, %arg3, %20, SIGNED : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi1>
    %22 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %23 = stablehlo.reshape %22 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %17, %23, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %25 = stablehlo.add %arg3, %24 : tensor<?xi64>
    %26 = stablehlo.select %21, %25, %arg3 : tensor<?xi1>, tensor<?xi64>
    %27 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %28 = stablehlo.reshape %27 : (tensor<i32>) -> tensor<1xi32>
    %29 = stablehlo.concatenate %28, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %30 = stablehlo.dynamic_broadcast_in_dim %26, %29, dims = [0] : (tensor<?xi64>, tensor<2xi32>) -> tensor<?x1xi64>
    %31 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %32 = stablehlo.reshape %31 : (tensor<i32>) -> tensor<1xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %cst_0, %32, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %34 = "stablehlo.scatter"(%arg2, %30, %33) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      %60 = stablehlo.add %arg4, %arg5 : tensor<f64>
      stablehlo.return %60 : tensor<f64>
    }) : (tensor<?xf64>, tensor<?x1xi64>, tensor<?xf64>) -> tensor<?xf64>
    %35 = stablehlo.multiply %34, %34 : tensor<?xf64>
    %36 = stablehlo.multiply %35, %34 : tensor<?xf64>
    %37 = stablehlo.reduce(%36 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %38 = stablehlo.add %16, %37 : tensor<f64>
    %39 = stablehlo.convert %arg1 : tensor<i64>
    %40 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %41 = stablehlo.reshape %40 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %c_2, %41, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %43 = stablehlo.compare LT, %arg3, %42, SIGNED : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi1>
    %44 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %45 = stablehlo.reshape %44 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %39, %45, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %47 = stablehlo.add %arg3, %46 : tensor<?xi64>
    %48 = stablehlo.select %43, %47, %arg3 : tensor<?xi1>, tensor<?xi64>
    %49 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %50 = stablehlo.reshape %49 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.concatenate %50, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %52 = stablehlo.dynamic_broadcast_in_dim %48, %51, dims = [0] : (tensor<?xi64>, tensor<2xi32>) -> tensor<?x1xi64>
    %53 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %54 = stablehlo.reshape %53 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.dynamic_broadcast_in_dim %cst, %54, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %56 = "stablehlo.scatter"(%arg2, %52, %55) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
      stablehlo.return %arg5 : tensor<f64>
    }) : (tensor<?xf64>, tensor<?x1xi64>, tensor<?xf64>) -> tensor<?xf64>
    %57 = stablehlo.multiply %56, %56 : tensor<?xf64>
    %58 = stablehlo.reduce(%57 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %59 = stablehlo.add %38, %58 : tensor<f64>
    return %59 : tensor<f64>
  }
}
