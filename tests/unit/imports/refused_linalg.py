"""A module for every operation of linalg, tensor, arith, math, scf and cf that is refused when it is read."""

from __future__ import annotations

REFUSED: dict[str, str] = {
    "arith.addui_extended": """func.func @main(%x: i32) -> i32 {
  %0, %1 = arith.addui_extended %x, %x : i32, i1
  return %0 : i32
}
""",
    "arith.convertf": """func.func @main(%x: f32) -> f32 {
  %h = arith.truncf %x : f32 to f16
  %b = arith.convertf %h : f16 to bf16
  %0 = arith.extf %b : bf16 to f32
  return %0 : f32
}
""",
    "arith.flush_denormals": """func.func @main(%x: f32) -> f32 {
  %0 = arith.flush_denormals %x : f32
  return %0 : f32
}
""",
    "arith.mulsi_extended": """func.func @main(%x: i32) -> i32 {
  %0, %1 = arith.mulsi_extended %x, %x : i32
  return %0 : i32
}
""",
    "arith.mului_extended": """func.func @main(%x: i32) -> i32 {
  %0, %1 = arith.mului_extended %x, %x : i32
  return %0 : i32
}
""",
    "arith.scaling_extf": """func.func @main(%x: f32) -> f32 {
  %h = arith.truncf %x : f32 to f8E8M0FNU
  %y = arith.truncf %x : f32 to f4E2M1FN
  %0 = arith.scaling_extf %y, %h : f4E2M1FN, f8E8M0FNU to f32
  return %0 : f32
}
""",
    "arith.scaling_truncf": """func.func @main(%x: f32) -> f32 {
  %h = arith.truncf %x : f32 to f8E8M0FNU
  %y = arith.scaling_truncf %x, %h : f32, f8E8M0FNU to f4E2M1FN
  %0 = arith.extf %y : f4E2M1FN to f32
  return %0 : f32
}
""",
    "arith.subui_extended": """func.func @main(%x: i32) -> i32 {
  %0, %1 = arith.subui_extended %x, %x : i32, i1
  return %0 : i32
}
""",
    "cf.br": """func.func @main(%x: f64) -> f64 {
  %e = tensor.from_elements %x : tensor<f64>
  cf.br ^bb1
^bb1:
  %0 = tensor.extract %e[] : tensor<f64>
  return %0 : f64
}
""",
    "cf.cond_br": """func.func @main(%x: f64, %c: i1) -> f64 {
  %e = tensor.from_elements %x : tensor<f64>
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  %0 = tensor.extract %e[] : tensor<f64>
  return %0 : f64
}
""",
    "cf.switch": """func.func @main(%x: f64, %c: i32) -> f64 {
  %e = tensor.from_elements %x : tensor<f64>
  cf.switch %c : i32, [
    default: ^bb1,
    1: ^bb1
  ]
^bb1:
  %0 = tensor.extract %e[] : tensor<f64>
  return %0 : f64
}
""",
    "linalg.pack": """func.func @main(%x: tensor<4x4xf64>) -> tensor<2x2x2x2xf64> {
  %o = tensor.empty() : tensor<2x2x2x2xf64>
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<4x4xf64> -> tensor<2x2x2x2xf64>
  return %0 : tensor<2x2x2x2xf64>
}
""",
    "linalg.softmax": """func.func @main(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %o = tensor.empty() : tensor<4x4xf64>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x4xf64>) outs(%o : tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}
""",
    "linalg.unpack": """func.func @main(%x: tensor<2x2x2x2xf64>) -> tensor<4x4xf64> {
  %o = tensor.empty() : tensor<4x4xf64>
  %0 = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %o : tensor<2x2x2x2xf64> ->
      tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}
""",
    "linalg.winograd_filter_transform": """func.func @main(%x: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %o = tensor.empty() : tensor<6x6x5x2xf32>
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%o :
      tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}
""",
    "linalg.winograd_input_transform": """func.func @main(%x: tensor<2x6x6x5xf32>) -> tensor<6x6x1x1x2x5xf32> {
  %o = tensor.empty() : tensor<6x6x1x1x2x5xf32>
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x6x6x5xf32>) outs(%o :
      tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>
  return %0 : tensor<6x6x1x1x2x5xf32>
}
""",
    "linalg.winograd_output_transform": """func.func @main(%x: tensor<6x6x1x1x2x2xf32>) -> tensor<2x4x4x2xf32> {
  %o = tensor.empty() : tensor<2x4x4x2xf32>
  %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%x : tensor<6x6x1x1x2x2xf32>) outs(%o :
      tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  return %0 : tensor<2x4x4x2xf32>
}
""",
    "math.isnormal": """func.func @main(%x: f32) -> f32 {
  %y = math.isnormal %x : f32
  %0 = arith.uitofp %y : i1 to f32
  return %0 : f32
}
""",
    "scf.forall": """func.func @main(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %c = arith.constant 4 : index
  %0 = scf.forall (%i) in (%c) shared_outs(%o = %x) -> (tensor<4x4xf64>) {
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<4x4xf64> to tensor<1x4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf64> into tensor<4x4xf64>
    }
  }
  return %0 : tensor<4x4xf64>
}
""",
    "scf.forall.in_parallel": """func.func @main(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %c = arith.constant 4 : index
  %0 = scf.forall (%i) in (%c) shared_outs(%o = %x) -> (tensor<4x4xf64>) {
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<4x4xf64> to tensor<1x4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf64> into tensor<4x4xf64>
    }
  }
  return %0 : tensor<4x4xf64>
}
""",
    "scf.parallel": """func.func @main(%x: f64) -> f64 {
  %a = arith.constant 0 : index
  %b = arith.constant 4 : index
  %c = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f64 {
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      scf.reduce.return %s : f64
    }
  }
  return %0 : f64
}
""",
    "scf.reduce": """func.func @main(%x: f64) -> f64 {
  %a = arith.constant 0 : index
  %b = arith.constant 4 : index
  %c = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f64 {
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      scf.reduce.return %s : f64
    }
  }
  return %0 : f64
}
""",
    "scf.reduce.return": """func.func @main(%x: f64) -> f64 {
  %a = arith.constant 0 : index
  %b = arith.constant 4 : index
  %c = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%a) to (%b) step (%c) init (%x) -> f64 {
    scf.reduce(%x : f64) {
    ^bb0(%l: f64, %r: f64):
      %s = arith.addf %l, %r : f64
      scf.reduce.return %s : f64
    }
  }
  return %0 : f64
}
""",
    "tensor.bitcast": """func.func @main(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %y = arith.fptosi %x : tensor<4x4xf64> to tensor<4x4xi32>
  %z = tensor.bitcast %y : tensor<4x4xi32> to tensor<4x4xui32>
  %w = tensor.bitcast %z : tensor<4x4xui32> to tensor<4x4xi32>
  %0 = arith.sitofp %w : tensor<4x4xi32> to tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}
""",
    "tensor.gather": """func.func @main(%x: tensor<4x4xf64>, %i: tensor<2x1xindex>) -> tensor<2x1x4xf64> {
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x4xf64>, tensor<2x1xindex>) -> tensor<2x1x4xf64>
  return %0 : tensor<2x1x4xf64>
}
""",
    "tensor.parallel_insert_slice": """func.func @main(%x: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %c = arith.constant 4 : index
  %0 = scf.forall (%i) in (%c) shared_outs(%o = %x) -> (tensor<4x4xf64>) {
    %r = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<4x4xf64> to tensor<1x4xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf64> into tensor<4x4xf64>
    }
  }
  return %0 : tensor<4x4xf64>
}
""",
    "tensor.scatter": """func.func @main(%x: tensor<4x4xf64>, %u: tensor<2x1x4xf64>, %i: tensor<2x1xindex>)
    -> tensor<4x4xf64> {
  %0 = tensor.scatter %u into %x[%i] scatter_dims([0]) unique : (tensor<2x1x4xf64>, tensor<4x4xf64>,
      tensor<2x1xindex>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}
""",
}
"""Operations that stand in another one that is refused are refused with that one's name."""
