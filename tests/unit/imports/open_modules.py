"""Modules of StableHLO with open sizes: one per operation that is given sizes, with numpy's word for what it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    """The body of a function of `%x: tensor<?x3xf64>` and `%n: tensor<i32>`, its result, and the same in numpy."""

    text: str
    result: str
    reference: Callable[[np.ndarray, int], Any]


# What bodies may read: the number of rows, and vectors of sizes.
SIZES = """
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nought = stablehlo.constant dense<0.0> : tensor<f64>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf64>) -> tensor<i32>
  %bs = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %ns = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %b3 = stablehlo.concatenate %bs, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %n3 = stablehlo.concatenate %ns, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
"""
ROWS: dict[str, Row] = {
    "dynamic_iota": Row(
        """%0 = stablehlo.dynamic_iota %n3, dim = 0 : (tensor<2xi32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.repeat(np.arange(n, dtype=float)[:, None], 3, axis=1),
    ),
    "dynamic_broadcast_in_dim": Row(
        """%c = stablehlo.reduce(%x init: %nought) applies stablehlo.add across dimensions = [0]
             : (tensor<?x3xf64>, tensor<f64>) -> tensor<3xf64>
           %0 = stablehlo.dynamic_broadcast_in_dim %c, %n3, dims = [1]
             : (tensor<3xf64>, tensor<2xi32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.repeat(x.sum(axis=0)[None], n, axis=0),
    ),
    "an axis that turns out to have size 1": Row(
        """%o = stablehlo.concatenate %one, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
           %h = stablehlo.subtract %b3, %n3 : tensor<2xi32>
           %r = stablehlo.add %h, %ones : tensor<2xi32>
           %s = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
           %v = stablehlo.real_dynamic_slice %x, %zeros, %s, %ones
             : (tensor<?x3xf64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf64>
           %0 = stablehlo.dynamic_broadcast_in_dim %v, %b3, dims = [0, 1]
             : (tensor<?x3xf64>, tensor<2xi32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.repeat(x[:1], len(x), axis=0),
    ),
    "dynamic_reshape": Row(
        """%t = stablehlo.multiply %bs, %three : tensor<1xi32>
           %0 = stablehlo.dynamic_reshape %x, %t : (tensor<?x3xf64>, tensor<1xi32>) -> tensor<?xf64>""",
        "tensor<?xf64>",
        lambda x, n: x.reshape(-1),
    ),
    "real_dynamic_slice": Row(
        """%f = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
           %l = stablehlo.minimum %n3, %b3 : tensor<2xi32>
           %s = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
           %0 = stablehlo.real_dynamic_slice %x, %f, %l, %s
             : (tensor<?x3xf64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf64>""",
        "tensor<?x2xf64>",
        lambda x, n: x[:n:2, 1:],
    ),
    "dynamic_pad": Row(
        """%l = stablehlo.concatenate %ns, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
           %h = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
           %g = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
           %0 = stablehlo.dynamic_pad %x, %nought, %l, %h, %g
             : (tensor<?x3xf64>, tensor<f64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x4xf64>""",
        "tensor<?x4xf64>",
        lambda x, n: np.pad(np.insert(x, np.arange(1, len(x)), 0.0, axis=0), ((n, 2), (1, 0))),
    ),
    "dynamic_pad that cuts": Row(
        """%m = stablehlo.negate %ns : tensor<1xi32>
           %f = stablehlo.constant dense<0> : tensor<1xi32>
           %l = stablehlo.concatenate %m, %f, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
           %h = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
           %0 = stablehlo.dynamic_pad %x, %nought, %l, %h, %zeros
             : (tensor<?x3xf64>, tensor<f64>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.pad(x, ((0, 3), (0, 0)))[n:],
    ),
    "pad": Row(
        """%0 = stablehlo.pad %x, %nought, low = [1, -1], high = [-1, 0], interior = [2, 0]
             : (tensor<?x3xf64>, tensor<f64>) -> tensor<?x2xf64>""",
        "tensor<?x2xf64>",
        lambda x, n: np.pad(np.insert(x, np.repeat(np.arange(1, len(x)), 2), 0.0, axis=0), ((1, 0), (0, 0)))[:-1, 1:],
    ),
    "dynamic_gather": Row(
        """%at = stablehlo.constant dense<1> : tensor<1xi32>
           %k = stablehlo.subtract %bs, %one : tensor<1xi32>
           %s = stablehlo.concatenate %k, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
           %0 = "stablehlo.dynamic_gather"(%x, %at, %s) <{
             dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>}>
             : (tensor<?x3xf64>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: x[1:],
    ),
    "concatenate, slice, reverse and transpose": Row(
        """%s = stablehlo.slice %x [0:1, 0:3] : (tensor<?x3xf64>) -> tensor<1x3xf64>
           %r = stablehlo.reverse %x, dims = [0] : tensor<?x3xf64>
           %j = stablehlo.concatenate %r, %s, dim = 0 : (tensor<?x3xf64>, tensor<1x3xf64>) -> tensor<?x3xf64>
           %0 = stablehlo.transpose %j, dims = [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>""",
        "tensor<3x?xf64>",
        lambda x, n: np.concatenate([x[::-1], x[:1]]).T,
    ),
    "dynamic_slice and dynamic_update_slice": Row(
        """%p = stablehlo.dynamic_slice %x, %n, %zero, sizes = [1, 2]
             : (tensor<?x3xf64>, tensor<i32>, tensor<i32>) -> tensor<1x2xf64>
           %q = stablehlo.exponential %p : tensor<1x2xf64>
           %0 = stablehlo.dynamic_update_slice %x, %q, %zero, %n
             : (tensor<?x3xf64>, tensor<1x2xf64>, tensor<i32>, tensor<i32>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: _updated(x, np.exp(x[min(n, len(x) - 1), :2]), min(n, 1)),
    ),
    "dot_general": Row(
        """%0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
             : (tensor<?x3xf64>, tensor<?x3xf64>) -> tensor<3x3xf64>""",
        "tensor<3x3xf64>",
        lambda x, n: x.T @ x,
    ),
    "sort": Row(
        """%0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
           ^bb0(%l: tensor<f64>, %r: tensor<f64>):
             %c = stablehlo.compare LT, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
             stablehlo.return %c : tensor<i1>
           }) : (tensor<?x3xf64>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.sort(x, axis=0),
    ),
    "while": Row(
        """%0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<?x3xf64>
           cond {
             %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %c : tensor<i1>
           } do {
             %k = stablehlo.constant dense<1> : tensor<i32>
             %j = stablehlo.add %i, %k : tensor<i32>
             %w = stablehlo.sine %v : tensor<?x3xf64>
             stablehlo.return %j, %w : tensor<i32>, tensor<?x3xf64>
           }
           %1 = stablehlo.abs %0#1 : tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: np.abs(_times(np.sin, n, x)),
    ),
    "if": Row(
        """%p = stablehlo.compare GT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
           %0 = "stablehlo.if"(%p) ({
             stablehlo.return %x : tensor<?x3xf64>
           }, {
             %w = stablehlo.dynamic_iota %n3, dim = 1 : (tensor<2xi32>) -> tensor<?x3xf64>
             stablehlo.return %w : tensor<?x3xf64>
           }) : (tensor<i1>) -> tensor<?x3xf64>""",
        "tensor<?x3xf64>",
        lambda x, n: x if len(x) > n else np.repeat(np.arange(3.0)[None], n, axis=0),
    ),
}


def _updated(x: np.ndarray, part: np.ndarray, first: int) -> np.ndarray:
    found = x.copy()
    found[0, first : first + len(part)] = part
    return found


def _times(function: Callable[[np.ndarray], np.ndarray], count: int, x: np.ndarray) -> np.ndarray:
    for _ in range(count):
        x = function(x)
    return x


def module(name: str) -> str:
    """The module of a row."""
    row = ROWS[name]
    last = "%1" if "%1 =" in row.text else "%0"
    head = f"func.func @main(%x: tensor<?x3xf64>, %n: tensor<i32>) -> {row.result} {{{SIZES}"
    return f"{head}  {row.text}\n  return {last} : {row.result}\n}}\n"
