module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf64>, %arg1: tensor<3xf64>, %arg2: tensor<3x3xf64>, %arg3: tensor<7xi64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<6> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %c_3 = stablehlo.constant dense<3> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_5 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.reduce(%arg2 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
    %1 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %2 = stablehlo.maximum %1, %0 : tensor<3xf64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %4 = stablehlo.composite "tapeless.stop_gradient" %3 {decomposition = @tapeless.stop_gradient, version = 1 : i32} : (tensor<3x1xf64>) -> tensor<3x1xf64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %6 = stablehlo.subtract %arg2, %5 : tensor<3x3xf64>
    %7 = stablehlo.exponential %6 : tensor<3x3xf64>
    %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %10 = stablehlo.log %9 : tensor<3x1xf64>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %12 = stablehlo.subtract %6, %11 : tensor<3x3xf64>
    %13 = stablehlo.reduce(%arg0 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %15 = stablehlo.maximum %14, %13 : tensor<3xf64>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %17 = stablehlo.composite "tapeless.stop_gradient" %16 {decomposition = @tapeless.stop_gradient_0, version = 1 : i32} : (tensor<3x1xf64>) -> tensor<3x1xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
    %19 = stablehlo.subtract %arg0, %18 : tensor<3x4xf64>
    %20 = stablehlo.exponential %19 : tensor<3x4xf64>
    %21 = stablehlo.reduce(%20 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %23 = stablehlo.log %22 : tensor<3x1xf64>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
    %25 = stablehlo.subtract %19, %24 : tensor<3x4xf64>
    %26 = stablehlo.reduce(%arg1 init: %cst_5) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %27 = stablehlo.maximum %cst_5, %26 : tensor<f64>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %29 = stablehlo.composite "tapeless.stop_gradient" %28 {decomposition = @tapeless.stop_gradient_1, version = 1 : i32} : (tensor<1xf64>) -> tensor<1xf64>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
    %31 = stablehlo.subtract %arg1, %30 : tensor<3xf64>
    %32 = stablehlo.exponential %31 : tensor<3xf64>
    %33 = stablehlo.reduce(%32 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %35 = stablehlo.log %34 : tensor<1xf64>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
    %37 = stablehlo.subtract %31, %36 : tensor<3xf64>
    %38 = stablehlo.slice %arg3 [0:1] : (tensor<7xi64>) -> tensor<1xi64>
    %39 = stablehlo.reshape %38 : (tensor<1xi64>) -> tensor<i64>
    %40 = stablehlo.convert %39 : (tensor<i64>) -> tensor<i32>
    %41 = stablehlo.compare LT, %c_4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %42 = stablehlo.add %c_4, %c_3 : tensor<i32>
    %43 = stablehlo.select %41, %42, %c_4 : tensor<i1>, tensor<i32>
    %44 = stablehlo.compare LT, %40, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %45 = stablehlo.add %40, %c_2 : tensor<i32>
    %46 = stablehlo.select %44, %45, %40 : tensor<i1>, tensor<i32>
    %47 = stablehlo.dynamic_slice %25, %43, %46, sizes = [3, 1] : (tensor<3x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x1xf64>
    %48 = stablehlo.reshape %47 : (tensor<3x1xf64>) -> tensor<3xf64>
    %49 = stablehlo.add %37, %48 : tensor<3xf64>
    %50 = stablehlo.slice %arg3 [1:7] : (tensor<7xi64>) -> tensor<6xi64>
    %51:5 = stablehlo.while(%iterArg = %50, %iterArg_6 = %12, %iterArg_7 = %25, %iterArg_8 = %c_1, %iterArg_9 = %49) : tensor<6xi64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<i64>, tensor<3xf64>
    cond {
      %66 = stablehlo.compare LT, %iterArg_8, %c_0, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %66 : tensor<i1>
    } do {
      %66 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<6xi64>, tensor<i64>) -> tensor<i64>
      %67 = func.call @closed_call(%iterArg_6, %iterArg_7, %iterArg_9, %66) : (tensor<3x3xf64>, tensor<3x4xf64>, tensor<3xf64>, tensor<i64>) -> tensor<3xf64>
      %68 = stablehlo.add %iterArg_8, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %68, %67 : tensor<6xi64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<i64>, tensor<3xf64>
    }
    %52 = stablehlo.reduce(%51#4 init: %cst_5) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %53 = stablehlo.maximum %cst_5, %52 : tensor<f64>
    %54 = stablehlo.is_finite %53 : (tensor<f64>) -> tensor<i1>
    %55 = stablehlo.select %54, %53, %cst : tensor<i1>, tensor<f64>
    %56 = stablehlo.composite "tapeless.stop_gradient" %55 {decomposition = @tapeless.stop_gradient_3, version = 1 : i32} : (tensor<f64>) -> tensor<f64>
    %57 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0] : (tensor<1xf64>) -> tensor<3xf64>
    %59 = stablehlo.subtract %51#4, %58 : tensor<3xf64>
    %60 = stablehlo.exponential %59 : tensor<3xf64>
    %61 = stablehlo.reduce(%60 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %62 = stablehlo.abs %61 : tensor<f64>
    %63 = stablehlo.log %62 : tensor<f64>
    %64 = stablehlo.add %63, %56 : tensor<f64>
    %65 = stablehlo.negate %64 : tensor<f64>
    return %65 : tensor<f64>
  }
  func.func private @tapeless.stop_gradient(%arg0: tensor<3x1xf64>) -> tensor<3x1xf64> {
    return %arg0 : tensor<3x1xf64>
  }
  func.func private @tapeless.stop_gradient_0(%arg0: tensor<3x1xf64>) -> tensor<3x1xf64> {
    return %arg0 : tensor<3x1xf64>
  }
  func.func private @tapeless.stop_gradient_1(%arg0: tensor<1xf64>) -> tensor<1xf64> {
    return %arg0 : tensor<1xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6xi64>, %arg1: tensor<i64>) -> tensor<i64> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<6xi64>, tensor<i64>) -> tensor<1xi64>
    %1 = stablehlo.reshape %0 : (tensor<1xi64>) -> tensor<i64>
    return %1 : tensor<i64>
  }
  func.func private @closed_call(%arg0: tensor<3x3xf64>, %arg1: tensor<3x4xf64>, %arg2: tensor<3xf64>, %arg3: tensor<i64>) -> tensor<3xf64> {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x3xf64>
    %2 = stablehlo.add %1, %arg0 : tensor<3x3xf64>
    %3 = stablehlo.reduce(%2 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %5 = stablehlo.maximum %4, %3 : tensor<3xf64>
    %6 = stablehlo.is_finite %5 : (tensor<3xf64>) -> tensor<3xi1>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
    %8 = stablehlo.select %6, %5, %7 : tensor<3xi1>, tensor<3xf64>
    %9 = stablehlo.composite "tapeless.stop_gradient" %8 {decomposition = @tapeless.stop_gradient_2, version = 1 : i32} : (tensor<3xf64>) -> tensor<3xf64>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<3x3xf64>
    %12 = stablehlo.subtract %2, %11 : tensor<3x3xf64>
    %13 = stablehlo.exponential %12 : tensor<3x3xf64>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<3x3xf64>, tensor<f64>) -> tensor<3xf64>
    %15 = stablehlo.abs %14 : tensor<3xf64>
    %16 = stablehlo.log %15 : tensor<3xf64>
    %17 = stablehlo.add %16, %9 : tensor<3xf64>
    %18 = stablehlo.convert %arg3 : (tensor<i64>) -> tensor<i32>
    %19 = stablehlo.compare LT, %c_1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %20 = stablehlo.add %c_1, %c_0 : tensor<i32>
    %21 = stablehlo.select %19, %20, %c_1 : tensor<i1>, tensor<i32>
    %22 = stablehlo.compare LT, %18, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %23 = stablehlo.add %18, %c : tensor<i32>
    %24 = stablehlo.select %22, %23, %18 : tensor<i1>, tensor<i32>
    %25 = stablehlo.dynamic_slice %arg1, %21, %24, sizes = [3, 1] : (tensor<3x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x1xf64>
    %26 = stablehlo.reshape %25 : (tensor<3x1xf64>) -> tensor<3xf64>
    %27 = stablehlo.add %17, %26 : tensor<3xf64>
    return %27 : tensor<3xf64>
  }
  func.func private @tapeless.stop_gradient_2(%arg0: tensor<3xf64>) -> tensor<3xf64> {
    return %arg0 : tensor<3xf64>
  }
  func.func private @tapeless.stop_gradient_3(%arg0: tensor<f64>) -> tensor<f64> {
    return %arg0 : tensor<f64>
  }
}
