"""The first place of the smallest or largest element: numpy's answers, for every kind of number and place in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

NAN, INF, NOWHERE = np.nan, np.inf, 2**63 - 1
LINES = [
    [3.0, 1.0, 2.0, 1.0, 3.0],
    [0.0, -0.0, 0.0, -0.0],
    [-0.0, 0.0, -0.0],
    [INF, INF, INF],
    [-INF, -INF],
    [INF, 1e38, -INF, -INF],
    [1.0, NAN, -INF, NAN, INF],
    [NAN, NAN],
    [INF, NAN],
    [7.0],
    [5.0] * 40,
    [*range(40), *range(40)],
]


@tl.function
def first_smallest(x):
    return tl.argmin(x)


@tl.function
def first_largest(x):
    return tl.argmax(x)


@tl.function
def by_rows(x):
    return tl.argmin(x, axis=1), tl.argmax(x, axis=1)


@tl.function
def smallest_by_rows(x):
    return tl.argmin(x, axis=1)


@tl.function
def largest_by_rows(x):
    return tl.argmax(x, axis=1)


@tl.function
def smallest_of_columns(x):
    return tl.argmin(x, axis=0)


@tl.function
def of_columns(x):
    return tl.argmin(x, axis=0), tl.argmax(x, axis=0)


@tl.function
def of_parts(x: tl.f64[:, :]):
    return tl.argmin(x[:, 1:-1], axis=1), tl.argmax(x[::2, ::-1], axis=1), tl.argmin(x[:, ::3], axis=1), tl.argmax(x[2])


@tl.function
def of_made(x: tl.f64[:, :]):
    return tl.argmin(x * x - x, axis=1), tl.argmax(tl.sin(x[0]))


def both_loops(f: tl.TapelessFunction, *types: Any) -> bool:
    """Whether a search takes two loops: one for the best, and one for its place."""
    text = tl.compile(f, types).ir("lower-loops")
    return "arith.minsi" in text and "arith.minimumf" in text


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{len(line)} from {line[0]}")
def test_ties_infinities_and_what_is_no_number(line: list[float], dtype: type) -> None:
    x = np.array(line, dtype)
    assert first_smallest(x) == np.argmin(x) and first_largest(x) == np.argmax(x)
    assert first_smallest(x[::-1].copy()) == np.argmin(x[::-1]) and first_largest(x[::-1].copy()) == np.argmax(x[::-1])


@pytest.mark.one_in(24)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
@pytest.mark.parametrize("columns", [1, 2, 3, 7, 16, 33, 200])
def test_rows_and_columns(columns: int, dtype: type) -> None:
    random = np.random.default_rng(columns)
    for rows in (0, 1, 5, 130):
        x = random.integers(-20, 20, (rows, columns)).astype(dtype)
        if np.issubdtype(dtype, np.floating):
            x[random.random(x.shape) < 0.01] = NAN
        for found, wanted in zip(by_rows(x), (np.argmin, np.argmax), strict=True):
            assert np.array_equal(found, wanted(x, axis=1))
        assert np.array_equal(smallest_by_rows(x), np.argmin(x, axis=1))
        assert np.array_equal(largest_by_rows(x), np.argmax(x, axis=1))
        if rows:
            assert np.array_equal(smallest_of_columns(x), np.argmin(x, axis=0))
            for found, wanted in zip(of_columns(x), (np.argmin, np.argmax), strict=True):
                assert np.array_equal(found, wanted(x, axis=0))


def test_extreme_integers() -> None:
    ends = np.iinfo(np.int64)
    for line in ([ends.max, ends.max], [ends.min, ends.max, ends.min], [0, ends.max, ends.max]):
        x = np.array(line)
        assert first_smallest(x) == np.argmin(x) and first_largest(x) == np.argmax(x)


def test_slices() -> None:
    x = np.random.default_rng(1).integers(-9, 9, (41, 77)).astype(float)
    wanted = (
        np.argmin(x[:, 1:-1], axis=1),
        np.argmax(x[::2, ::-1], axis=1),
        np.argmin(x[:, ::3], axis=1),
        np.argmax(x[2]),
    )
    assert all(np.array_equal(found, each) for found, each in zip(of_parts(x), wanted, strict=True))


def test_elements_that_are_computed_are_computed_once() -> None:
    x = np.random.default_rng(2).standard_normal((19, 50))
    rows, place = of_made(x)
    assert np.array_equal(rows, np.argmin(x * x - x, axis=1)) and place == np.argmax(np.sin(x[0]))
    assert not both_loops(of_made, tl.f64[:, :])


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [1, 1000, 1025, 70_001])
def test_blocks_on_any_number_of_threads(size: int) -> None:
    random = np.random.default_rng(size)
    for x in (random.integers(0, 50, size).astype(float), np.where(random.random(size) < 1e-4, NAN, 1.0)):
        for threads in (1, 4):
            assert tl.jit(first_smallest, threads=threads)(x) == np.argmin(x)
            assert tl.jit(first_largest, threads=threads)(x) == np.argmax(x)


def choose(better: Callable[..., Any], start: int = NOWHERE) -> tl.TapelessFunction:
    """The place that an operator of the user's own finds."""

    def f(x: tl.f64[:]):
        return tl.reduce(better, (INF, start), x, tl.iota(len(x)))[1]

    return tl.function(f)


@tl.function
def last_smallest(v, i, w, j):
    is_right = (w < v) or (w == v and j > i)
    return (w if is_right else v), (j if is_right else i)


@tl.function
def without_nans(v, i, w, j):
    is_right = (w < v) or (w == v and j < i)
    return (w if is_right else v), (j if is_right else i)


def test_other_operators_are_what_they_are() -> None:
    x = np.array([3.0, 1.0, NAN, 2.0, 1.0, 3.0])
    assert choose(last_smallest)(x) == 4 and choose(without_nans)(x) == 1
    assert not both_loops(choose(last_smallest), tl.f64[:]) and not both_loops(choose(without_nans), tl.f64[:])


@tl.function
def first_of_all(v, i, w, j):
    is_right = (tl.isnan(w) and (not tl.isnan(v) or j < i)) or (not tl.isnan(v) and (w < v or (w == v and j < i)))
    return (w if is_right else v), (j if is_right else i)


@pytest.mark.parametrize("start", [0, -1, 3, NOWHERE])
def test_programs_may_start_from_any_place(start: int) -> None:
    f = choose(first_of_all, start)
    for x in (np.array([3.0, 1.0, 2.0, 1.0, 3.0]), np.array([1.0, NAN, 0.0])):
        assert f(x) == np.argmin(x)
    assert f(np.zeros(0)) == start


@tl.function
def with_value(x: tl.f64[:]):
    return tl.reduce(first_of_all, (INF, NOWHERE), x, tl.iota(len(x)))


def test_a_value_that_is_asked_for_is_the_element_found() -> None:
    x = np.array([1.0, 0.0, -0.0, 2.0])
    value, place = with_value(x)
    assert place == 1 and not np.signbit(value)


def test_which_searches_take_two_loops() -> None:
    assert both_loops(first_smallest, tl.f64[:]) and both_loops(smallest_by_rows, tl.f32[:, :])
    assert not both_loops(first_smallest, tl.f64[5])
    assert not both_loops(smallest_of_columns, tl.f64[:, :])
