"""Modules of linalg, tensor, scf and cf operations as text, each with what it computes, written with numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Case(NamedTuple):
    """A module with a function `main`, arguments of which the first is differentiated, and its values by numpy."""

    text: str
    arguments: tuple[Any, ...]
    expected: Callable[..., Any]


RNG = np.random.default_rng(20)
VECTOR, MATRIX = RNG.normal(size=5), RNG.normal(size=(3, 4))
IMAGES, WEIGHTS, BIAS = RNG.normal(size=(2, 3, 6, 6)), RNG.normal(size=(4, 3, 3, 3)), RNG.normal(size=4)
POSITIVE = np.abs(MATRIX) + 0.5


def convolved(x: np.ndarray, w: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A convolution with stride 1 and a bias, `nchw` by `fchw`."""
    rows, columns = x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1
    y = np.zeros((x.shape[0], w.shape[0], rows, columns)) + b[None, :, None, None]
    for i in range(w.shape[2]):
        for j in range(w.shape[3]):
            y += np.einsum("ncij,fc->nfij", x[:, :, i : i + rows, j : j + columns], w[:, :, i, j])
    return y


def strided(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """A convolution with stride 2 and dilation 2, `nhwc` by `hwcf`."""
    y = np.zeros((x.shape[0], 2, 2, w.shape[3]))
    for i in range(w.shape[0]):
        for j in range(w.shape[1]):
            y += np.einsum("nijc,cf->nijf", x[:, 2 * i : 2 * i + 3 : 2, 2 * j : 2 * j + 3 : 2], w[i, j])
    return y


def generic(maps: str, kinds: str, ins: str, outs: str, body: str, result: str) -> str:
    """A `linalg.generic`: operands and results as text."""
    listed = ", ".join(f"affine_map<{each.strip()}>" for each in maps.split(";"))
    iterators = ", ".join(f'"{"parallel" if kind == "p" else "reduction"}"' for kind in kinds)
    return (
        f"linalg.generic {{indexing_maps = [{listed}], iterator_types = [{iterators}]}} {ins} outs({outs}) {{\n"
        f"{body}\n}} -> {result}"
    )


def reduction(operator: str, start: str) -> str:
    """A reduction of the rows of a matrix, from a number."""
    body = f"""^bb0(%e: f64, %a: f64):
      %c = {operator} %e, %a : f64
      linalg.yield %c : f64"""
    maps = "(d0, d1) -> (d0, d1); (d0, d1) -> (d0)"
    made = generic(maps, "pr", "ins(%x : tensor<3x4xf64>)", "%s : tensor<3xf64>", body, "tensor<3xf64>")
    return f"""
func.func @main(%x: tensor<3x4xf64>) -> tensor<3xf64> {{
  %start = arith.constant {start} : f64
  %o = tensor.empty() : tensor<3xf64>
  %s = linalg.fill ins(%start : f64) outs(%o : tensor<3xf64>) -> tensor<3xf64>
  %r = {made}
  return %r : tensor<3xf64>
}}
"""


def running(operator: str, start: str, low: int, high: int) -> str:
    """A reduction over windows as long as the axis, as producers write running sums."""
    body = f"""^bb0(%e: f64, %u: f64, %a: f64):
      %c = {operator} %a, %e : f64
      linalg.yield %c : f64"""
    maps = "(d0, d1, d2) -> (d0, d1 + d2); (d0, d1, d2) -> (d2); (d0, d1, d2) -> (d0, d1)"
    ins = "ins(%p, %w : tensor<3x7xf64>, tensor<4xf64>)"
    made = generic(maps, "ppr", ins, "%s : tensor<3x4xf64>", body, "tensor<3x4xf64>")
    return f"""
func.func @main(%x: tensor<3x4xf64>) -> tensor<3x4xf64> {{
  %start = arith.constant {start} : f64
  %o = tensor.empty() : tensor<3x4xf64>
  %w = tensor.empty() : tensor<4xf64>
  %s = linalg.fill ins(%start : f64) outs(%o : tensor<3x4xf64>) -> tensor<3x4xf64>
  %p = tensor.pad %x low[0, {low}] high[0, {high}] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %start : f64
  }} : tensor<3x4xf64> to tensor<3x7xf64>
  %r = {made}
  return %r : tensor<3x4xf64>
}}
"""


MATMUL = """
func.func @main(%a: tensor<?x4xf64>, %b: tensor<4x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = tensor.dim %a, %c0 : tensor<?x4xf64>
  %m = tensor.dim %b, %c1 : tensor<4x?xf64>
  %o = tensor.empty(%n, %m) : tensor<?x?xf64>
  %s = linalg.fill ins(%zero : f64) outs(%o : tensor<?x?xf64>) -> tensor<?x?xf64>
  %r = linalg.matmul ins(%a, %b : tensor<?x4xf64>, tensor<4x?xf64>) outs(%s : tensor<?x?xf64>) -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}
"""

BATCH_MATMUL = """
func.func @main(%a: tensor<2x3x4xf64>, %b: tensor<2x4x5xf64>, %s: tensor<2x3x5xf64>) -> tensor<2x3x5xf64> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x4xf64>, tensor<2x4x5xf64>) outs(%s : tensor<2x3x5xf64>)
      -> tensor<2x3x5xf64>
  return %r : tensor<2x3x5xf64>
}
"""

CONVOLUTION = """
func.func @main(%x: tensor<2x3x6x6xf64>, %w: tensor<4x3x3x3xf64>, %b: tensor<4xf64>) -> tensor<2x4x4x4xf64> {
  %o = tensor.empty() : tensor<2x4x4x4xf64>
  %s = linalg.broadcast ins(%b : tensor<4xf64>) outs(%o : tensor<2x4x4x4xf64>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x3x6x6xf64>, tensor<4x3x3x3xf64>) outs(%s : tensor<2x4x4x4xf64>) -> tensor<2x4x4x4xf64>
  return %r : tensor<2x4x4x4xf64>
}
"""

STRIDED = """
func.func @main(%x: tensor<1x7x7x2xf64>, %w: tensor<3x3x2x4xf64>) -> tensor<1x2x2x4xf64> {
  %zero = arith.constant 0.0 : f64
  %o = tensor.empty() : tensor<1x2x2x4xf64>
  %s = linalg.fill ins(%zero : f64) outs(%o : tensor<1x2x2x4xf64>) -> tensor<1x2x2x4xf64>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x7x7x2xf64>, tensor<3x3x2x4xf64>) outs(%s : tensor<1x2x2x4xf64>) -> tensor<1x2x2x4xf64>
  return %r : tensor<1x2x2x4xf64>
}
"""

MAX_POOL = """
func.func @main(%x: tensor<2x3x6x6xf64>) -> tensor<2x3x3x3xf64> {
  %least = arith.constant 0xFFF0000000000000 : f64
  %o = tensor.empty() : tensor<2x3x3x3xf64>
  %w = tensor.empty() : tensor<2x2xf64>
  %s = linalg.fill ins(%least : f64) outs(%o : tensor<2x3x3x3xf64>) -> tensor<2x3x3x3xf64>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<2x3x6x6xf64>, tensor<2x2xf64>) outs(%s : tensor<2x3x3x3xf64>) -> tensor<2x3x3x3xf64>
  return %r : tensor<2x3x3x3xf64>
}
"""

TRANSPOSED_BROADCAST = """
func.func @main(%x: tensor<3x4xf64>, %row: tensor<3x1xf64>) -> tensor<4x3xf64> {
  %o = tensor.empty() : tensor<4x3xf64>
  %t = linalg.transpose ins(%x : tensor<3x4xf64>) outs(%o : tensor<4x3xf64>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, 0)>,
      affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]}
      ins(%t, %row : tensor<4x3xf64>, tensor<3x1xf64>) outs(%o : tensor<4x3xf64>) {
  ^bb0(%a: f64, %b: f64, %u: f64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %p = arith.mulf %a, %b : f64
    %q = arith.addf %p, %f : f64
    linalg.yield %q : f64
  } -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}
"""

TWO_RESULTS = """
func.func @main(%x: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xi64>) {
  %least = arith.constant 0xFFF0000000000000 : f64
  %first = arith.constant 0 : i64
  %o = tensor.empty() : tensor<3xf64>
  %p = tensor.empty() : tensor<3xi64>
  %s = linalg.fill ins(%least : f64) outs(%o : tensor<3xf64>) -> tensor<3xf64>
  %t = linalg.fill ins(%first : i64) outs(%p : tensor<3xi64>) -> tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xf64>) outs(%s, %t : tensor<3xf64>, tensor<3xi64>) {
  ^bb0(%e: f64, %best: f64, %place: i64):
    %i = linalg.index 1 : index
    %here = arith.index_cast %i : index to i64
    %larger = arith.cmpf ogt, %e, %best : f64
    %value = arith.select %larger, %e, %best : f64
    %at = arith.select %larger, %here, %place : i64
    linalg.yield %value, %at : f64, i64
  } -> (tensor<3xf64>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf64>, tensor<3xi64>
}
"""

ONE_AFTER_THE_OTHER = """
func.func @main(%x: tensor<3x4xf64>) -> tensor<3xf64> {
  %half = arith.constant 0.5 : f64
  %one = arith.constant 1.0 : f64
  %o = tensor.empty() : tensor<3xf64>
  %s = linalg.fill ins(%one : f64) outs(%o : tensor<3xf64>) -> tensor<3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x4xf64>) outs(%s : tensor<3xf64>) {
  ^bb0(%e: f64, %a: f64):
    %b = arith.mulf %a, %half : f64
    %c = arith.addf %b, %e : f64
    linalg.yield %c : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
"""

DIAGONAL = """
func.func @main(%x: tensor<3x3xf64>) -> tensor<3xf64> {
  %o = tensor.empty() : tensor<3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<3x3xf64>) outs(%o : tensor<3xf64>) {
  ^bb0(%e: f64, %u: f64):
    %c = math.exp %e : f64
    linalg.yield %c : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
"""

LONG_WINDOWS = """
func.func @main(%x: tensor<203xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %o = tensor.empty() : tensor<4xf64>
  %w = tensor.empty() : tensor<200xf64>
  %s = linalg.fill ins(%zero : f64) outs(%o : tensor<4xf64>) -> tensor<4xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<203xf64>, tensor<200xf64>) outs(%s : tensor<4xf64>) {
  ^bb0(%e: f64, %u: f64, %a: f64):
    %q = arith.mulf %e, %e : f64
    %c = arith.addf %a, %q : f64
    linalg.yield %c : f64
  } -> tensor<4xf64>
  return %r : tensor<4xf64>
}
"""

WITHOUT_AXES = """
func.func @main(%x: tensor<f64>, %v: tensor<5xf64>) -> tensor<f64> {
  %three = arith.constant dense<3.0> : tensor<f64>
  %o = tensor.empty() : tensor<f64>
  %y = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%x : tensor<f64>) outs(%o : tensor<f64>) {
  ^bb0(%e: f64, %u: f64):
    %c = math.sin %e : f64
    linalg.yield %c : f64
  } -> tensor<f64>
  %z = arith.mulf %y, %three : tensor<f64>
  %d = linalg.dot ins(%v, %v : tensor<5xf64>, tensor<5xf64>) outs(%z : tensor<f64>) -> tensor<f64>
  %e = tensor.extract %d[] : tensor<f64>
  %f = arith.mulf %e, %e : f64
  %r = tensor.from_elements %f : tensor<f64>
  return %r : tensor<f64>
}
"""

GATHER = """
func.func @main(%x: tensor<5xf64>, %at: tensor<3xi64>) -> tensor<3xf64> {
  %o = tensor.empty() : tensor<3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%at : tensor<3xi64>) outs(%o : tensor<3xf64>) {
  ^bb0(%k: i64, %u: f64):
    %i = arith.index_cast %k : i64 to index
    %e = tensor.extract %x[%i] : tensor<5xf64>
    linalg.yield %e : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
"""

PADDINGS = """
func.func @main(%x: tensor<?xf64>, %v: f64, %n: i64) -> tensor<?xf64> {
  %low = arith.index_cast %n : i64 to index
  %p = tensor.pad %x low[%low] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f64
  } : tensor<?xf64> to tensor<?xf64>
  %q = tensor.pad %p low[1] high[0] {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %g = arith.addf %f, %v : f64
    tensor.yield %g : f64
  } : tensor<?xf64> to tensor<?xf64>
  return %q : tensor<?xf64>
}
"""

SHAPES = """
func.func @main(%x: tensor<?x4xf64>) -> tensor<?x2xf64> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf64>
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 2, 2] : tensor<?x4xf64> into tensor<?x2x2xf64>
  %c = tensor.collapse_shape %e [[0, 1], [2]] : tensor<?x2x2xf64> into tensor<?x2xf64>
  %k = tensor.cast %c : tensor<?x2xf64> to tensor<6x2xf64>
  %y = arith.mulf %k, %k : tensor<6x2xf64>
  %one = tensor.extract_slice %y[1, 0] [1, 1] [1, 1] : tensor<6x2xf64> to tensor<f64>
  %two = tensor.expand_shape %one [] output_shape [1, 1] : tensor<f64> into tensor<1x1xf64>
  %z = tensor.insert_slice %two into %y[0, 1] [1, 1] [1, 1] : tensor<1x1xf64> into tensor<6x2xf64>
  %r = tensor.cast %z : tensor<6x2xf64> to tensor<?x2xf64>
  return %r : tensor<?x2xf64>
}
"""

MADE = """
func.func @main(%x: tensor<5xf64>, %n: i64) -> tensor<?xf64> {
  %size = arith.index_cast %n : i64 to index
  %c1 = arith.constant 1 : index
  %a = tensor.extract %x[%c1] : tensor<5xf64>
  %g = tensor.generate %size {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %m = arith.mulf %f, %a : f64
    tensor.yield %m : f64
  } : tensor<?xf64>
  %two = tensor.from_elements %a, %a, %a, %a : tensor<2x2xf64>
  %flat = tensor.collapse_shape %two [[0, 1]] : tensor<2x2xf64> into tensor<4xf64>
  %s = tensor.insert %a into %x[%c1] : tensor<5xf64>
  %r = tensor.concat dim(0) %g, %flat, %s : (tensor<?xf64>, tensor<4xf64>, tensor<5xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
"""

LOOPS = """
func.func private @step(%a: tensor<f64>, %x: tensor<5xf64>) -> tensor<f64> {
  %d = linalg.dot ins(%x, %x : tensor<5xf64>, tensor<5xf64>) outs(%a : tensor<f64>) -> tensor<f64>
  return %d : tensor<f64>
}
func.func @main(%x: tensor<5xf64>, %n: i64) -> tensor<f64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %start = arith.constant dense<1.0> : tensor<f64>
  %limit = arith.constant 100.0 : f64
  %a = scf.for %i = %zero to %n step %one iter_args(%c = %start) -> (tensor<f64>) : i64 {
    %d = func.call @step(%c, %x) : (tensor<f64>, tensor<5xf64>) -> tensor<f64>
    scf.yield %d : tensor<f64>
  }
  %b = scf.while (%c = %a) : (tensor<f64>) -> tensor<f64> {
    %e = tensor.extract %c[] : tensor<f64>
    %more = arith.cmpf olt, %e, %limit : f64
    scf.condition(%more) %c : tensor<f64>
  } do {
  ^bb0(%c: tensor<f64>):
    %d = arith.addf %c, %c : tensor<f64>
    scf.yield %d : tensor<f64>
  }
  %e = tensor.extract %b[] : tensor<f64>
  %large = arith.cmpf ogt, %e, %limit : f64
  cf.assert %large, "the loop ended early"
  %r = scf.if %large -> (tensor<f64>) {
    %d = arith.mulf %b, %a : tensor<f64>
    scf.yield %d : tensor<f64>
  } else {
    scf.yield %a : tensor<f64>
  }
  return %r : tensor<f64>
}
"""

NAMED = """
func.func @main(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>) -> tensor<4xf64> {
  %zero = arith.constant 0.0 : f64
  %mask = arith.constant dense<[[true, false, true, true], [false, true, true, false], [true, true, false, true]]>
      : tensor<3x4xi1>
  %all = arith.constant dense<true> : tensor<3x4xi1>
  %both = arith.andi %mask, %all : tensor<3x4xi1>
  %chosen = arith.select %both, %x, %y : tensor<3x4xi1>, tensor<3x4xf64>
  %o = tensor.empty() : tensor<3x4xf64>
  %p = linalg.map ins(%chosen, %y : tensor<3x4xf64>, tensor<3x4xf64>) outs(%o : tensor<3x4xf64>)
    (%a: f64, %b: f64, %u: f64) {
      %c = math.atan2 %a, %b : f64
      linalg.yield %c : f64
    }
  %e = tensor.empty() : tensor<4xf64>
  %s = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %r = linalg.reduce ins(%p : tensor<3x4xf64>) outs(%s : tensor<4xf64>) dimensions = [0]
    (%in: f64, %out: f64) {
      %c = arith.addf %in, %out : f64
      linalg.yield %c : f64
    }
  return %r : tensor<4xf64>
}
"""

DEPTHWISE = """
func.func @main(%x: tensor<1x5x5x3xf64>, %w: tensor<2x2x3xf64>, %s: tensor<1x4x4x3xf64>) -> tensor<1x4x4x3xf64> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x5x5x3xf64>, tensor<2x2x3xf64>) outs(%s : tensor<1x4x4x3xf64>) -> tensor<1x4x4x3xf64>
  return %r : tensor<1x4x4x3xf64>
}
"""

OUT_IS_READ = """
func.func @main(%x: tensor<3x4xf64>, %y: tensor<4x3xf64>) -> tensor<4x3xf64> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf64>) outs(%y : tensor<4x3xf64>) {
  ^bb0(%e: f64, %old: f64):
    %c = arith.divf %e, %old : f64
    linalg.yield %c : f64
  } -> tensor<4x3xf64>
  return %r : tensor<4x3xf64>
}
"""

TWO_ORDERS = """
func.func @main(%x: tensor<3x4xf64>) -> (tensor<4x3xf64>, tensor<3x4xf64>) {
  %a = tensor.empty() : tensor<4x3xf64>
  %b = tensor.empty() : tensor<3x4xf64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>,
      affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x4xf64>) outs(%a, %b : tensor<4x3xf64>, tensor<3x4xf64>) {
  ^bb0(%e: f64, %u: f64, %v: f64):
    %c = math.sin %e : f64
    %d = math.cos %e : f64
    linalg.yield %c, %d : f64, f64
  } -> (tensor<4x3xf64>, tensor<3x4xf64>)
  return %r#0, %r#1 : tensor<4x3xf64>, tensor<3x4xf64>
}
"""

NOTHING = """
func.func @main(%x: tensor<?x?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = tensor.dim %x, %c0 : tensor<?x?xf64>
  %o = tensor.empty(%n) : tensor<?xf64>
  %s = linalg.fill ins(%one : f64) outs(%o : tensor<?xf64>) -> tensor<?xf64>
  %r = linalg.reduce ins(%x : tensor<?x?xf64>) outs(%s : tensor<?xf64>) dimensions = [1]
    (%in: f64, %out: f64) {
      %c = arith.addf %in, %out : f64
      linalg.yield %c : f64
    }
  return %r : tensor<?xf64>
}
"""


def pooled(kind: str, start: str) -> str:
    """A pooling of windows of two by two of images whose channels are last."""
    return f"""
func.func @main(%x: tensor<1x6x6x2xf64>) -> tensor<1x3x3x2xf64> {{
  %start = arith.constant {start} : f64
  %w = tensor.empty() : tensor<2x2xf64>
  %o = tensor.empty() : tensor<1x3x3x2xf64>
  %s = linalg.fill ins(%start : f64) outs(%o : tensor<1x3x3x2xf64>) -> tensor<1x3x3x2xf64>
  %r = linalg.pooling_nhwc_{kind} {{dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}}
      ins(%x, %w : tensor<1x6x6x2xf64>, tensor<2x2xf64>) outs(%s : tensor<1x3x3x2xf64>) -> tensor<1x3x3x2xf64>
  return %r : tensor<1x3x3x2xf64>
}}
"""


def taken_off(operands: str) -> str:
    """A reduction by a subtraction, of which the order matters, from values that are read."""
    body = f"""^bb0(%e: f64, %a: f64):
      %c = arith.subf {operands} : f64
      linalg.yield %c : f64"""
    maps = "(d0, d1) -> (d0, d1); (d0, d1) -> (d0)"
    made = generic(maps, "pr", "ins(%x : tensor<3x4xf64>)", "%s : tensor<3xf64>", body, "tensor<3xf64>")
    return f"""
func.func @main(%x: tensor<3x4xf64>, %s: tensor<3xf64>) -> tensor<3xf64> {{
  %r = {made}
  return %r : tensor<3xf64>
}}
"""


def stepped_windows() -> str:
    """Windows of three numbers every other number, by a matrix, a row of which is read by a constant index."""
    maps = "(d0, d1) -> (2 * d0 + d1); (d0, d1) -> (1, d1); (d0, d1) -> (d0)"
    body = """^bb0(%e: f64, %k: f64, %a: f64):
      %p = arith.mulf %e, %k : f64
      %c = arith.addf %a, %p : f64
      linalg.yield %c : f64"""
    ins = "ins(%x, %w : tensor<5xf64>, tensor<2x3xf64>)"
    made = generic(maps, "pr", ins, "%s : tensor<2xf64>", body, "tensor<2xf64>")
    return f"""
func.func @main(%x: tensor<5xf64>, %w: tensor<2x3xf64>) -> tensor<2xf64> {{
  %s = arith.constant dense<0.0> : tensor<2xf64>
  %r = {made}
  return %r : tensor<2xf64>
}}
"""


WRITTEN = """
func.func @main(%x: tensor<5xf64>, %u: tensor<2xf64>) -> (tensor<5xf64>, f64) {
  %r = tensor.insert_slice %u into %x[1] [2] [2] : tensor<2xf64> into tensor<5xf64>
  %c = arith.constant 1 : index
  %old = tensor.extract %x[%c] : tensor<5xf64>
  return %r, %old : tensor<5xf64>, f64
}
"""

PRODUCTS = """
func.func @main(%a: tensor<3x4xf64>, %v: tensor<4xf64>, %b: tensor<2x4xf64>)
    -> (tensor<3xf64>, tensor<f64>, tensor<3x2xf64>, tensor<4xf64>) {
  %z3 = arith.constant dense<0.0> : tensor<3xf64>
  %z = arith.constant dense<0.0> : tensor<f64>
  %z32 = arith.constant dense<0.0> : tensor<3x2xf64>
  %z4 = arith.constant dense<0.0> : tensor<4xf64>
  %r = linalg.matvec ins(%a, %v : tensor<3x4xf64>, tensor<4xf64>) outs(%z3 : tensor<3xf64>) -> tensor<3xf64>
  %s = linalg.dot ins(%v, %v : tensor<4xf64>, tensor<4xf64>) outs(%z : tensor<f64>) -> tensor<f64>
  %t = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<3x4xf64>, tensor<2x4xf64>)
      outs(%z32 : tensor<3x2xf64>) -> tensor<3x2xf64>
  %u = linalg.vecmat ins(%r, %a : tensor<3xf64>, tensor<3x4xf64>) outs(%z4 : tensor<4xf64>) -> tensor<4xf64>
  return %r, %s, %t, %u : tensor<3xf64>, tensor<f64>, tensor<3x2xf64>, tensor<4xf64>
}
"""
MASK = np.array([[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 1]], bool)


def depthwise(x: np.ndarray, w: np.ndarray, s: np.ndarray) -> np.ndarray:
    return s + sum(x[:, i : i + 4, j : j + 4] * w[i, j] for i in range(2) for j in range(2))


def loops(x: np.ndarray, n: int) -> float:
    a = 1.0 + n * (x @ x)
    b = a
    while b < 100.0:
        b += b
    return b * a


def padded(x: np.ndarray, v: float, n: int) -> np.ndarray:
    return np.concatenate([[v], np.full(n, v), x, np.full(2, v)])


def shaped(x: np.ndarray) -> np.ndarray:
    y = x.reshape(-1, 2) ** 2
    z = y.copy()
    z[0, 1] = y[1, 0]
    return z


def folded(x: np.ndarray) -> np.ndarray:
    a = np.ones(3)
    for column in x.T:
        a = 0.5 * a + column
    return a


CASES: dict[str, Case] = {
    "matmul": Case(MATMUL, (MATRIX, RNG.normal(size=(4, 2))), lambda a, b: a @ b),
    "batch_matmul": Case(
        BATCH_MATMUL,
        (RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 4, 5)), RNG.normal(size=(2, 3, 5))),
        lambda a, b, s: a @ b + s,
    ),
    "convolution": Case(CONVOLUTION, (IMAGES, WEIGHTS, BIAS), convolved),
    "strided": Case(STRIDED, (RNG.normal(size=(1, 7, 7, 2)), RNG.normal(size=(3, 3, 2, 4))), strided),
    "max_pool": Case(MAX_POOL, (IMAGES,), lambda x: x.reshape(2, 3, 3, 2, 3, 2).max((3, 5))),
    "transposed_broadcast": Case(
        TRANSPOSED_BROADCAST, (MATRIX, VECTOR[:3, None]), lambda x, r: (x * r + np.arange(3.0)[:, None]).T
    ),
    "sum": Case(reduction("arith.addf", "0.0"), (MATRIX,), lambda x: x.sum(1)),
    "sum_from_two": Case(reduction("arith.addf", "2.0"), (MATRIX,), lambda x: x.sum(1) + 2.0),
    "product": Case(reduction("arith.mulf", "1.0"), (POSITIVE,), lambda x: x.prod(1)),
    "maximum": Case(reduction("arith.maximumf", "0xFFF0000000000000"), (MATRIX,), lambda x: x.max(1)),
    "minimum_of_numbers": Case(reduction("arith.minnumf", "0.25"), (MATRIX,), lambda x: np.minimum(x.min(1), 0.25)),
    "two_results": Case(TWO_RESULTS, (MATRIX,), lambda x: (x.max(1), x.argmax(1))),
    "one_after_the_other": Case(ONE_AFTER_THE_OTHER, (MATRIX,), folded),
    "running_sum": Case(running("arith.addf", "0.0", 3, 0), (MATRIX,), lambda x: np.cumsum(x, 1)),
    "running_back": Case(
        running("arith.maximumf", "0xFFF0000000000000", 0, 3),
        (MATRIX,),
        lambda x: np.maximum.accumulate(x[:, ::-1], axis=1)[:, ::-1],
    ),
    "padded_otherwise": Case(
        running("arith.addf", "1.0", 3, 0),
        (MATRIX,),
        lambda x: np.cumsum(x, 1) + 1.0 + np.array([3.0, 2.0, 1.0, 0.0]),
    ),
    "diagonal": Case(DIAGONAL, (RNG.normal(size=(3, 3)),), lambda x: np.exp(np.diag(x))),
    "long_windows": Case(
        LONG_WINDOWS,
        (RNG.normal(size=203),),
        lambda x: np.array([np.sum(x[k : k + 200] ** 2) for k in range(4)]),
    ),
    "without_axes": Case(WITHOUT_AXES, (0.7, VECTOR), lambda x, v: (3.0 * np.sin(x) + v @ v) ** 2),
    "gather": Case(GATHER, (VECTOR, np.array([4, 0, 4])), lambda x, at: x[at]),
    "paddings": Case(PADDINGS, (VECTOR, 0.5, 3), padded),
    "shapes": Case(SHAPES, (MATRIX,), shaped),
    "made": Case(
        MADE,
        (VECTOR, 3),
        lambda x, n: np.concatenate([np.arange(float(n)) * x[1], np.full(4, x[1]), x]),
    ),
    "loops": Case(LOOPS, (VECTOR, 3), loops),
    "named": Case(NAMED, (MATRIX, POSITIVE), lambda x, y: np.arctan2(np.where(MASK, x, y), y).sum(0)),
    "depthwise": Case(
        DEPTHWISE,
        (RNG.normal(size=(1, 5, 5, 3)), RNG.normal(size=(2, 2, 3)), RNG.normal(size=(1, 4, 4, 3))),
        depthwise,
    ),
    "out_is_read": Case(OUT_IS_READ, (MATRIX, POSITIVE.T.copy()), lambda x, y: x.T / y),
    "two_orders": Case(TWO_ORDERS, (MATRIX,), lambda x: (np.sin(x).T, np.cos(x))),
    "sum_pool": Case(
        pooled("sum", "0.0"), (IMAGES[:1, :2].transpose(0, 2, 3, 1),), lambda x: x.reshape(1, 3, 2, 3, 2, 2).sum((2, 4))
    ),
    "least_pool": Case(
        pooled("min", "0x7FF0000000000000"),
        (IMAGES[:1, :2].transpose(0, 2, 3, 1),),
        lambda x: x.reshape(1, 3, 2, 3, 2, 2).min((2, 4)),
    ),
    "taken_off": Case(taken_off("%a, %e"), (MATRIX, VECTOR[:3]), lambda x, s: s - x.sum(1)),
    "taken_off_in_turns": Case(
        taken_off("%e, %a"), (MATRIX, VECTOR[:3]), lambda x, s: s + x @ np.array([-1.0, 1.0, -1.0, 1.0])
    ),
    "stepped_windows": Case(
        stepped_windows(),
        (VECTOR, POSITIVE[:2, :3]),
        lambda x, w: np.array([x[:3] @ w[1], x[2:] @ w[1]]),
    ),
    "written": Case(WRITTEN, (VECTOR, VECTOR[:2]), lambda x, u: (np.array([x[0], u[0], x[2], u[1], x[4]]), x[1])),
    "products": Case(
        PRODUCTS,
        (MATRIX, MATRIX[0], POSITIVE[:2]),
        lambda a, v, b: (a @ v, v @ v, a @ b.T, (a @ v) @ a),
    ),
    "no_columns": Case(NOTHING, (np.zeros((3, 0)),), lambda x: np.ones(3)),
    "no_rows": Case(NOTHING, (np.zeros((0, 4)),), lambda x: np.ones(0)),
}
