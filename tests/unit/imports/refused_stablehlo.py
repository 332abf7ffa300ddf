"""A module for every operation of StableHLO that is refused when it is read."""

from __future__ import annotations

REFUSED: dict[str, str] = {
    "stablehlo.after_all": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.after_all : !stablehlo.token
  %0 = stablehlo.add %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.all_gather": """func.func @main(%x: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> :
      tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
""",
    "stablehlo.all_reduce": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.all_to_all": """func.func @main(%x: tensor<4x4xf32>) -> tensor<2x8xf32> {
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 :
      i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
""",
    "stablehlo.async_done": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%q: tensor<4x4xf32>):
    %p = "stablehlo.all_reduce"(%q) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %p : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.async_start": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%q: tensor<4x4xf32>):
    %p = "stablehlo.all_reduce"(%q) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %p : tensor<4x4xf32>
  }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.cholesky": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.collective_broadcast": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> :
      (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.collective_permute": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> :
      (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.collective_reduce": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, root = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.complex": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = stablehlo.complex %x, %x : tensor<4x4xcomplex<f32>>
  %0 = stablehlo.real %z : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.create_token": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.add %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.dynamic_conv": """func.func @main(%x: tensor<1x4x4x1xf32>, %k: tensor<2x2x1x1xf32>)
    -> tensor<1x?x?x1xf32> {
  %p = stablehlo.constant dense<0> : tensor<2x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i,
      o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x4x4x1xf32>,
      tensor<2x2x1x1xf32>, tensor<2x2xi64>) -> tensor<1x?x?x1xf32>
  return %0 : tensor<1x?x?x1xf32>
}
""",
    "stablehlo.einsum": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.einsum %x, %x, config = "ij,jk->ik" : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.fft": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4x4xf32>) -> tensor<4x3xcomplex<f32>>
  return %0 : tensor<4x3xcomplex<f32>>
}
""",
    "stablehlo.get_tuple_element": """func.func @main(%x: tuple<tensor<4x4xf32>, tensor<4x4xf32>>) -> tensor<4x4xf32> {
  %0 = stablehlo.get_tuple_element %x[0] : (tuple<tensor<4x4xf32>, tensor<4x4xf32>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.imag": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.imag %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.infeed": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0, %1 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.outfeed": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = ""}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
  %0 = stablehlo.add %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.partition_id": """func.func @main(%x: tensor<4x4xf32>) -> tensor<ui32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  return %0 : tensor<ui32>
}
""",
    "stablehlo.real": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.real %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.recv": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0, %1 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>,
      is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x4xf32>, !stablehlo.token)
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.reduce_scatter": """func.func @main(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> :
      tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
""",
    "stablehlo.replica_id": """func.func @main(%x: tensor<4x4xf32>) -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}
""",
    "stablehlo.rng": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.constant dense<4> : tensor<2xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) ->
      tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.rng_bit_generator": """func.func @main(%s: tensor<2xui32>) -> tensor<4xui32> {
  %1, %0 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui32>) -> (tensor<2xui32>,
      tensor<4xui32>)
  return %0 : tensor<4xui32>
}
""",
    "stablehlo.send": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>,
      is_host_transfer = true}> : (tensor<4x4xf32>, !stablehlo.token) -> !stablehlo.token
  %0 = stablehlo.add %x, %x : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.set_dimension_size": """func.func @main(%x: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4x4xf32>, tensor<i32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
""",
    "stablehlo.torch_index_select": """func.func @main(%x: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<4x4xf32>,
      tensor<2xi32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
""",
    "stablehlo.triangular_solve": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.triangular_solve"(%x, %x) <{left_side = true, lower = true, unit_diagonal = false,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.tuple": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %t = stablehlo.tuple %x, %x : tuple<tensor<4x4xf32>, tensor<4x4xf32>>
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<4x4xf32>, tensor<4x4xf32>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.unary_einsum": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ij->ji"}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.uniform_dequantize": """func.func @main(%x: tensor<4x4x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x4xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<4x4x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
    "stablehlo.uniform_quantize": """func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %q = stablehlo.uniform_quantize %x : (tensor<4x4xf32>) -> tensor<4x4x!quant.uniform<i8:f32, 0.1>>
  %0 = stablehlo.uniform_dequantize %q : (tensor<4x4x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
""",
}
"""Operations that need another one that is refused, such as a token, are refused with that one's name."""
