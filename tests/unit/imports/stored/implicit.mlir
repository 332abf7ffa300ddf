module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf64>, %arg1: tensor<4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
    %2 = stablehlo.iota dim = 0 : tensor<4x4xi64>
    %3 = stablehlo.iota dim = 1 : tensor<4x4xi64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4x4xi64>
    %5 = stablehlo.add %2, %4 : tensor<4x4xi64>
    %6 = stablehlo.compare EQ, %5, %3, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %7 = stablehlo.convert %6 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %9 = stablehlo.multiply %8, %7 : tensor<4x4xf64>
    %10 = stablehlo.add %1, %9 : tensor<4x4xf64>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %12 = stablehlo.composite "tapeless.custom_rule" %10, %10, %10, %11, %10, %11, %arg1 {composite_attributes = {backward = "tapeless_rule_2", forward = "tapeless_rule_1", jvp = "tapeless_rule_0"}, decomposition = @tapeless.custom_rule, version = 1 : i32} : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %13 = stablehlo.multiply %12, %12 : tensor<4xf64>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    return %14 : tensor<f64>
  }
  func.func private @tapeless.custom_rule(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<40> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<9.9999999999999998E-13> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %1 = stablehlo.add %cst_3, %0 : tensor<f64>
    %2 = stablehlo.multiply %cst, %cst : tensor<f64>
    %3 = stablehlo.convert %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %1 : tensor<f64>
    %5 = stablehlo.multiply %cst_3, %cst_3 : tensor<f64>
    %6 = stablehlo.convert %5 : tensor<f64>
    %7 = stablehlo.maximum %4, %6 : tensor<f64>
    %8 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %9 = stablehlo.subtract %arg6, %8 : tensor<4xf64>
    %10 = stablehlo.dot_general %9, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %11 = stablehlo.add %cst_3, %10 : tensor<f64>
    %12:7 = stablehlo.while(%iterArg = %7, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %9, %iterArg_7 = %11, %iterArg_8 = %9, %iterArg_9 = %c_2) : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    cond {
      %13 = stablehlo.compare GT, %iterArg_7, %iterArg, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.compare LT, %iterArg_9, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %16 = stablehlo.compare NE, %14, %15, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = stablehlo.convert %16 : tensor<i1>
      %18 = stablehlo.and %13, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %13 = stablehlo.dot_general %iterArg_4, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %14 = stablehlo.dot_general %iterArg_8, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %15 = stablehlo.add %cst_3, %14 : tensor<f64>
      %16 = stablehlo.divide %iterArg_7, %15 : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %18 = stablehlo.multiply %17, %iterArg_8 : tensor<4xf64>
      %19 = stablehlo.add %iterArg_5, %18 : tensor<4xf64>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %21 = stablehlo.multiply %20, %13 : tensor<4xf64>
      %22 = stablehlo.subtract %iterArg_6, %21 : tensor<4xf64>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %24 = stablehlo.add %cst_3, %23 : tensor<f64>
      %25 = stablehlo.divide %24, %iterArg_7 : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %27 = stablehlo.multiply %26, %iterArg_8 : tensor<4xf64>
      %28 = stablehlo.add %22, %27 : tensor<4xf64>
      %29 = stablehlo.add %iterArg_9, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %19, %22, %24, %28, %29 : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    }
    return %12#2 : tensor<4xf64>
  }
  func.func private @tapeless_rule_2(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>, %arg7: tensor<4xf64>) -> (tensor<4x4xf64> {jax.result_info = "result[0]"}, tensor<4x4xf64> {jax.result_info = "result[1]"}, tensor<4x4xf64> {jax.result_info = "result[2]"}, tensor<4xf64> {jax.result_info = "result[3]"}, tensor<4x4xf64> {jax.result_info = "result[4]"}, tensor<4xf64> {jax.result_info = "result[5]"}, tensor<4xf64> {jax.result_info = "result[6]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.composite "tapeless.custom_rule" %arg1, %arg0, %arg4, %arg5, %arg2, %arg3, %arg7 {composite_attributes = {backward = "tapeless_rule_2", forward = "tapeless_rule_1", jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_2.tapeless.custom_rule, version = 1 : i32} : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %1 = stablehlo.negate %0 : tensor<4xf64>
    %2 = stablehlo.dot_general %1, %arg6, contracting_dims = [] x [] : (tensor<4xf64>, tensor<4xf64>) -> tensor<4x4xf64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
    return %2, %3, %4, %5, %6, %7, %0 : tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>
  }
  func.func private @tapeless_rule_2.tapeless.custom_rule(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<40> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<9.9999999999999998E-13> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %1 = stablehlo.add %cst_3, %0 : tensor<f64>
    %2 = stablehlo.multiply %cst, %cst : tensor<f64>
    %3 = stablehlo.convert %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %1 : tensor<f64>
    %5 = stablehlo.multiply %cst_3, %cst_3 : tensor<f64>
    %6 = stablehlo.convert %5 : tensor<f64>
    %7 = stablehlo.maximum %4, %6 : tensor<f64>
    %8 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %9 = stablehlo.subtract %arg6, %8 : tensor<4xf64>
    %10 = stablehlo.dot_general %9, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %11 = stablehlo.add %cst_3, %10 : tensor<f64>
    %12:7 = stablehlo.while(%iterArg = %7, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %9, %iterArg_7 = %11, %iterArg_8 = %9, %iterArg_9 = %c_2) : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    cond {
      %13 = stablehlo.compare GT, %iterArg_7, %iterArg, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.compare LT, %iterArg_9, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %16 = stablehlo.compare NE, %14, %15, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = stablehlo.convert %16 : tensor<i1>
      %18 = stablehlo.and %13, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %13 = stablehlo.dot_general %iterArg_4, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %14 = stablehlo.dot_general %iterArg_8, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %15 = stablehlo.add %cst_3, %14 : tensor<f64>
      %16 = stablehlo.divide %iterArg_7, %15 : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %18 = stablehlo.multiply %17, %iterArg_8 : tensor<4xf64>
      %19 = stablehlo.add %iterArg_5, %18 : tensor<4xf64>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %21 = stablehlo.multiply %20, %13 : tensor<4xf64>
      %22 = stablehlo.subtract %iterArg_6, %21 : tensor<4xf64>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %24 = stablehlo.add %cst_3, %23 : tensor<f64>
      %25 = stablehlo.divide %24, %iterArg_7 : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %27 = stablehlo.multiply %26, %iterArg_8 : tensor<4xf64>
      %28 = stablehlo.add %22, %27 : tensor<4xf64>
      %29 = stablehlo.add %iterArg_9, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %19, %22, %24, %28, %29 : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    }
    return %12#2 : tensor<4xf64>
  }
  func.func private @tapeless_rule_1(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> (tensor<4xf64> {jax.result_info = "result[0]"}, tensor<4x4xf64> {jax.result_info = "result[1]"}, tensor<4x4xf64> {jax.result_info = "result[2]"}, tensor<4x4xf64> {jax.result_info = "result[3]"}, tensor<4xf64> {jax.result_info = "result[4]"}, tensor<4x4xf64> {jax.result_info = "result[5]"}, tensor<4xf64> {jax.result_info = "result[6]"}, tensor<4xf64> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 {composite_attributes = {backward = "tapeless_rule_2", forward = "tapeless_rule_1", jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_1.tapeless.custom_rule, version = 1 : i32} : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    return %0, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %0 : tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>
  }
  func.func private @tapeless_rule_1.tapeless.custom_rule(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<40> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<9.9999999999999998E-13> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %1 = stablehlo.add %cst_3, %0 : tensor<f64>
    %2 = stablehlo.multiply %cst, %cst : tensor<f64>
    %3 = stablehlo.convert %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %1 : tensor<f64>
    %5 = stablehlo.multiply %cst_3, %cst_3 : tensor<f64>
    %6 = stablehlo.convert %5 : tensor<f64>
    %7 = stablehlo.maximum %4, %6 : tensor<f64>
    %8 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %9 = stablehlo.subtract %arg6, %8 : tensor<4xf64>
    %10 = stablehlo.dot_general %9, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %11 = stablehlo.add %cst_3, %10 : tensor<f64>
    %12:7 = stablehlo.while(%iterArg = %7, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %9, %iterArg_7 = %11, %iterArg_8 = %9, %iterArg_9 = %c_2) : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    cond {
      %13 = stablehlo.compare GT, %iterArg_7, %iterArg, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.compare LT, %iterArg_9, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %16 = stablehlo.compare NE, %14, %15, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = stablehlo.convert %16 : tensor<i1>
      %18 = stablehlo.and %13, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %13 = stablehlo.dot_general %iterArg_4, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %14 = stablehlo.dot_general %iterArg_8, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %15 = stablehlo.add %cst_3, %14 : tensor<f64>
      %16 = stablehlo.divide %iterArg_7, %15 : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %18 = stablehlo.multiply %17, %iterArg_8 : tensor<4xf64>
      %19 = stablehlo.add %iterArg_5, %18 : tensor<4xf64>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %21 = stablehlo.multiply %20, %13 : tensor<4xf64>
      %22 = stablehlo.subtract %iterArg_6, %21 : tensor<4xf64>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %24 = stablehlo.add %cst_3, %23 : tensor<f64>
      %25 = stablehlo.divide %24, %iterArg_7 : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %27 = stablehlo.multiply %26, %iterArg_8 : tensor<4xf64>
      %28 = stablehlo.add %22, %27 : tensor<4xf64>
      %29 = stablehlo.add %iterArg_9, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %19, %22, %24, %28, %29 : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    }
    return %12#2 : tensor<4xf64>
  }
  func.func private @tapeless_rule_0(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>, %arg7: tensor<4x4xf64>, %arg8: tensor<4x4xf64>, %arg9: tensor<4x4xf64>, %arg10: tensor<4xf64>, %arg11: tensor<4x4xf64>, %arg12: tensor<4xf64>, %arg13: tensor<4xf64>) -> (tensor<4xf64> {jax.result_info = "result[0]"}, tensor<4xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.composite "tapeless.custom_rule" %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6 {composite_attributes = {backward = "tapeless_rule_2", forward = "tapeless_rule_1", jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_0.tapeless.custom_rule, version = 1 : i32} : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %1 = stablehlo.dot_general %arg7, %0, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %2 = stablehlo.negate %1 : tensor<4xf64>
    %3 = stablehlo.add %arg13, %2 : tensor<4xf64>
    %4 = stablehlo.composite "tapeless.custom_rule" %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %3 {composite_attributes = {backward = "tapeless_rule_2", forward = "tapeless_rule_1", jvp = "tapeless_rule_0"}, decomposition = @tapeless_rule_0.tapeless.custom_rule_0, version = 1 : i32} : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    return %0, %4 : tensor<4xf64>, tensor<4xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<40> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<9.9999999999999998E-13> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %1 = stablehlo.add %cst_3, %0 : tensor<f64>
    %2 = stablehlo.multiply %cst, %cst : tensor<f64>
    %3 = stablehlo.convert %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %1 : tensor<f64>
    %5 = stablehlo.multiply %cst_3, %cst_3 : tensor<f64>
    %6 = stablehlo.convert %5 : tensor<f64>
    %7 = stablehlo.maximum %4, %6 : tensor<f64>
    %8 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %9 = stablehlo.subtract %arg6, %8 : tensor<4xf64>
    %10 = stablehlo.dot_general %9, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %11 = stablehlo.add %cst_3, %10 : tensor<f64>
    %12:7 = stablehlo.while(%iterArg = %7, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %9, %iterArg_7 = %11, %iterArg_8 = %9, %iterArg_9 = %c_2) : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    cond {
      %13 = stablehlo.compare GT, %iterArg_7, %iterArg, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.compare LT, %iterArg_9, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %16 = stablehlo.compare NE, %14, %15, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = stablehlo.convert %16 : tensor<i1>
      %18 = stablehlo.and %13, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %13 = stablehlo.dot_general %iterArg_4, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %14 = stablehlo.dot_general %iterArg_8, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %15 = stablehlo.add %cst_3, %14 : tensor<f64>
      %16 = stablehlo.divide %iterArg_7, %15 : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %18 = stablehlo.multiply %17, %iterArg_8 : tensor<4xf64>
      %19 = stablehlo.add %iterArg_5, %18 : tensor<4xf64>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %21 = stablehlo.multiply %20, %13 : tensor<4xf64>
      %22 = stablehlo.subtract %iterArg_6, %21 : tensor<4xf64>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %24 = stablehlo.add %cst_3, %23 : tensor<f64>
      %25 = stablehlo.divide %24, %iterArg_7 : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %27 = stablehlo.multiply %26, %iterArg_8 : tensor<4xf64>
      %28 = stablehlo.add %22, %27 : tensor<4xf64>
      %29 = stablehlo.add %iterArg_9, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %19, %22, %24, %28, %29 : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    }
    return %12#2 : tensor<4xf64>
  }
  func.func private @tapeless_rule_0.tapeless.custom_rule_0(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4xf64>, %arg4: tensor<4x4xf64>, %arg5: tensor<4xf64>, %arg6: tensor<4xf64>) -> tensor<4xf64> {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %c_1 = stablehlo.constant dense<40> : tensor<i64>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<9.9999999999999998E-13> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg6, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %1 = stablehlo.add %cst_3, %0 : tensor<f64>
    %2 = stablehlo.multiply %cst, %cst : tensor<f64>
    %3 = stablehlo.convert %2 : tensor<f64>
    %4 = stablehlo.multiply %3, %1 : tensor<f64>
    %5 = stablehlo.multiply %cst_3, %cst_3 : tensor<f64>
    %6 = stablehlo.convert %5 : tensor<f64>
    %7 = stablehlo.maximum %4, %6 : tensor<f64>
    %8 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
    %9 = stablehlo.subtract %arg6, %8 : tensor<4xf64>
    %10 = stablehlo.dot_general %9, %9, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
    %11 = stablehlo.add %cst_3, %10 : tensor<f64>
    %12:7 = stablehlo.while(%iterArg = %7, %iterArg_4 = %arg2, %iterArg_5 = %arg3, %iterArg_6 = %9, %iterArg_7 = %11, %iterArg_8 = %9, %iterArg_9 = %c_2) : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    cond {
      %13 = stablehlo.compare GT, %iterArg_7, %iterArg, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %14 = stablehlo.compare LT, %iterArg_9, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %15 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<i1>
      %16 = stablehlo.compare NE, %14, %15, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %17 = stablehlo.convert %16 : tensor<i1>
      %18 = stablehlo.and %13, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    } do {
      %13 = stablehlo.dot_general %iterArg_4, %iterArg_8, contracting_dims = [1] x [0] : (tensor<4x4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %14 = stablehlo.dot_general %iterArg_8, %13, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %15 = stablehlo.add %cst_3, %14 : tensor<f64>
      %16 = stablehlo.divide %iterArg_7, %15 : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %18 = stablehlo.multiply %17, %iterArg_8 : tensor<4xf64>
      %19 = stablehlo.add %iterArg_5, %18 : tensor<4xf64>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %21 = stablehlo.multiply %20, %13 : tensor<4xf64>
      %22 = stablehlo.subtract %iterArg_6, %21 : tensor<4xf64>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
      %24 = stablehlo.add %cst_3, %23 : tensor<f64>
      %25 = stablehlo.divide %24, %iterArg_7 : tensor<f64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<f64>) -> tensor<4xf64>
      %27 = stablehlo.multiply %26, %iterArg_8 : tensor<4xf64>
      %28 = stablehlo.add %22, %27 : tensor<4xf64>
      %29 = stablehlo.add %iterArg_9, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %19, %22, %24, %28, %29 : tensor<f64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<f64>, tensor<4xf64>, tensor<i64>
    }
    return %12#2 : tensor<4xf64>
  }
}
