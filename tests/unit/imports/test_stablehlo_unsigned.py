"""Integers without a sign: what operations do to all 32 bits, against the reference interpreter."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from tapeless.passes.imports.stablehlo.unsigned import FUNCTIONS, OTHERWISE, SAME_BITS
from unit.imports.stablehlo_reference import evaluate

T, B = "tensor<8xui32>", "tensor<8xi1>"
X = np.array([0, 1, 7, 2**31 - 1, 2**31, 2**32 - 1, 3000000000, 12345], np.uint32)
Y = np.array([1, 3, 2**32 - 1, 2, 2**31, 7, 31, 5], np.uint32)
BINARY = ("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor")
SHIFTS = ("shift_left", "shift_right_logical", "shift_right_arithmetic")
UNARY = ("not", "negate", "popcnt", "count_leading_zeros")
TARGETS = ("f64", "f32", "i64", "i32", "i1")
N = "tensor<ui32>"
SORT = f"""\"stablehlo.sort\"(%x) <{{dimension = 0 : i64}}> ({{
  ^bb0(%a: {N}, %b: {N}):
    %c = stablehlo.compare GT, %a, %b, UNSIGNED : ({N}, {N}) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}) : ({T}) -> {T}"""
PLACES = "tensor<2x1xui32>"
GATHER = f"""\"stablehlo.gather\"(%x, %places) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
  start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : ({T}, {PLACES}) -> tensor<2xui32>"""
SCATTER = f"""\"stablehlo.scatter\"(%x, %places, %h2) <{{scatter_dimension_numbers = #stablehlo.scatter<
  inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
  ^bb0(%a: {N}, %b: {N}):
    %c = stablehlo.maximum %a, %b : {N}
    stablehlo.return %c : {N}
  }}) : ({T}, {PLACES}, tensor<2xui32>) -> {T}"""
ROWS = [
    *[(f"stablehlo.{name} %x, %y : {T}", T) for name in (*BINARY, *SHIFTS)],
    *[(f"stablehlo.{name} %x : {T}", T) for name in UNARY],
    *[(f"stablehlo.compare {way}, %x, %y, UNSIGNED : ({T}, {T}) -> {B}", B) for way in ("EQ", "NE", "LT", "LE", "GT")],
    *[
        (f"stablehlo.convert %x : ({T}) -> tensor<8x{to}>", f"tensor<8x{to}>")
        for to in ("f64", "f32", "i64", "i32", "i1")
    ],
    (f"stablehlo.bitcast_convert %x : ({T}) -> tensor<8xi32>", "tensor<8xi32>"),
    (f"stablehlo.reverse %x, dims = [0] : {T}", T),
    (f"stablehlo.iota dim = 0 : {T}", T),
    (f"stablehlo.constant dense<4000000000> : {T}", T),
    (f"stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 4294967295]> : {T}", T),
    (f"stablehlo.clamp %h0, %x, %y : (tensor<ui32>, {T}, {T}) -> {T}", T),
    *[
        (f"stablehlo.reduce(%x init: %h0) applies stablehlo.{name} across dimensions = [0] : ({T}, {N}) -> {N}", N)
        for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")
    ],
    (f"stablehlo.dynamic_slice %x, %h1, sizes = [2] : ({T}, {N}) -> tensor<2xui32>", "tensor<2xui32>"),
    (f"stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : ({T}, {T}) -> {N}", N),
    (SORT, T),
    (GATHER, "tensor<2xui32>"),
    (SCATTER, T),
    (f"stablehlo.concatenate %h, %h, dim = 0 : (tensor<4xui32>, tensor<4xui32>) -> {T}", T),
]


def test_operations_take_all_bits():
    lines = "\n  ".join(f"%r{k} = {text}" for k, (text, _) in enumerate(ROWS))
    types = ", ".join(result for _, result in ROWS)
    given = ", ".join(f"%r{k}" for k in range(len(ROWS)))
    text = f"""func.func @main(%x: {T}, %y: {T}) -> ({types}) {{
  %h = stablehlo.slice %x [4:8] : ({T}) -> tensor<4xui32>
  %h2 = stablehlo.slice %x [4:6] : ({T}) -> tensor<2xui32>
  %h0 = stablehlo.constant dense<7> : tensor<ui32>
  %h1 = stablehlo.constant dense<5> : tensor<ui32>
  %places = stablehlo.constant dense<[[3], [6]]> : {PLACES}
  {lines}
  return {given} : {types}
}}"""
    for (row, _), value, wanted in zip(ROWS, tl.from_mlir(text)(X, Y), evaluate(text, (X, Y)), strict=True):
        assert not wanted.shape or value.dtype == wanted.dtype, row
        np.testing.assert_array_equal(value, wanted, err_msg=row)


def test_wider_numbers_without_a_sign_stay_inside():
    text = f"""func.func @main(%x: {T}, %f: tensor<8xf64>) -> ({T}, {T}) {{
  %0 = stablehlo.convert %x : ({T}) -> tensor<8xui64>
  %1 = stablehlo.multiply %0, %0 : tensor<8xui64>
  %c = stablehlo.constant dense<32> : tensor<8xui64>
  %2 = stablehlo.shift_right_logical %1, %c : tensor<8xui64>
  %3 = stablehlo.convert %2 : (tensor<8xui64>) -> {T}
  %4 = stablehlo.convert %f : (tensor<8xf64>) -> {T}
  return %3, %4 : {T}, {T}
}}"""
    floats = np.array([0.0, 1.9, -5.0, 4e9, 1e30, np.nan, np.inf, 2.0**31])
    high, whole = tl.from_mlir(text)(X, floats)
    np.testing.assert_array_equal(high, ((X.astype(np.uint64) ** 2) >> np.uint64(32)).astype(np.uint32))
    np.testing.assert_array_equal(whole, np.array([0, 1, 0, 4000000000, 2**32 - 1, 0, 2**32 - 1, 2**31], np.uint32))


def test_divisors_of_zero_stop_nothing():
    text = f"""func.func @main(%x: {T}, %y: {T}) -> ({T}, {T}) {{
  %0 = stablehlo.divide %x, %y : {T}
  %1 = stablehlo.remainder %x, %y : {T}
  return %0, %1 : {T}, {T}
}}"""
    quotient, rest = tl.from_mlir(text)(X, np.zeros(8, np.uint32))
    np.testing.assert_array_equal(quotient, np.full(8, 2**32 - 1, np.uint32))
    np.testing.assert_array_equal(rest, X)


def test_every_arithmetic_operation_that_takes_them_is_compared():
    moving = {"and", "or", "xor", "not", "popcnt", "count_leading_zeros", "clamp", *BINARY, *SHIFTS}
    arithmetic = {name.removeprefix("stablehlo.") for name in (*FUNCTIONS, *OTHERWISE, *SAME_BITS)}
    assert moving <= arithmetic and {name.removeprefix("stablehlo.") for name in FUNCTIONS} <= moving
