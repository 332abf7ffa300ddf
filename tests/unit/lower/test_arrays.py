"""Array operations, element types, results of every kind, and run-time checks."""

from __future__ import annotations

import numpy as np
import pytest

from tapeless.errors import IndexOutOfRange
from tapeless.runtime.counters import memory_counters

from .running import MODES, check, function, run

VECTOR, MATRIX = "tensor<?xf64>", "tensor<?x?xf64>"
modes = pytest.mark.parametrize("mode", MODES)

ARRANGED = function(
    f"(%x: {MATRIX}) -> ({MATRIX}, {MATRIX}, {VECTOR}, {VECTOR}, {MATRIX})",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %m = tensor.dim %x, %c1 : {MATRIX}
  %t = "soac.transpose"(%x) {{permutation = [1, 0]}} : ({MATRIX}) -> {MATRIX}
  %b = "soac.reverse"(%t) {{axis = 1 : i64}} : ({MATRIX}) -> {MATRIX}
  %nm = arith.muli %n, %m : index
  %shape = tensor.from_elements %nm : tensor<1xindex>
  %flat = tensor.reshape %x(%shape) : ({MATRIX}, tensor<1xindex>) -> {VECTOR}
  %turned = tensor.reshape %b(%shape) : ({MATRIX}, tensor<1xindex>) -> {VECTOR}
  %back_shape = tensor.from_elements %m, %n : tensor<2xindex>
  %back = tensor.reshape %turned(%back_shape) : ({VECTOR}, tensor<2xindex>) -> {MATRIX}
  return %t, %b, %flat, %turned, %back : {MATRIX}, {MATRIX}, {VECTOR}, {VECTOR}, {MATRIX}
""",
)


@modes
@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (3, 4)])
def test_views_are_returned_as_copies(mode: str, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    turned = x.T[:, ::-1]
    check(ARRANGED, (x,), x.T, turned, x.ravel(), turned.ravel(), turned, mode=mode)


CUBE = "tensor<?x?x?xf64>"


def turned_stack(result: str, sizes: str, permutation: str) -> str:
    """The matrices of a transposed array, doubled, reshaped, and transposed again."""
    rank = sizes.count(",") + 1
    return function(
        f"(%x: {CUBE}) -> ({result})",
        f"""
  %n = tensor.dim %x, %c0 : {CUBE}
  %m = tensor.dim %x, %c1 : {CUBE}
  %k = tensor.dim %x, %c2 : {CUBE}
  %mk = arith.muli %m, %k : index
  %t = "soac.transpose"(%x) {{permutation = [1, 0, 2]}} : ({CUBE}) -> {CUBE}
  %rows = "soac.map"(%m, %t) ({{
  ^bb0(%i: index, %matrix: {MATRIX}):
    %inner = "soac.map"(%n, %matrix) ({{
    ^bb0(%j: index, %row: {VECTOR}):
      %twice = "soac.map"(%k, %row) ({{
      ^bb0(%l: index, %e: f64):
        %s = arith.addf %e, %e : f64
        "soac.yield"(%s) : (f64) -> ()
      }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {VECTOR}) -> {VECTOR}
      "soac.yield"(%twice) : ({VECTOR}) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {MATRIX}) -> {MATRIX}
    "soac.yield"(%inner) : ({MATRIX}) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {CUBE}) -> {CUBE}
  %shape = tensor.from_elements {sizes} : tensor<{rank}xindex>
  %reshaped = tensor.reshape %rows(%shape) : ({CUBE}, tensor<{rank}xindex>) -> {result}
  %y = "soac.transpose"(%reshaped) {{permutation = {permutation}}} : ({result}) -> {result}
  return %y : {result}
""",
    )


@modes
def test_what_is_reshaped_is_not_built_in_the_order_of_its_transposition(mode: str) -> None:
    x = np.arange(24.0).reshape(3, 4, 2) ** 2
    twice = 2 * x.transpose(1, 0, 2)
    check(turned_stack(MATRIX, "%n, %mk", "[1, 0]"), (x,), twice.reshape(3, 8).T, mode=mode)
    check(turned_stack(CUBE, "%n, %m, %k", "[1, 0, 2]"), (x,), twice.reshape(3, 4, 2).transpose(1, 0, 2), mode=mode)


CONSTANTS = function(
    "(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<2x2xi32>, tensor<3xi1>)",
    """
  %k = arith.constant dense<[1.5, 2.5, -1.0]> : tensor<3xf64>
  %changed = tensor.insert %one into %k[%c1] : tensor<3xf64>
  %numbers = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c3 = arith.constant 3 : index
  %flags = "soac.map"(%c3, %x, %k) ({
  ^bb0(%i: index, %a: f64, %b: f64):
    %c = arith.cmpf olt, %a, %b : f64
    "soac.yield"(%c) : (i1) -> ()
  }) {operandSegmentSizes = array<i32: 1, 2, 0>} : (index, tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %changed, %numbers, %flags : tensor<3xf64>, tensor<2x2xi32>, tensor<3xi1>
""",
)


@modes
def test_constants_are_not_changed_by_updates(mode: str) -> None:
    x = np.array([1.0, 3.0, -2.0])
    for _ in range(2):
        check(CONSTANTS, (x,), [1.5, 1.0, -1.0], [[1, 2], [3, 4]], [True, False, True], mode=mode)


SORTED = function(
    f"(%x: {MATRIX}) -> (tensor<?xi64>, tensor<?xi64>)",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %m = tensor.dim %x, %c1 : {MATRIX}
  %row = tensor.extract_slice %x[0, 0] [1, %m] [1, 1] : {MATRIX} to {VECTOR}
  %column = tensor.extract_slice %x[0, 1] [%n, 1] [1, 1] : {MATRIX} to {VECTOR}
  %a = "soac.argsort"(%row) : ({VECTOR}) -> tensor<?xi64>
  %b = "soac.argsort"(%column) : ({VECTOR}) -> tensor<?xi64>
  return %a, %b : tensor<?xi64>, tensor<?xi64>
""",
)


@modes
def test_argsort_of_rows_and_columns(mode: str) -> None:
    x = np.random.default_rng(1).normal(size=(6, 5))
    check(SORTED, (x,), np.argsort(x[0], kind="stable"), np.argsort(x[:, 1], kind="stable"), mode=mode)


FILTERED = function(
    f"(%x: {VECTOR}, %k: i64) -> ({VECTOR}, f64)",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %first = tensor.extract %x[%c0] : {VECTOR}
  %i = arith.fptosi %first : f64 to i64
  %size = arith.index_cast %i : i64 to index
  %y = tensor.extract_slice %x[0] [%size] [1] : {VECTOR} to {VECTOR}
  %e = tensor.extract %y[%c1] : {VECTOR}
  return %y, %e : {VECTOR}, f64
""",
)


@modes
def test_results_of_unpredictable_size_come_from_the_kernel(mode: str) -> None:
    x = np.array([3.0, 5.0, 7.0, 9.0])
    check(FILTERED, (x, 1), x[:3], 5.0, mode=mode)


CHECKED = function(
    f"(%x: {VECTOR}, %k: i64) -> f64",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %work = tensor.splat %one[%n] : {VECTOR}
  %i = arith.index_cast %k : i64 to index
  %r = "soac.map"(%n, %x) ({{
  ^bb0(%j: index, %e: f64):
    %at = arith.addi %i, %j : index
    %inside = arith.cmpi ult, %at, %n : index
    "soac.assert"(%inside, %at, %e, %n) {{kind = "IndexOutOfRange", message = "{{}}: {{}} of {{}}"}}
      : (i1, index, f64, index) -> () loc("model.py":7:3)
    %v = tensor.extract %work[%at] : {VECTOR}
    "soac.yield"(%v) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {VECTOR}) -> {VECTOR}
  %s = tensor.extract %r[%c0] : {VECTOR}
  return %s : f64
""",
)


@modes
def test_failed_check_names_values_and_line_and_frees_everything(mode: str) -> None:
    x = np.full(100000, 0.5)
    check(CHECKED, (x, 0), 1.0, mode=mode)
    before = memory_counters().live_bytes
    with pytest.raises(IndexOutOfRange, match=r"model.py:7: 100000: 0.5 of 100000"):
        run(CHECKED, x, 7, mode=mode)
    assert memory_counters().live_bytes == before


GATHERED = """
func.func @f(%x: tensor<?xf32>, %k: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %k, %c0 : tensor<?xi32>
  %y = "soac.map"(%n, %k) ({
  ^bb0(%i: index, %key: i32):
    %at = arith.index_cast %key : i32 to index
    %e = tensor.extract %x[%at] : tensor<?xf32>
    "soac.yield"(%e) : (f32) -> ()
  }) {operandSegmentSizes = array<i32: 1, 1, 0>} : (index, tensor<?xi32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


@modes
def test_gather_in_single_precision(mode: str) -> None:
    x, keys = np.arange(5, dtype=np.float32), np.array([4, 0, 0, 2], dtype=np.int32)
    check(GATHERED, (x, keys), x[keys], mode=mode)
