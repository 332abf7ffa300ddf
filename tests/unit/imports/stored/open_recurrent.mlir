module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x3xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 3). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %3 = call @_wrapped_jax_export_main(%1, %arg0) : (tensor<i64>, tensor<?x3xf64>) -> tensor<f64>
    return %3 : tensor<f64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?x3xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst, %3, dims = [] : (tensor<f64>, tensor<2xi32>) -> tensor<?x3xf64>
    %5:4 = stablehlo.while(%iterArg = %arg1, %iterArg_2 = %c_0, %iterArg_3 = %0, %iterArg_4 = %4) : tensor<?x3xf64>, tensor<i64>, tensor<3xf64>, tensor<?x3xf64>
    cond {
      %9 = stablehlo.compare LT, %iterArg_2, %arg0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%arg0, %iterArg, %iterArg_2) : (tensor<i64>, tensor<?x3xf64>, tensor<i64>) -> tensor<3xf64>
      %10:2 = func.call @closed_call(%arg0, %iterArg_3, %9) : (tensor<i64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
      %11 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_4, %10#1, %iterArg_2) : (tensor<i64>, tensor<?x3xf64>, tensor<3xf64>, tensor<i64>) -> tensor<?x3xf64>
      %12 = stablehlo.add %iterArg_2, %c : tensor<i64>
      stablehlo.return %iterArg, %12, %10#0, %11 : tensor<?x3xf64>, tensor<i64>, tensor<3xf64>, tensor<?x3xf64>
    }
    %6 = stablehlo.reduce(%5#2 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %7 = stablehlo.reduce(%5#3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x3xf64>, tensor<f64>) -> tensor<f64>
    %8 = stablehlo.add %6, %7 : tensor<f64>
    return %8 : tensor<f64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?x3xf64>, %arg2: tensor<i64>) -> tensor<3xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg1, %arg2, %c, sizes = [1, 3] : (tensor<?x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x3xf64>) -> tensor<3xf64>
    return %1 : tensor<3xf64>
  }
  func.func private @closed_call(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<3xf64>, %arg2: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
    %0 = stablehlo.add %arg1, %arg2 : tensor<3xf64>
    %1 = stablehlo.tanh %0 : tensor<3xf64>
    %2 = stablehlo.multiply %arg1, %arg2 : tensor<3xf64>
    return %1, %2 : tensor<3xf64>, tensor<3xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?x3xf64>, %arg2: tensor<3xf64>, %arg3: tensor<i64>) -> tensor<?x3xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %1 = stablehlo.dynamic_update_slice %arg1, %0, %arg3, %c : (tensor<?x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<?x3xf64>
    return %1 : tensor<?x3xf64>
  }
}
