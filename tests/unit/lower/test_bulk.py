"""Maps, reductions, scans, histograms and scatters compute what numpy computes."""

from __future__ import annotations

import numpy as np
import pytest

from .running import ADD, MODES, check, function

VECTOR, MATRIX = "tensor<?xf64>", "tensor<?x?xf64>"
modes = pytest.mark.parametrize("mode", MODES)
sizes = pytest.mark.parametrize("n", [0, 1, 7, 70000])

SUM_ROWS = function(
    f"(%x: {MATRIX}) -> {VECTOR}",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %m = tensor.dim %x, %c1 : {MATRIX}
  %r = "soac.map"(%n, %x) ({{
  ^bb0(%i: index, %row: {VECTOR}):
    %s = "soac.reduce"(%m, %row, %zero) {ADD} {{operandSegmentSizes = array<i32: 1, 1, 1>}}
      : (index, {VECTOR}, f64) -> f64
    "soac.yield"(%s) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {MATRIX}) -> {VECTOR}
  return %r : {VECTOR}
""",
)


@modes
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (5, 7), (400, 3)])
def test_sum_of_rows(mode: str, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    check(SUM_ROWS, (x,), x.sum(axis=1), mode=mode)


SUM_COLUMNS = function(
    f"(%x: {MATRIX}) -> {VECTOR}",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %m = tensor.dim %x, %c1 : {MATRIX}
  %z = tensor.splat %zero[%m] : {VECTOR}
  %r = "soac.reduce"(%n, %x, %z) ({{
  ^bb0(%a: {VECTOR}, %b: {VECTOR}):
    %s = "soac.map"(%m, %a, %b) ({{
    ^bb0(%i: index, %p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : (index, {VECTOR}, {VECTOR}) -> {VECTOR}
    "soac.yield"(%s) : ({VECTOR}) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 1>}} : (index, {MATRIX}, {VECTOR}) -> {VECTOR}
  return %r : {VECTOR}
""",
)


@pytest.mark.one_in(2)
@modes
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (5, 7), (40000, 3)])
def test_sum_of_columns(mode: str, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    check(SUM_COLUMNS, (x,), x.sum(axis=0), mode=mode)


def scan(exclusive: str, reverse: str) -> str:
    """The scan with `a * 2 + b`, which is not commutative, so that wrong operand order shows."""
    return function(
        f"(%x: {VECTOR}, %y: {VECTOR}) -> ({VECTOR}, {VECTOR})",
        f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %r, %t = "soac.scan"(%n, %x, %y, %one, %zero) ({{
  ^bb0(%p: f64, %q: f64, %u: f64, %v: f64):
    %pu = arith.mulf %p, %u : f64
    %uq = arith.mulf %u, %q : f64
    %s = arith.addf %uq, %v : f64
    "soac.yield"(%pu, %s) : (f64, f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 2, 2>, exclusive = {exclusive}, reverse = {reverse}}}
    : (index, {VECTOR}, {VECTOR}, f64, f64) -> ({VECTOR}, {VECTOR})
  return %r, %t : {VECTOR}, {VECTOR}
""",
    )


def affine_prefixes(x: np.ndarray, y: np.ndarray, exclusive: bool, reverse: bool) -> tuple[np.ndarray, np.ndarray]:
    """Reference: compositions of the maps z -> x z + y, first map applied first."""
    order = range(len(x) - 1, -1, -1) if reverse else range(len(x))
    factors, offsets = np.empty_like(x), np.empty_like(y)
    state = (1.0, 0.0)
    for i in order:
        first, then = ((x[i], y[i]), state) if reverse else (state, (x[i], y[i]))
        new = (first[0] * then[0], then[0] * first[1] + then[1])
        factors[i], offsets[i] = state if exclusive else new
        state = new
    return factors, offsets


@pytest.mark.one_in(12)
@modes
@pytest.mark.parametrize("exclusive", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@sizes
def test_scan(mode: str, exclusive: bool, reverse: bool, n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.uniform(0.5, 1.1, n), rng.normal(size=n)
    text = scan(str(exclusive).lower(), str(reverse).lower())
    check(text, (x, y), *affine_prefixes(x, y, exclusive, reverse), mode=mode)


SCAN_ROWS = function(
    f"(%x: {MATRIX}) -> {MATRIX}",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %m = tensor.dim %x, %c1 : {MATRIX}
  %z = tensor.splat %zero[%m] : {VECTOR}
  %r = "soac.scan"(%n, %x, %z) ({{
  ^bb0(%a: {VECTOR}, %b: {VECTOR}):
    %s = "soac.map"(%m, %a, %b) ({{
    ^bb0(%i: index, %p: f64, %q: f64):
      %t = arith.addf %p, %q : f64
      "soac.yield"(%t) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : (index, {VECTOR}, {VECTOR}) -> {VECTOR}
    "soac.yield"(%s) : ({VECTOR}) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = REVERSE}}
    : (index, {MATRIX}, {VECTOR}) -> {MATRIX}
  return %r : {MATRIX}
""",
)


@pytest.mark.one_in(2)
@modes
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (6, 5)])
def test_scan_of_rows(mode: str, reverse: bool, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(1).normal(size=shape)
    expected = np.cumsum(x[::-1], axis=0)[::-1] if reverse else np.cumsum(x, axis=0)
    check(SCAN_ROWS.replace("REVERSE", str(reverse).lower()), (x,), expected, mode=mode)


FUSED = function(
    f"(%x: {VECTOR}) -> (f64, f64, {VECTOR}, {VECTOR})",
    f"""
  %n = tensor.dim %x, %c0 : {VECTOR}
  %huge = arith.constant 0xFFF0000000000000 : f64
  %r:4 = "soac.fused"(%n, %x, %zero, %huge, %zero) ({{
  ^bb0(%i: index, %e: f64):
    %s = arith.mulf %e, %e : f64
    %d = arith.addf %e, %one : f64
    "soac.yield"(%s, %e, %e, %d) : (f64, f64, f64, f64) -> ()
  }}, {{
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %p = arith.addf %a, %c : f64
    %q = arith.maximumf %b, %d : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }}, {{
  ^bb0(%a: f64, %b: f64):
    %p = arith.addf %a, %b : f64
    "soac.yield"(%p) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 2, 1>}}
    : (index, {VECTOR}, f64, f64, f64) -> (f64, f64, {VECTOR}, {VECTOR})
  return %r#0, %r#1, %r#2, %r#3 : f64, f64, {VECTOR}, {VECTOR}
""",
)


@modes
@sizes
def test_fused(mode: str, n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    largest = x.max() if n else -np.inf
    check(FUSED, (x,), (x * x).sum(), largest, np.cumsum(x), x + 1, mode=mode)


HIST = function(
    f"(%k: tensor<?xi64>, %v: {VECTOR}, %d: {VECTOR}) -> {VECTOR}",
    f"""
  %n = tensor.dim %k, %c0 : tensor<?xi64>
  %r = "soac.hist"(%n, %k, %d, %v, %zero) {ADD} {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}}
    : (index, tensor<?xi64>, {VECTOR}, {VECTOR}, f64) -> {VECTOR}
  return %r : {VECTOR}
""",
)


@pytest.mark.one_in(9)
@modes
@sizes
@pytest.mark.parametrize("bins", [0, 1, 10])
def test_hist_ignores_keys_outside(mode: str, n: int, bins: int) -> None:
    rng = np.random.default_rng(n)
    keys, values, dest = rng.integers(-3, bins + 3, n), rng.normal(size=n), rng.normal(size=bins)
    expected = dest.copy()
    inside = (keys >= 0) & (keys < bins)
    np.add.at(expected, keys[inside], values[inside])
    check(HIST, (keys, values, dest), expected, mode=mode)


SCATTER = function(
    f"(%k: tensor<?xi64>, %v: {MATRIX}, %d: {MATRIX}) -> {MATRIX}",
    f"""
  %n = tensor.dim %k, %c0 : tensor<?xi64>
  %r = "soac.scatter"(%n, %d, %k, %v) : (index, {MATRIX}, tensor<?xi64>, {MATRIX}) -> {MATRIX}
  return %r : {MATRIX}
""",
)


@modes
def test_scatter_of_rows(mode: str) -> None:
    rng = np.random.default_rng(3)
    keys, values, dest = np.array([4, -1, 0, 9, 2]), rng.normal(size=(5, 3)), rng.normal(size=(6, 3))
    expected = dest.copy()
    expected[[4, 0, 2]] = values[[0, 2, 4]]
    check(SCATTER, (keys, values, dest), expected, mode=mode)


ACCUMULATE = function(
    f"(%k: tensor<?xi64>, %v: {MATRIX}, %d: {MATRIX}) -> ({MATRIX}, f64)",
    f"""
  %n = tensor.dim %k, %c0 : tensor<?xi64>
  %r, %t = "soac.with_acc"(%d) ({{
  ^bb0(%acc: !soac.acc<{MATRIX}>):
    %next = "soac.map"(%n, %k, %v, %acc) ({{
    ^bb0(%i: index, %key: i64, %row: {VECTOR}, %inner: !soac.acc<{MATRIX}>):
      %at = arith.index_cast %key : i64 to index
      %u = "soac.update"(%inner, %at, %row) : (!soac.acc<{MATRIX}>, index, {VECTOR}) -> !soac.acc<{MATRIX}>
      %w = "soac.update"(%u, %at, %c0, %one) : (!soac.acc<{MATRIX}>, index, index, f64) -> !soac.acc<{MATRIX}>
      "soac.yield"(%w) : (!soac.acc<{MATRIX}>) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 2, 1>}}
      : (index, tensor<?xi64>, {MATRIX}, !soac.acc<{MATRIX}>) -> !soac.acc<{MATRIX}>
    "soac.yield"(%next, %one) : (!soac.acc<{MATRIX}>, f64) -> ()
  }}) : ({MATRIX}) -> ({MATRIX}, f64)
  return %r, %t : {MATRIX}, f64
""",
)


@modes
def test_accumulators_add_rows_and_elements(mode: str) -> None:
    rng = np.random.default_rng(4)
    keys, values, dest = np.array([1, 1, -1, 7, 0]), rng.normal(size=(5, 3)), rng.normal(size=(3, 3))
    expected = dest.copy()
    for key, value in zip(keys, values, strict=True):
        if 0 <= key < 3:
            expected[key] += value
            expected[key, 0] += 1
    check(ACCUMULATE, (keys, values, dest), expected, 1.0, mode=mode)


PRODUCT = function(
    f"(%x: {MATRIX}, %y: {MATRIX}) -> {MATRIX}",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %k = tensor.dim %x, %c1 : {MATRIX}
  %m = tensor.dim %y, %c1 : {MATRIX}
  %r = "soac.map"(%n, %x) ({{
  ^bb0(%i: index, %row: {VECTOR}):
    %s = "soac.map"(%m) ({{
    ^bb0(%j: index):
      %t = "soac.fused"(%k, %row, %zero) ({{
      ^bb0(%p: index, %e: f64):
        %q = tensor.extract %y[%p, %j] : {MATRIX}
        %o = arith.mulf %e, %q fastmath<contract> : f64
        "soac.yield"(%o) : (f64) -> ()
      }}, {ADD[1:-1]}, {{}}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0>}} : (index, {VECTOR}, f64) -> f64
      "soac.yield"(%t) : (f64) -> ()
    }}) {{operandSegmentSizes = array<i32: 1, 0, 0>}} : (index) -> {VECTOR}
    "soac.yield"(%s) : ({VECTOR}) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, {MATRIX}) -> {MATRIX}
  return %r : {MATRIX}
""",
)


@modes
@pytest.mark.parametrize("shape", [(0, 2, 3), (2, 0, 3), (5, 4, 6)])
def test_matrix_product(mode: str, shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=shape[:2]), rng.normal(size=shape[1:])
    check(PRODUCT, (x, y), x @ y, mode=mode)
