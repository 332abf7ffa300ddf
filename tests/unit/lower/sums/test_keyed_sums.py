"""Sums at places that are data: right for all keys, the same bits on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tapeless as tl
from tapeless.passes.lower.blocks import cuts

from ..running import MODES, check, function

SIZES = [0, 1, 3, 5003]
BINS = [1, 2, 7, 1500]
ALL_KEYS = "soac.in_bounds"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts work that would be too little for several blocks."""
    monkeypatch.setattr(cuts, "LEAST_WORK", 1 << 14)
    monkeypatch.setattr(cuts, "WORK_PER_COPIED_ELEMENT", {True: 16, False: 16})


@tl.function
def looked_up(table: tl.f64[:], keys: tl.i64[:], weights: tl.f64[:]):
    return tl.sum(table[keys] * weights)


@tl.function
def squares(table: tl.f64[:], keys: tl.i64[:], weights: tl.f64[:]):
    return tl.exp(0.001 * tl.sum(table[keys] * table[keys] * weights))


@tl.function
def two_tables(table: tl.f64[:], other: tl.f64[:], keys: tl.i64[:], weights: tl.f64[:]):
    return tl.sum(tl.map(lambda k, w: table[k] * w - 3.0 * other[k], keys, weights))


@tl.function
def in_steps(table: tl.f64[:], keys: tl.i64[:], weights: tl.f64[:]):
    total = 0.0
    for step in range(3):
        total = total + tl.sum(table[keys] * weights) * step
    return total


