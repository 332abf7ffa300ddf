"""Operations of StableHLO on whole arrays, each in every dtype: one module per dtype with a result per row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unit.imports.stablehlo_table import ALL, DTYPES, FLOATS, INTEGERS, NUMBERS

SHAPES = {"a": (4, 6), "b": (6, 3), "v": (6,), "c": (2, 3, 4), "s": ()}
AT = np.array([2, -3, 3, 90, 2], np.int32)


class Row(NamedTuple):
    """Text with `T` for the dtype, `R` for the number of the row and `%a`, `%b`, `%v`, `%c`, `%s`, `%at`, `%i`.

    What the interpreter has not is `known_as` another text to it.
    """

    name: str
    shape: str
    text: str
    dtypes: tuple[str, ...] = ALL
    result: str = "T"
    known_as: str = ""


def combine(operator: str) -> str:
    return f"""({{
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.{operator} %l, %r : tensor<T>
      stablehlo.return %m : tensor<T>
    }})"""


REPLACE = "({\n^bb0(%l: tensor<T>, %r: tensor<T>):\n stablehlo.return %r : tensor<T>\n})"


def reduced(operator: str, start: str, axes: str, shape: str, dtypes: tuple[str, ...] = ALL) -> Row:
    text = f"""%R = stablehlo.reduce(%c init: {start}) applies stablehlo.{operator} across dimensions = [{axes}]
      : (tensor<2x3x4xT>, tensor<T>) -> tensor<{shape}T>"""
    return Row("reduce", shape, text, dtypes)


def windowed(operator: str, attributes: str, shape: str, start: str = "%s", dtypes: tuple[str, ...] = NUMBERS) -> Row:
    text = f"""%R = "stablehlo.reduce_window"(%a, {start}) {combine(operator)} {{{attributes}}}
      : (tensor<4x6xT>, tensor<T>) -> tensor<{shape}T>"""
    return Row("reduce_window", shape, text, dtypes)


def scattered(body: str, unique: str = "false", dtypes: tuple[str, ...] = NUMBERS) -> Row:
    text = f"""%R = "stablehlo.scatter"(%a, %ats, %rows) <{{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>, unique_indices = {unique}}}> {body}
      : (tensor<4x6xT>, tensor<5x1xi32>, tensor<5x6xT>) -> tensor<4x6xT>"""
    return Row("scatter", "4x6x", text, dtypes)


def gathered(operand: str, starts: str, numbers: str, sizes: str, shape: str) -> Row:
    operands = {"%a": "4x6x", "%c": "2x3x4x"}
    indices = {"%ats": "5x1xi32", "%at": "5xi32", "%pairs": "2x5xi32", "%own": "2x5x1xi32", "%one": "1xi32"}
    text = f"""%R = "stablehlo.gather"({operand}, {starts}) <{{dimension_numbers = #stablehlo.gather<{numbers}>,
      slice_sizes = array<i64: {sizes}>}}> : (tensor<{operands[operand]}T>, tensor<{indices[starts]}>)
      -> tensor<{shape}T>"""
    return Row("gather", shape, text)


def dotted(left: str, right: str, numbers: str, shape: str) -> Row:
    types = {"%a": "4x6x", "%b": "6x3x", "%c": "2x3x4x", "%v": "6x", "%s": ""}
    text = f"""%R = stablehlo.dot_general {left}, {right}, {numbers}
      : (tensor<{types[left]}T>, tensor<{types[right]}T>) -> tensor<{shape}T>"""
    return Row("dot_general", shape, text, NUMBERS)


ROWS: list[Row] = [
    Row("constant", "3x", "%R = stablehlo.constant dense<[1, 0, 1]> : tensor<3xT>", INTEGERS),
    Row("constant", "3x2x", "%R = stablehlo.constant dense<1.5> : tensor<3x2xT>", FLOATS),
    Row("constant", "2x", "%R = stablehlo.constant dense<[true, false]> : tensor<2xT>", ("i1",)),
    Row("iota", "3x4x", "%R = stablehlo.iota dim = 1 : tensor<3x4xT>", NUMBERS),
    Row(
        "broadcast_in_dim",
        "6x5x4x",
        "%R = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<4x6xT>) -> tensor<6x5x4xT>",
    ),
    Row(
        "broadcast_in_dim",
        "4x3x",
        """%R0 = stablehlo.reshape %s : (tensor<T>) -> tensor<1xT>
  %R = stablehlo.broadcast_in_dim %R0, dims = [1] : (tensor<1xT>) -> tensor<4x3xT>""",
    ),
    Row(
        "broadcast",
        "2x4x6x",
        "%R = stablehlo.broadcast %a, sizes = [2] : (tensor<4x6xT>) -> tensor<2x4x6xT>",
        known_as="%R = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x6xT>) -> tensor<2x4x6xT>",
    ),
    Row("reshape", "3x8x", "%R = stablehlo.reshape %a : (tensor<4x6xT>) -> tensor<3x8xT>"),
    Row("reshape", "1x4x1x6x", "%R = stablehlo.reshape %a : (tensor<4x6xT>) -> tensor<1x4x1x6xT>"),
    Row("reshape", "1x1x", "%R = stablehlo.reshape %s : (tensor<T>) -> tensor<1x1xT>"),
    Row("transpose", "4x2x3x", "%R = stablehlo.transpose %c, dims = [2, 0, 1] : (tensor<2x3x4xT>) -> tensor<4x2x3xT>"),
    Row("reverse", "2x3x4x", "%R = stablehlo.reverse %c, dims = [0, 2] : tensor<2x3x4xT>"),
    Row("slice", "2x3x", "%R = stablehlo.slice %a [1:4:2, 0:6:2] : (tensor<4x6xT>) -> tensor<2x3xT>"),
    Row("slice", "1x6x", "%R = stablehlo.slice %a [3:4:3, 0:6] : (tensor<4x6xT>) -> tensor<1x6xT>"),
    Row(
        "concatenate",
        "4x12x",
        "%R = stablehlo.concatenate %a, %a, dim = 1 : (tensor<4x6xT>, tensor<4x6xT>) -> tensor<4x12xT>",
    ),
    Row(
        "pad",
        "9x4x",
        """%R = stablehlo.pad %a, %s, low = [1, -1], high = [1, -1], interior = [1, 0]
      : (tensor<4x6xT>, tensor<T>) -> tensor<9x4xT>""",
    ),
    Row(
        "pad",
        "2x15x",
        """%R = stablehlo.pad %a, %s, low = [-1, 2], high = [-1, -3], interior = [0, 2]
      : (tensor<4x6xT>, tensor<T>) -> tensor<2x15xT>""",
    ),
    Row(
        "dynamic_slice",
        "2x6x",
        """%R = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 6]
      : (tensor<4x6xT>, tensor<i32>, tensor<i32>) -> tensor<2x6xT>""",
    ),
    Row(
        "dynamic_slice",
        "2x2x",
        """%R = stablehlo.dynamic_slice %a, %j, %i, sizes = [2, 2]
      : (tensor<4x6xT>, tensor<i32>, tensor<i32>) -> tensor<2x2xT>""",
    ),
    Row(
        "dynamic_update_slice",
        "4x6x",
        """%R0 = stablehlo.slice %a [0:2, 0:3] : (tensor<4x6xT>) -> tensor<2x3xT>
  %R = stablehlo.dynamic_update_slice %a, %R0, %i, %j
      : (tensor<4x6xT>, tensor<2x3xT>, tensor<i32>, tensor<i32>) -> tensor<4x6xT>""",
    ),
    dotted("%a", "%b", "contracting_dims = [1] x [0]", "4x3x"),
    dotted("%a", "%v", "contracting_dims = [1] x [0]", "4x"),
    dotted("%v", "%v", "contracting_dims = [0] x [0]", ""),
    dotted("%v", "%s", "contracting_dims = [] x []", "6x"),
    dotted("%c", "%c", "batching_dims = [1] x [1], contracting_dims = [2] x [2]", "3x2x2x"),
    dotted("%c", "%c", "contracting_dims = [2, 0] x [2, 0]", "3x3x"),
    dotted("%c", "%a", "contracting_dims = [2] x [0]", "2x3x6x"),
    Row(
        "dot",
        "4x3x",
        "%R = stablehlo.dot %a, %b : (tensor<4x6xT>, tensor<6x3xT>) -> tensor<4x3xT>",
        NUMBERS,
        known_as=dotted("%a", "%b", "contracting_dims = [1] x [0]", "4x3x").text,
    ),
    *[reduced(name, "%s", "1", "2x4x", NUMBERS) for name in ("add", "multiply", "maximum", "minimum")],
    reduced("add", "%zero", "0, 2", "3x", NUMBERS),
    reduced("maximum", "%s", "2, 0, 1", "", NUMBERS),
    reduced("and", "%s", "0", "3x4x", (*INTEGERS, "i1")),
    reduced("or", "%s", "0", "3x4x", (*INTEGERS, "i1")),
    Row(
        "reduce",
        "4x",
        """%R:2 = stablehlo.reduce(%a init: %low), (%numbers init: %none) across dimensions = [1]
      : (tensor<4x6xT>, tensor<4x6xi32>, tensor<T>, tensor<i32>) -> (tensor<4xT>, tensor<4xi32>)
      reducer(%l: tensor<T>, %r: tensor<T>) (%lk: tensor<i32>, %rk: tensor<i32>) {
        %m = stablehlo.compare GE, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
        %o = stablehlo.select %m, %l, %r : tensor<i1>, tensor<T>
        %n = stablehlo.select %m, %lk, %rk : tensor<i1>, tensor<i32>
        stablehlo.return %o, %n : tensor<T>, tensor<i32>
      }""",
        NUMBERS,
        "i32",
    ),
    Row(
        "reduce",
        "4x",
        """%R0:2 = stablehlo.reduce(%a init: %s), (%a init: %zero) across dimensions = [1]
      : (tensor<4x6xT>, tensor<4x6xT>, tensor<T>, tensor<T>) -> (tensor<4xT>, tensor<4xT>)
      reducer(%l: tensor<T>, %r: tensor<T>) (%lk: tensor<T>, %rk: tensor<T>) {
        %m = stablehlo.add %l, %r : tensor<T>
        %o = stablehlo.maximum %lk, %rk : tensor<T>
        stablehlo.return %m, %o : tensor<T>, tensor<T>
      }
  %R = stablehlo.multiply %R0#0, %R0#1 : tensor<4xT>""",
        NUMBERS,
    ),
    windowed("add", "window_dimensions = array<i64: 2, 3>", "3x4x", "%zero"),
    windowed("add", "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>", "2x4x"),
    windowed(
        "maximum",
        "window_dimensions = array<i64: 2, 2>, padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>",
        "4x6x",
        "%low",
    ),
    windowed(
        "minimum",
        """window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 2, 3>,
           base_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [2, -1]]> : tensor<2x2xi64>""",
        "2x9x",
    ),
    windowed("add", "window_dimensions = array<i64: 4, 6>", "1x1x", "%zero"),
    windowed(
        "add",
        "window_dimensions = array<i64: 1, 6>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>",
        "4x6x",
        "%zero",
    ),
    windowed(
        "maximum",
        "window_dimensions = array<i64: 4, 1>, padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>",
        "4x6x",
        "%low",
    ),
    Row(
        "reduce_window",
        "4x6x",
        """%R0 = stablehlo.constant dense<true> : tensor<T>
  %R = "stablehlo.reduce_window"(%a, %R0) """
        + combine("and")
        + """ {window_dimensions = array<i64: 1, 6>, padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>}
      : (tensor<4x6xT>, tensor<T>) -> tensor<4x6xT>""",
        ("i1",),
    ),
    Row(
        "reduce_window",
        "3x5x",
        """%R = "stablehlo.reduce_window"(%a, %s) ({
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.multiply %l, %l : tensor<T>
      %o = stablehlo.subtract %m, %r : tensor<T>
      stablehlo.return %o : tensor<T>
    }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xT>, tensor<T>) -> tensor<3x5xT>""",
        NUMBERS,
    ),
    Row(  # windows without elements, which start from the least number, beside others
        "reduce_window",
        "6x6x",
        """%R0 = "stablehlo.reduce_window"(%a, %low) """
        + combine("maximum")
        + """ {window_dimensions = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}
      : (tensor<4x6xT>, tensor<T>) -> tensor<6x6xT>
  %R1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<T>) -> tensor<6x6xT>
  %R = stablehlo.maximum %R0, %R1 : tensor<6x6xT>""",
        NUMBERS,
    ),
    Row(
        "reduce_window",
        "3x3x",
        """%R:2 = "stablehlo.reduce_window"(%a, %numbers, %low, %none) ({
    ^bb0(%l: tensor<T>, %lk: tensor<i32>, %r: tensor<T>, %rk: tensor<i32>):
      %m = stablehlo.compare GE, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
      %o = stablehlo.select %m, %l, %r : tensor<i1>, tensor<T>
      %n = stablehlo.select %m, %lk, %rk : tensor<i1>, tensor<i32>
      stablehlo.return %o, %n : tensor<T>, tensor<i32>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}
      : (tensor<4x6xT>, tensor<4x6xi32>, tensor<T>, tensor<i32>) -> (tensor<3x3xT>, tensor<3x3xi32>)""",
        NUMBERS,
    ),
    gathered(
        "%a",
        "%ats",
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1",
        "1, 6",
        "5x6x",
    ),
    gathered(
        "%a",
        "%at",
        "offset_dims = [0, 2], start_index_map = [1], index_vector_dim = 1",
        "3, 2",
        "3x5x2x",
    ),
    gathered(
        "%a",
        "%pairs",
        "collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0",
        "1, 1",
        "5x",
    ),
    gathered(
        "%c",
        "%own",
        """offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0],
           start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2""",
        "1, 1, 4",
        "2x5x4x",
    ),
    gathered(
        "%a",
        "%one",
        "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0",
        "1, 6",
        "6x",
    ),
    gathered(
        "%a",
        "%ats",
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 1",
        "1, 3",
        "5x3x",
    ),
    *[scattered(combine(name)) for name in ("add", "multiply", "maximum", "minimum")],
    scattered(REPLACE, dtypes=ALL),
    scattered(REPLACE.replace("return %r", "return %l"), dtypes=ALL),
    scattered(combine("subtract")),
    scattered(combine("subtract").replace("%l, %r", "%r, %l")),
    Row(
        "scatter",
        "4x6x",
        """%R = "stablehlo.scatter"(%a, %one, %v) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 0>, unique_indices = true}> """
        + combine("add")
        + " : (tensor<4x6xT>, tensor<1xi32>, tensor<6xT>) -> tensor<4x6xT>",
        NUMBERS,
    ),
    Row(
        "scatter",
        "2x3x4x",
        """%R0 = stablehlo.constant dense<[[[1], [0], [2], [0], [9]], [[0], [1], [1], [2], [-1]]]> : tensor<2x5x1xi32>
  %R1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<T>) -> tensor<2x5x4xT>
  %R = "stablehlo.scatter"(%c, %R0, %R1) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0],
      scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> """
        + combine("add")
        + " : (tensor<2x3x4xT>, tensor<2x5x1xi32>, tensor<2x5x4xT>) -> tensor<2x3x4xT>",
        NUMBERS,
    ),
    Row(
        "scatter",
        "4x6x",
        """%R0 = stablehlo.constant dense<[[0, 1], [2, 3], [1, 2]]> : tensor<3x2xi32>
  %R1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<T>) -> tensor<3x2x2xT>
  %R = "stablehlo.scatter"(%a, %R0, %R1) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> """
        + combine("add")
        + " : (tensor<4x6xT>, tensor<3x2xi32>, tensor<3x2x2xT>) -> tensor<4x6xT>",
        NUMBERS,
    ),
    Row(
        "scatter",
        "4x6x",
        """%R = "stablehlo.scatter"(%a, %own, %pairsof) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> """
        + combine("maximum")
        + " : (tensor<4x6xT>, tensor<2x5x1xi32>, tensor<2x5xT>) -> tensor<4x6xT>",
        NUMBERS,
    ),
    *[
        Row(
            "sort",
            "4x6x",
            f"""%R = "stablehlo.sort"(%a) <{{dimension = {axis} : i64, is_stable = true}}> ({{
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.compare {direction}, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }}) : (tensor<4x6xT>) -> tensor<4x6xT>""",
        )
        for axis, direction in ((0, "LT"), (1, "GT"))
    ],
    Row(
        "sort",
        "4x6x",
        """%R:2 = "stablehlo.sort"(%a, %numbers) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%l: tensor<T>, %r: tensor<T>, %lk: tensor<i32>, %rk: tensor<i32>):
      %m = stablehlo.compare LT, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }) : (tensor<4x6xT>, tensor<4x6xi32>) -> (tensor<4x6xT>, tensor<4x6xi32>)""",
        ALL,
        "i32",
    ),
    Row(
        "select_and_scatter",
        "4x6x",
        """%R0 = stablehlo.slice %a [0:2, 0:3] : (tensor<4x6xT>) -> tensor<2x3xT>
  %R = "stablehlo.select_and_scatter"(%a, %R0, %zero) ({
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.compare GE, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }, """
        + combine("add")[1:-1]
        + """) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}
      : (tensor<4x6xT>, tensor<2x3xT>, tensor<T>) -> tensor<4x6xT>""",
        FLOATS,
    ),
    Row(
        "select_and_scatter",
        "4x6x",
        """%R = "stablehlo.select_and_scatter"(%a, %rows4, %zero) ({
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.compare GE, %l, %r : (tensor<T>, tensor<T>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }, """
        + combine("add")[1:-1]
        + """) {window_dimensions = array<i64: 3, 2>, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>}
      : (tensor<4x6xT>, tensor<4x6xT>, tensor<T>) -> tensor<4x6xT>""",
        FLOATS,
    ),
    Row(
        "case",
        "6x",
        """%R = "stablehlo.case"(%i) ({
      %R0 = stablehlo.reverse %v, dims = [0] : tensor<6xT>
      stablehlo.return %R0 : tensor<6xT>
    }) : (tensor<i32>) -> tensor<6xT>""",
    ),
    Row(
        "optimization_barrier",
        "6x",
        "%R:2 = stablehlo.optimization_barrier %v, %i : tensor<6xT>, tensor<i32>",
    ),
    Row(
        "case",
        "6x",
        """%R = "stablehlo.case"(%j) ({
      stablehlo.return %v : tensor<6xT>
    }, {
      %R0 = stablehlo.reverse %v, dims = [0] : tensor<6xT>
      stablehlo.return %R0 : tensor<6xT>
    }) : (tensor<i32>) -> tensor<6xT>""",
    ),
    Row(
        "if",
        "",
        """%R0 = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %R = "stablehlo.if"(%R0) ({
      stablehlo.return %s : tensor<T>
    }, {
      stablehlo.return %low : tensor<T>
    }) : (tensor<i1>) -> tensor<T>""",
        NUMBERS,
    ),
    Row(
        "while",
        "6x",
        """%R:2 = stablehlo.while(%x = %v, %k = %none) : tensor<6xT>, tensor<i32>
    cond {
      %m = stablehlo.compare LE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    } do {
      %m = stablehlo.add %x, %v : tensor<6xT>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %o = stablehlo.add %two, %k : tensor<i32>
      stablehlo.return %m, %o : tensor<6xT>, tensor<i32>
    }""",
    ),
    Row(
        "map",
        "4x6x",
        """%R = "stablehlo.map"(%a, %a) ({
    ^bb0(%l: tensor<T>, %r: tensor<T>):
      %m = stablehlo.maximum %l, %s : tensor<T>
      %o = stablehlo.minimum %m, %r : tensor<T>
      stablehlo.return %o : tensor<T>
    }) {dimensions = array<i64: 0, 1>} : (tensor<4x6xT>, tensor<4x6xT>) -> tensor<4x6xT>""",
    ),
    Row(
        "get_dimension_size",
        "",
        "%R = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6xT>) -> tensor<i32>",
        ALL,
        "i32",
    ),
    Row(
        "dynamic_reshape",
        "8x3x",
        """%R0 = stablehlo.constant dense<[8, 3]> : tensor<2xi32>
  %R = stablehlo.dynamic_reshape %a, %R0 : (tensor<4x6xT>, tensor<2xi32>) -> tensor<8x3xT>""",
    ),
    Row(
        "dynamic_iota",
        "3x2x",
        """%R0 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %R = stablehlo.dynamic_iota %R0, dim = 0 : (tensor<2xi32>) -> tensor<3x2xT>""",
        NUMBERS,
    ),
    Row(
        "dynamic_broadcast_in_dim",
        "4x6x",
        """%R0 = stablehlo.constant dense<[4, 6]> : tensor<2xi32>
  %R = stablehlo.dynamic_broadcast_in_dim %v, %R0, dims = [1] : (tensor<6xT>, tensor<2xi32>) -> tensor<4x6xT>""",
    ),
]


