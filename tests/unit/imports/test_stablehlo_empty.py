"""Axes without elements, beside axes of size 1, in all operations that move, combine, read and write."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from unit.imports.stablehlo_reference import evaluate

ADD = """({
  ^bb0(%l: tensor<f64>, %r: tensor<f64>):
    %m = stablehlo.add %l, %r : tensor<f64>
    stablehlo.return %m : tensor<f64>
  })"""
ROWS = {
    "transpose": ("0x1x2", "stablehlo.transpose %n, dims = [1, 0, 2] : (tensor<1x0x2xf64>) -> tensor<0x1x2xf64>"),
    "reverse": ("1x0x2", "stablehlo.reverse %n, dims = [1, 0] : tensor<1x0x2xf64>"),
    "reshape": ("0x1", "stablehlo.reshape %n : (tensor<1x0x2xf64>) -> tensor<0x1xf64>"),
    "broadcast": (
        "3x2x0x2",
        "stablehlo.broadcast_in_dim %n, dims = [0, 2, 3] : (tensor<1x0x2xf64>) -> tensor<3x2x0x2xf64>",
    ),
    "slice": ("1x0x1", "stablehlo.slice %n [0:1, 0:0, 1:2] : (tensor<1x0x2xf64>) -> tensor<1x0x1xf64>"),
    "cut away": ("4x0", "stablehlo.slice %x [0:4, 3:3] : (tensor<4x3xf64>) -> tensor<4x0xf64>"),
    "padded": (
        "2x3x2",
        """stablehlo.pad %n, %s, low = [0, 2, 0], high = [1, 1, 0], interior = [0, 3, 0]
    : (tensor<1x0x2xf64>, tensor<f64>) -> tensor<2x3x2xf64>""",
    ),
    "summed": (
        "1x2",
        """stablehlo.reduce(%n init: %s) applies stablehlo.add across dimensions = [1]
    : (tensor<1x0x2xf64>, tensor<f64>) -> tensor<1x2xf64>""",
    ),
    "sum of all": (
        "",
        """stablehlo.reduce(%n init: %s) applies stablehlo.add across dimensions = [0, 1, 2]
    : (tensor<1x0x2xf64>, tensor<f64>) -> tensor<f64>""",
    ),
    "windows": (
        "1x0x1",
        f""""stablehlo.reduce_window"(%n, %s) {ADD} {{window_dimensions = array<i64: 1, 1, 2>}}
    : (tensor<1x0x2xf64>, tensor<f64>) -> tensor<1x0x1xf64>""",
    ),
    "too long windows": (
        "0x3",
        f""""stablehlo.reduce_window"(%x, %s) {ADD} {{window_dimensions = array<i64: 5, 1>}}
    : (tensor<4x3xf64>, tensor<f64>) -> tensor<0x3xf64>""",
    ),
    "part": (
        "1x0x1",
        """stablehlo.dynamic_slice %n, %i, %i, %i, sizes = [1, 0, 1]
    : (tensor<1x0x2xf64>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x0x1xf64>""",
    ),
    "nothing written": (
        "4x3",
        """stablehlo.dynamic_update_slice %x, %none, %i, %i
    : (tensor<4x3xf64>, tensor<4x0xf64>, tensor<i32>, tensor<i32>) -> tensor<4x3xf64>""",
    ),
    "no places read": (
        "0x3",
        """"stablehlo.gather"(%x, %nowhere) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
    : (tensor<4x3xf64>, tensor<0x1xi32>) -> tensor<0x3xf64>""",
    ),
    "no places written": (
        "4x3",
        f""""stablehlo.scatter"(%x, %nowhere, %rows) <{{scatter_dimension_numbers = #stablehlo.scatter<
    update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}>
    {ADD} : (tensor<4x3xf64>, tensor<0x1xi32>, tensor<0x3xf64>) -> tensor<4x3xf64>""",
    ),
    "joined": (
        "1x0x4",
        "stablehlo.concatenate %n, %n, dim = 2 : (tensor<1x0x2xf64>, tensor<1x0x2xf64>) -> tensor<1x0x4xf64>",
    ),
}


def type_of(shape):
    return f"tensor<{shape}xf64>" if shape else "tensor<f64>"


TEXT = """func.func @main(%n: tensor<1x0x2xf64>, %x: tensor<4x3xf64>, %s: tensor<f64>, %i: tensor<i32>) -> (TYPES) {
  %none = stablehlo.constant dense<> : tensor<4x0xf64>
  %nowhere = stablehlo.constant dense<> : tensor<0x1xi32>
  %rows = stablehlo.constant dense<> : tensor<0x3xf64>
  LINES
  return GIVEN : TYPES
}"""


def test_values_are_those_of_the_reference_and_gradients_those_of_differences():
    lines = "\n  ".join(f"%r{k} = {text}" for k, (_, text) in enumerate(ROWS.values()))
    text = TEXT.replace("LINES", lines).replace("GIVEN", ", ".join(f"%r{k}" for k in range(len(ROWS))))
    text = text.replace("TYPES", ", ".join(type_of(shape) for shape, _ in ROWS.values()))
    arguments = [np.zeros((1, 0, 2)), np.arange(12.0).reshape(4, 3), np.float64(0.0), np.int32(1)]
    f = tl.from_mlir(text)
    for name, found, wanted in zip(ROWS, f(*arguments), evaluate(text, arguments), strict=True):
        np.testing.assert_array_equal(found, wanted, err_msg=name)
    tl.check_grads(f, arguments, order=1)


def test_products_over_nothing_are_zero():
    """The interpreter cannot do this."""
    f = tl.from_mlir("""func.func @main(%n: tensor<1x0x2xf64>) -> (tensor<1xf64>, tensor<1x0x0xf64>) {
  %0 = stablehlo.dot_general %n, %n, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2]
    : (tensor<1x0x2xf64>, tensor<1x0x2xf64>) -> tensor<1xf64>
  %1 = stablehlo.dot_general %n, %n, batching_dims = [0] x [0], contracting_dims = [2] x [2]
    : (tensor<1x0x2xf64>, tensor<1x0x2xf64>) -> tensor<1x0x0xf64>
  return %0, %1 : tensor<1xf64>, tensor<1x0x0xf64>
}""")
    total, products = f(np.zeros((1, 0, 2)))
    np.testing.assert_array_equal(total, [0.0])
    assert products.shape == (1, 0, 0)
