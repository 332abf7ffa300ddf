"""Scans of arrays so large that they run in vectors: elements of any type and place, and values that are no numbers."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

from ..running import MODES, check, function, run

MATRIX = "tensor<?x3xf64>"
SIZES = [8_032, 8_033, 20_007]
modes = pytest.mark.parametrize("mode", MODES)
sizes = pytest.mark.parametrize("n", SIZES)


def scan(element: str, operator: str, neutral: str, reverse: str = "false") -> str:
    """A scan with one operation."""
    array = f"tensor<?x{element}>"
    return function(
        f"(%x: {array}) -> {array}",
        f"""
  %n = tensor.dim %x, %c0 : {array}
  %e = arith.constant {neutral} : {element}
  %r = "soac.scan"(%n, %x, %e) ({{
  ^bb0(%a: {element}, %b: {element}):
    %c = {operator} %a, %b : {element}
    "soac.yield"(%c) : ({element}) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 1, 1>, exclusive = false, reverse = {reverse}}}
    : (index, {array}, {element}) -> {array}
  return %r : {array}
""",
    )


@pytest.mark.one_in(2)
@modes
@sizes
def test_integers_and_narrow_floats(mode: str, n: int) -> None:
    rng = np.random.default_rng(n)
    whole = rng.integers(-9, 9, n)
    check(scan("i64", "arith.addi", "0"), (whole,), np.cumsum(whole), mode=mode)
    check(scan("i64", "arith.maxsi", "-99"), (whole,), np.maximum.accumulate(whole), mode=mode)
    narrow = rng.integers(-9, 9, n).astype(np.float32)
    check(scan("f32", "arith.addf", "0.0"), (narrow,), np.cumsum(narrow), mode=mode)


@pytest.mark.one_in(2)
@modes
@sizes
def test_truth_values(mode: str, n: int) -> None:
    x = np.random.default_rng(n).random(n) < 0.5
    check(scan("i1", "arith.xori", "0"), (x,), np.logical_xor.accumulate(x), mode=mode)


@pytest.mark.one_in(8)
@modes
@pytest.mark.parametrize("place", [None, 0, 5, 8_020, 8_032])
def test_extremes_keep_what_is_no_number(mode: str, place: int | None) -> None:
    x = np.random.default_rng(3).normal(size=8_033)
    if place is not None:
        x[place] = np.nan
    check(scan("f64", "arith.minimumf", "0x7FF0000000000000"), (x,), np.minimum.accumulate(x), mode=mode)
    check(scan("f64", "arith.maximumf", "0xFFF0000000000000"), (x,), np.maximum.accumulate(x), mode=mode)
    backwards = scan("f64", "arith.minimumf", "0x7FF0000000000000", "true")
    check(backwards, (x,), np.minimum.accumulate(x[::-1])[::-1], mode=mode)


COLUMN_AND_REVERSED = function(
    f"(%x: {MATRIX}, %y: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)",
    f"""
  %n = tensor.dim %x, %c0 : {MATRIX}
  %column = tensor.extract_slice %x[0, 1] [%n, 1] [1, 1] : {MATRIX} to tensor<?xf64>
  %turned = "soac.reverse"(%y) {{axis = 0 : i64}} : (tensor<?xf64>) -> tensor<?xf64>
  %r, %s = "soac.scan"(%n, %column, %turned, %zero, %zero) ({{
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64):
    %p = arith.addf %a, %c : f64
    %q = arith.addf %b, %d : f64
    "soac.yield"(%p, %q) : (f64, f64) -> ()
  }}) {{operandSegmentSizes = array<i32: 1, 2, 2>, exclusive = false, reverse = false}}
    : (index, tensor<?xf64>, tensor<?xf64>, f64, f64) -> (tensor<?xf64>, tensor<?xf64>)
  return %r, %s : tensor<?xf64>, tensor<?xf64>
""",
)


@pytest.mark.one_in(3)
@modes
@sizes
def test_columns_and_arrays_turned_around(mode: str, n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.integers(-9, 9, (n, 3)).astype(float), rng.integers(-9, 9, n).astype(float)
    check(COLUMN_AND_REVERSED, (x, y), np.cumsum(x[:, 1]), np.cumsum(y[::-1]), mode=mode)


@pytest.mark.one_in(2)
@sizes
def test_any_number_of_threads_gives_the_same_bits(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    for text in (scan("f64", "arith.addf", "0.0"), scan("f64", "arith.mulf", "1.0", "true")):
        (one,), (two,) = run(text, x, mode="fast"), run(text, x, mode="threads")
        np.testing.assert_array_equal(one, two)


@tl.function
def into_columns_and_every_other(x):
    columns, places = tl.zeros((len(x), 2)), tl.zeros(2 * len(x))
    columns[:, 1] = tl.cumsum(x)
    places[::2] = tl.scan(tl.maximum, -tl.inf, x, reverse=True)
    return columns, places


@sizes
def test_results_that_end_in_columns_and_at_every_other_place(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    columns, places = into_columns_and_every_other(x)
    np.testing.assert_allclose(columns, np.stack((np.zeros(n), np.cumsum(x)), axis=1), rtol=1e-9)
    wanted = np.zeros(2 * n)
    wanted[::2] = np.maximum.accumulate(x[::-1])[::-1]
    np.testing.assert_array_equal(places, wanted)