def low(dtype: str) -> str:
    """The least number of a dtype as a constant."""
    bits = {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "i64": str(-(2**63)), "i32": str(-(2**31)), "i1": "false"}
    return bits[dtype]


def module(dtype: str, every: Sequence[Row] = ROWS, *, for_reference: bool = False) -> tuple[str, list[Row]]:
    """The module of a dtype, and what its results are."""
    rows = [row for row in every if dtype in row.dtypes]
    texts = [row.known_as if for_reference and row.known_as else row.text for row in rows]
    lines = [_numbered(text, k) for k, text in enumerate(texts)]
    types = ", ".join(f"tensor<{row.shape}{row.result}>" for row in rows)
    given = ", ".join(_given(row, k) for k, row in enumerate(rows))
    parameters = ", ".join(f"%{name}: tensor<{''.join(f'{n}x' for n in shape)}T>" for name, shape in SHAPES.items())
    zero = "false" if dtype == "i1" else "0.0" if dtype in FLOATS else "0"
    start = f"""%zero = stablehlo.constant dense<{zero}> : tensor<T>
  %low = stablehlo.constant dense<{low(dtype)}> : tensor<T>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %numbers = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %ats = stablehlo.reshape %at : (tensor<5xi32>) -> tensor<5x1xi32>
  %one = stablehlo.slice %at [2:3] : (tensor<5xi32>) -> tensor<1xi32>
  %rev = stablehlo.reverse %at, dims = [0] : tensor<5xi32>
  %row0 = stablehlo.reshape %at : (tensor<5xi32>) -> tensor<1x5xi32>
  %row1 = stablehlo.reshape %rev : (tensor<5xi32>) -> tensor<1x5xi32>
  %pairs = stablehlo.concatenate %row0, %row1, dim = 0 : (tensor<1x5xi32>, tensor<1x5xi32>) -> tensor<2x5xi32>
  %own = stablehlo.reshape %pairs : (tensor<2x5xi32>) -> tensor<2x5x1xi32>
  %more = stablehlo.reverse %v, dims = [0] : tensor<6xT>
  %rows4 = stablehlo.reverse %a, dims = [0] : tensor<4x6xT>
  %rows1 = stablehlo.reshape %more : (tensor<6xT>) -> tensor<1x6xT>
  %pairsof = stablehlo.slice %a [0:2, 0:5] : (tensor<4x6xT>) -> tensor<2x5xT>
  %rows = stablehlo.concatenate %rows4, %rows1, dim = 0 : (tensor<4x6xT>, tensor<1x6xT>) -> tensor<5x6xT>
"""
    body = "\n  ".join([start, *lines])
    more = "%at: tensor<5xi32>, %i: tensor<i32>, %j: tensor<i32>"
    text = f"""func.func @main({parameters}, {more}) -> ({types}) {{
  {body}
  return {given} : {types}
}}"""
    return text.replace("T>", f"{dtype}>"), rows


def _numbered(text: str, number: int) -> str:
    return re.sub(r"%R(\d)", rf"%h{number}_\1", text).replace("%R", f"%q{number}")


def _given(row: Row, number: int) -> str:
    """Of two results, the second one where that has another type."""
    return f"%q{number}#{int(row.result != 'T')}" if "%R:2" in row.text else f"%q{number}"


def arguments(dtype: str) -> list[np.ndarray]:
    """Arrays of a dtype, indices of which some are out of range, and two numbers."""
    found, rng = [], np.random.default_rng(11)
    for shape in SHAPES.values():
        numbers = rng.integers(-4, 5, shape) if dtype in INTEGERS else rng.standard_normal(shape)
        found.append(np.asarray(numbers > 0 if dtype == "i1" else numbers).astype(DTYPES[dtype]))
    return [*found, AT, np.int32(3), np.int32(-2)]
