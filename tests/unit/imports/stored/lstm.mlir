module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf64>, %arg1: tensor<3x12xf64>, %arg2: tensor<2x12xf64>, %arg3: tensor<6x2xf64>, %arg4: tensor<6x3xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.800000e+01> : tensor<f64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<6> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<6x3xf64>
    %2:8 = stablehlo.while(%iterArg = %arg3, %iterArg_3 = %arg2, %iterArg_4 = %arg1, %iterArg_5 = %arg0, %iterArg_6 = %c_1, %iterArg_7 = %0, %iterArg_8 = %0, %iterArg_9 = %1) : tensor<6x2xf64>, tensor<2x12xf64>, tensor<3x12xf64>, tensor<12xf64>, tensor<i64>, tensor<3xf64>, tensor<3xf64>, tensor<6x3xf64>
    cond {
      %7 = stablehlo.compare LT, %iterArg_6, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<6x2xf64>, tensor<i64>) -> tensor<2xf64>
      %8:3 = func.call @closed_call(%iterArg_3, %iterArg_4, %iterArg_5, %iterArg_7, %iterArg_8, %7) : (tensor<2x12xf64>, tensor<3x12xf64>, tensor<12xf64>, tensor<3xf64>, tensor<3xf64>, tensor<2xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_9, %8#2, %iterArg_6) : (tensor<6x3xf64>, tensor<3xf64>, tensor<i64>) -> tensor<6x3xf64>
      %10 = stablehlo.add %iterArg_6, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %10, %8#0, %8#1, %9 : tensor<6x2xf64>, tensor<2x12xf64>, tensor<3x12xf64>, tensor<12xf64>, tensor<i64>, tensor<3xf64>, tensor<3xf64>, tensor<6x3xf64>
    }
    %3 = stablehlo.subtract %2#7, %arg4 : tensor<6x3xf64>
    %4 = stablehlo.multiply %3, %3 : tensor<6x3xf64>
    %5 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x3xf64>, tensor<f64>) -> tensor<f64>
    %6 = stablehlo.divide %5, %cst : tensor<f64>
    return %6 : tensor<f64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x2xf64>, %arg1: tensor<i64>) -> tensor<2xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 2] : (tensor<6x2xf64>, tensor<i64>, tensor<i64>) -> tensor<1x2xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf64>) -> tensor<2xf64>
    return %1 : tensor<2xf64>
  }
  func.func private @closed_call(%arg0: tensor<2x12xf64>, %arg1: tensor<3x12xf64>, %arg2: tensor<12xf64>, %arg3: tensor<3xf64>, %arg4: tensor<3xf64>, %arg5: tensor<2xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [0] x [0] : (tensor<2xf64>, tensor<2x12xf64>) -> tensor<12xf64>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [0] x [0] : (tensor<3xf64>, tensor<3x12xf64>) -> tensor<12xf64>
    %2 = stablehlo.add %0, %1 : tensor<12xf64>
    %3 = stablehlo.add %2, %arg2 : tensor<12xf64>
    %4 = stablehlo.slice %3 [0:3] : (tensor<12xf64>) -> tensor<3xf64>
    %5 = stablehlo.slice %3 [3:6] : (tensor<12xf64>) -> tensor<3xf64>
    %6 = stablehlo.slice %3 [6:9] : (tensor<12xf64>) -> tensor<3xf64>
    %7 = stablehlo.slice %3 [9:12] : (tensor<12xf64>) -> tensor<3xf64>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %9 = stablehlo.add %5, %8 : tensor<3xf64>
    %10 = stablehlo.negate %9 : tensor<3xf64>
    %11 = stablehlo.exponential %10 : tensor<3xf64>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %13 = stablehlo.add %12, %11 : tensor<3xf64>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %15 = stablehlo.divide %14, %13 : tensor<3xf64>
    %16 = stablehlo.multiply %15, %arg4 : tensor<3xf64>
    %17 = stablehlo.negate %4 : tensor<3xf64>
    %18 = stablehlo.exponential %17 : tensor<3xf64>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %20 = stablehlo.add %19, %18 : tensor<3xf64>
    %21 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %22 = stablehlo.divide %21, %20 : tensor<3xf64>
    %23 = stablehlo.tanh %6 : tensor<3xf64>
    %24 = stablehlo.multiply %22, %23 : tensor<3xf64>
    %25 = stablehlo.add %16, %24 : tensor<3xf64>
    %26 = stablehlo.negate %7 : tensor<3xf64>
    %27 = stablehlo.exponential %26 : tensor<3xf64>
    %28 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %29 = stablehlo.add %28, %27 : tensor<3xf64>
    %30 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %31 = stablehlo.divide %30, %29 : tensor<3xf64>
    %32 = stablehlo.tanh %25 : tensor<3xf64>
    %33 = stablehlo.multiply %31, %32 : tensor<3xf64>
    return %33, %25, %33 : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<i64>) -> tensor<6x3xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<6x3xf64>, tensor<1x3xf64>, tensor<i64>, tensor<i64>) -> tensor<6x3xf64>
    return %1 : tensor<6x3xf64>
  }
}