def arguments(bins: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(bins + size)
    return random.normal(size=bins), random.integers(-bins, bins, size), random.normal(size=size)


def summed(table: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    result = np.zeros_like(table)
    np.add.at(result, keys, values)
    return result


@pytest.mark.one_in(21)
@pytest.mark.parametrize("bins", BINS)
@pytest.mark.parametrize("order", ["random", "sorted"])
def test_gradients_of_look_ups(bins: int, order: str) -> None:
    """Negative keys count from the end; kernels are called with all sizes."""
    kernels = {
        (name, threads): tl.compile(tl.value_and_grad(program), (tl.f64[:], tl.i64[:], tl.f64[:]), threads=threads)
        for name, program in {"looked_up": looked_up, "squares": squares, "in_steps": in_steps}.items()
        for threads in (1, 2)
    }
    for size in SIZES:
        table, keys, weights = arguments(bins, size)
        if order == "sorted":
            keys.sort()
        loss = np.exp(0.001 * np.sum(table[keys] ** 2 * weights))
        wanted = {
            "looked_up": summed(table, keys, weights),
            "squares": loss * summed(table, keys, 0.002 * table[keys] * weights),
            "in_steps": 3 * summed(table, keys, weights),
        }
        for name, gradient in wanted.items():
            results = [kernels[name, threads](table, keys, weights) for threads in (1, 2)]
            np.testing.assert_allclose(results[0][1], gradient, rtol=1e-10, atol=1e-11)
            assert results[0][1].tobytes() == results[1][1].tobytes()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sizes", [(40, 40), (40, 50)])
def test_two_tables_with_the_same_keys(sizes: tuple[int, int]) -> None:
    table, keys, weights = arguments(40, 5003)
    other = np.arange(float(sizes[1]))
    keys = np.abs(keys) % 40
    for threads in (1, 2):
        gradient = tl.compile(tl.grad(two_tables, (0, 1)), (table, other, keys, weights), threads=threads)
        first, second = gradient(table, other, keys, weights)
        np.testing.assert_allclose(first, summed(table, keys, weights), rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(second, summed(other, keys, np.full(5003, -3.0)))


def test_single_precision_and_special_values() -> None:
    """NaN and infinity stay in their bins."""
    keys = np.arange(5003) % 11
    weights = np.ones(5003, np.float32)
    weights[[3, 4, 15]] = np.nan, np.inf, -np.inf

    @tl.function
    def program(table: tl.f32[:], keys: tl.i64[:], weights: tl.f32[:]):
        return tl.sum(table[keys] * weights)

    table = np.zeros(11, np.float32)
    gradient = tl.compile(tl.grad(program), (table, keys, weights), threads=2)(table, keys, weights)
    counts = np.bincount(keys).astype(np.float32)
    counts[[3, 4]] = np.nan
    np.testing.assert_array_equal(gradient, counts)


def histogram_text(operation: str, promise: str = "") -> str:
    """A program that combines 3 x in the bin of each key, starting from the bins that it is given."""
    return function(
        "(%dest: tensor<?xf64>, %keys: tensor<?xi64>, %xs: tensor<?xf64>) -> tensor<?xf64>",
        f"""
  %three = arith.constant 3.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xi64>
  %h = "soac.fused_hist"(%n, %keys, %xs, %dest, %zero) ({{
  ^bb0(%i: index, %key: i64, %x: f64):
    %k = arith.index_cast %key : i64 to index
    %v = arith.mulf %x, %three : f64
    "soac.yield"(%k, %v) : (index, f64) -> ()
  }}, {{
  ^bb0(%a: f64, %b: f64):
    %c = {operation} : f64
    "soac.yield"(%c) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 2, 1, 1>{promise}}}
    : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %h : tensor<?xf64>
""",
    )


@pytest.mark.one_in(8)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bins", [0, 5, 2000])
def test_keys_outside_are_ignored(mode: str, size: int, bins: int) -> None:
    random = np.random.default_rng(size)
    dest, keys, xs = random.normal(size=bins), random.integers(-2, bins + 2, size), random.normal(size=size)
    inside = (keys >= 0) & (keys < bins)
    wanted = dest + summed(dest, keys[inside], 3 * xs[inside])
    check(histogram_text("arith.addf %a, %b"), (dest, keys, xs), wanted, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_other_operators(mode: str) -> None:
    random = np.random.default_rng(0)
    dest, keys, xs = np.zeros(5), random.integers(0, 5, 5003), random.normal(size=5003)
    wanted = dest.copy()
    np.maximum.at(wanted, keys, 3 * xs)
    check(histogram_text("arith.maximumf %a, %b", f", {ALL_KEYS}"), (dest, keys, xs), wanted, mode=mode)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(-9, 8), st.floats(-1e3, 1e3)), max_size=300), st.integers(1, 2))
def test_any_keys(pairs: list[tuple[int, float]], threads: int) -> None:
    keys = np.array([key for key, _ in pairs], np.int64)
    weights = np.array([weight for _, weight in pairs], float)
    table = np.zeros(9)
    gradient = tl.jit(tl.grad(looked_up), threads=threads)(table, keys, weights)
    np.testing.assert_allclose(gradient, summed(table, keys, weights), rtol=1e-9, atol=1e-9)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("read", ["arith.mulf %x, %three", "arith.mulf %other, %three"])
def test_what_is_read_is_not_overwritten(mode: str, read: str) -> None:
    """The array that values come from, element by element or at the key, is where they are added."""
    text = function(
        "(%keys: tensor<?xi64>, %start: tensor<?xf64>) -> tensor<?xf64>",
        f"""
  %three = arith.constant 3.0 : f64
  %n = tensor.dim %keys, %c0 : tensor<?xi64>
  %dest = "soac.map"(%n, %start) ({{
  ^bb0(%i: index, %x: f64):
    %y = arith.addf %x, %one : f64
    "soac.yield"(%y) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 0>}} : (index, tensor<?xf64>) -> tensor<?xf64>
  %h = "soac.fused_hist"(%n, %keys, %dest, %dest, %zero) ({{
  ^bb0(%i: index, %key: i64, %x: f64):
    %k = arith.index_cast %key : i64 to index
    %other = tensor.extract %dest[%k] : tensor<?xf64>
    %v = {read} : f64
    "soac.yield"(%k, %v) : (index, f64) -> ()
  }}, {{
  ^bb0(%a: f64, %b: f64):
    %c = arith.addf %a, %b : f64
    "soac.yield"(%c) : (f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 2, 1, 1>}}
    : (index, tensor<?xi64>, tensor<?xf64>, tensor<?xf64>, f64) -> tensor<?xf64>
  return %h : tensor<?xf64>
""",
    )
    start = np.arange(7.0)
    keys = np.array([3, 3, 0, 0, 1, 6, 3])
    values = start + 1 if "%x" in read else (start + 1)[keys]
    check(text, (keys, start), start + 1 + summed(start, keys, 3 * values), mode=mode)
