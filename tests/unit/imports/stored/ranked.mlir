module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf64>, %arg1: tensor<9x3xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<9.000000e+00> : tensor<f64>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [0] : (tensor<9x3xf64>, tensor<3xf64>) -> tensor<9xf64>
    %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %34 = stablehlo.compare EQ, %arg2, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %35 = stablehlo.select %34, %cst_3, %arg2 : tensor<i1>, tensor<f64>
      %36 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %37 = stablehlo.select %36, %cst_2, %35 : tensor<i1>, tensor<f64>
      %38 = stablehlo.compare EQ, %arg3, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %39 = stablehlo.select %38, %cst_3, %arg3 : tensor<i1>, tensor<f64>
      %40 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %41 = stablehlo.select %40, %cst_2, %39 : tensor<i1>, tensor<f64>
      %42 = stablehlo.compare LT, %37, %41, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %42 : tensor<i1>
    }) : (tensor<9xf64>) -> tensor<9xf64>
    %2 = stablehlo.slice %1 [6:9] : (tensor<9xf64>) -> tensor<3xf64>
    %3 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
    %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xi1>
    %5 = stablehlo.reduce(%4 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<9xi1>, tensor<i1>) -> tensor<i1>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<1xi1>) -> tensor<9xi1>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<9xf64>
    %9 = stablehlo.select %7, %8, %1 : tensor<9xi1>, tensor<9xf64>
    %10 = "stablehlo.sort"(%9) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f64>, %arg3: tensor<f64>):
      %34 = stablehlo.compare EQ, %arg2, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %35 = stablehlo.select %34, %cst_3, %arg2 : tensor<i1>, tensor<f64>
      %36 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %37 = stablehlo.select %36, %cst_2, %35 : tensor<i1>, tensor<f64>
      %38 = stablehlo.compare EQ, %arg3, %cst_3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %39 = stablehlo.select %38, %cst_3, %arg3 : tensor<i1>, tensor<f64>
      %40 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %41 = stablehlo.select %40, %cst_2, %39 : tensor<i1>, tensor<f64>
      %42 = stablehlo.compare LT, %37, %41, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %42 : tensor<i1>
    }) : (tensor<9xf64>) -> tensor<9xf64>
    %11 = stablehlo.subtract %cst_1, %cst_0 : tensor<f64>
    %12 = stablehlo.multiply %cst, %11 : tensor<f64>
    %13 = stablehlo.floor %12 : tensor<f64>
    %14 = stablehlo.ceil %12 : tensor<f64>
    %15 = stablehlo.subtract %cst_1, %cst_0 : tensor<f64>
    %16 = stablehlo.clamp %cst_3, %13, %15 : tensor<f64>
    %17 = stablehlo.subtract %cst_1, %cst_0 : tensor<f64>
    %18 = stablehlo.clamp %cst_3, %14, %17 : tensor<f64>
    %19 = stablehlo.convert %16 : (tensor<f64>) -> tensor<i64>
    %20 = stablehlo.convert %18 : (tensor<f64>) -> tensor<i64>
    %21 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %22 = "stablehlo.gather"(%10, %21) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<9xf64>, tensor<1xi64>) -> tensor<f64>
    %23 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %24 = "stablehlo.gather"(%10, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1>}> : (tensor<9xf64>, tensor<1xi64>) -> tensor<f64>
    %25 = stablehlo.add %22, %24 : tensor<f64>
    %26 = stablehlo.multiply %25, %cst : tensor<f64>
    %27 = stablehlo.subtract %3, %26 : tensor<f64>
    %28 = stablehlo.slice %1 [1:9] : (tensor<9xf64>) -> tensor<8xf64>
    %29 = stablehlo.slice %1 [0:8] : (tensor<9xf64>) -> tensor<8xf64>
    %30 = stablehlo.subtract %28, %29 : tensor<8xf64>
    %31 = stablehlo.multiply %30, %30 : tensor<8xf64>
    %32 = stablehlo.reduce(%31 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<f64>
    %33 = stablehlo.add %27, %32 : tensor<f64>
    return %33 : tensor<f64>
  }
}
