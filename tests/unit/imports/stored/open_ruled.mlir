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
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0, %arg1 {composite_attributes = {backward = "tapeless_rule_1", forward = "tapeless_rule_0", jvp = "", sizes = 1 : i64}, decomposition = @tapeless.custom_rule, version = 1 : i32} : (tensor<i64>, tensor<?xf64>) -> tensor<?xf64>
    %1 = stablehlo.multiply %0, %0 : tensor<?xf64>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %3 = stablehlo.reduce(%arg1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %4 = stablehlo.maximum %cst, %3 : tensor<f64>
    %5 = stablehlo.is_finite %4 : (tensor<f64>) -> tensor<i1>
    %6 = stablehlo.select %5, %4, %cst_0 : tensor<i1>, tensor<f64>
    %7 = stablehlo.composite "tapeless.stop_gradient" %arg0, %6 {composite_attributes = {sizes = 1 : i64}, decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<i64>, tensor<f64>) -> tensor<f64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %9 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %10 = stablehlo.reshape %9 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %8, %10, dims = [0] : (tensor<1xf64>, tensor<1xi32>) -> tensor<?xf64>
    %12 = stablehlo.subtract %arg1, %11 : tensor<?xf64>
    %13 = stablehlo.exponential %12 : tensor<?xf64>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
    %15 = stablehlo.abs %14 : tensor<f64>
    %16 = stablehlo.log %15 : tensor<f64>
    %17 = stablehlo.add %16, %7 : tensor<f64>
    %18 = stablehlo.add %2, %17 : tensor<f64>
    return %18 : tensor<f64>
  }
  func.func private @tapeless.custom_rule(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>) -> tensor<?xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>
    %3 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %c_0, %4, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %6 = stablehlo.multiply %5, %2 : tensor<?xi64>
    %7 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %c, %8, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %10 = stablehlo.add %9, %6 : tensor<?xi64>
    %11 = stablehlo.convert %10 : (tensor<?xi64>) -> tensor<?xf64>
    %12 = stablehlo.multiply %arg1, %11 : tensor<?xf64>
    return %12 : tensor<?xf64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<f64>) -> tensor<f64> {
    return %arg1 : tensor<f64>
  }
  func.func private @tapeless_rule_1(%arg0: tensor<?xf64>, %arg1: tensor<?xf64>) -> (tensor<?xf64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xf64>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n,),args[1].shape = (n,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %3, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[1].shape[0] (= {0}) and the specification 'n' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (n,),args[1].shape = (n,). Obtained dimension variables: 'n' = {1} from specification 'n' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
    %6 = call @tapeless_rule_1._wrapped_jax_export_main(%1, %arg0, %arg1) : (tensor<i64>, tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    return %6 : tensor<?xf64>
  }
  func.func private @tapeless_rule_1._wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>, %arg2: tensor<?xf64>) -> (tensor<?xf64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %cst_1 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst_1, %1, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %3 = stablehlo.maximum %2, %arg2 : tensor<?xf64>
    %4 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst_0, %5, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %7 = stablehlo.minimum %6, %3 : tensor<?xf64>
    %8 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %9 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %cst, %9, dims = [] : (tensor<f64>, tensor<1xi32>) -> tensor<?xf64>
    %11 = stablehlo.compare GT, %arg1, %10, FLOAT : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xi1>
    %12 = stablehlo.convert %11 : (tensor<?xi1>) -> tensor<?xf64>
    %13 = stablehlo.multiply %7, %12 : tensor<?xf64>
    return %13 : tensor<?xf64>
  }
  func.func private @tapeless_rule_0(%arg0: tensor<?xf64>) -> (tensor<?xf64> {jax.result_info = "result[0]"}, tensor<?xf64> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf64>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n,). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %3:2 = call @tapeless_rule_0._wrapped_jax_export_main(%1, %arg0) : (tensor<i64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
    return %3#0, %3#1 : tensor<?xf64>, tensor<?xf64>
  }
  func.func private @tapeless_rule_0._wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>) -> (tensor<?xf64> {jax.result_info = "result[0]"}, tensor<?xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0, %arg1 {composite_attributes = {backward = "tapeless_rule_1", forward = "tapeless_rule_0", jvp = "", sizes = 1 : i64}, decomposition = @tapeless_rule_0.tapeless.custom_rule, version = 1 : i32} : (tensor<i64>, tensor<?xf64>) -> tensor<?xf64>
    return %0, %arg1 : tensor<?xf64>, tensor<?xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule(%arg0: tensor<i64> {jax.global_constant = "n"}, %arg1: tensor<?xf64>) -> tensor<?xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xi64>
    %3 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %4 = stablehlo.reshape %3 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %c_0, %4, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %6 = stablehlo.multiply %5, %2 : tensor<?xi64>
    %7 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %c, %8, dims = [] : (tensor<i64>, tensor<1xi32>) -> tensor<?xi64>
    %10 = stablehlo.add %9, %6 : tensor<?xi64>
    %11 = stablehlo.convert %10 : (tensor<?xi64>) -> tensor<?xf64>
    %12 = stablehlo.multiply %arg1, %11 : tensor<?xf64>
    return %12 : tensor<?xf64>
  }
}
