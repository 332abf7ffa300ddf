"""Indices at the ends of the integers: the element Python names, or a refusal; sums that wrap prove nothing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tapeless as tl

from .table import EXTREMES, EXTREMES_32, HIGHEST, LENGTH, LOWEST, wrapped

X = np.arange(1.0, LENGTH + 1)


@tl.function
def at(x: tl.f64[:], i: tl.i64):
    return x[i]


@tl.function
def at_narrow(x: tl.f64[:], i: tl.i32):
    return x[i]


@tl.function
def at_sum(x: tl.f64[:], i: tl.i64, j: tl.i64):
    return x[i + j]


@tl.function
def from_the_end(x: tl.f64[:], k: tl.i64):
    return x[len(x) - k]


@tl.function
def gathered(x: tl.f64[:], indices: tl.i64[:]):
    return x[indices]


@tl.function
def written(x: tl.f64[:], i: tl.i64):
    x[i] = 9.0
    return x


@tl.function
def guarded(x: tl.f64[:], low: tl.i64, shift: tl.i64, high: tl.i64):
    total = 0.0
    if low + shift >= 0 and high + shift < len(x):
        for i in range(low, high):
            total += x[i + shift]
    return total


@tl.function
def neighbours(x: tl.f64[:], n: tl.i64):
    total = 0.0
    for i in range(n):
        total += x[i + 1]
    return total


@tl.function
def middle(x: tl.f64[:], i: tl.i64, j: tl.i64):
    if i >= 0 and j >= 0:
        return x[(i + j) // 2]
    return 0.0


def element(index: int) -> float | None:
    return X[index] if -LENGTH <= index < LENGTH else None


def found(function: tl.TapelessFunction, *arguments: object) -> float | None:
    try:
        return function(X, *arguments)
    except tl.IndexOutOfRange as error:
        assert "test_indices.py" in str(error)
        return None


def test_one_index() -> None:
    for i in EXTREMES:
        assert found(at, i) == element(i)
        assert found(from_the_end, i) == element(wrapped(LENGTH - i))
        if element(i) is None:
            for call in (lambda i=i: written(X, i), lambda i=i: gathered(X, np.array([0, i]))):
                with pytest.raises(tl.IndexOutOfRange):
                    call()
        else:
            assert written(X, i)[i] == 9.0
            assert gathered(X, np.array([0, i]))[1] == X[i]
    assert [found(at_narrow, i) for i in EXTREMES_32] == [element(i) for i in EXTREMES_32]


def test_sums_wrap_as_those_of_numpy() -> None:
    for i, j in product(EXTREMES, EXTREMES):
        assert found(at_sum, i, j) == element(wrapped(i + j)), (i, j)
        half = wrapped(i + j) // 2
        assert found(middle, i, j) == (element(half) if i >= 0 and j >= 0 else 0.0), (i, j)


def test_conditions_on_sums_that_wrap_prove_nothing() -> None:
    assert guarded(X, 0, 1, 2) == X[1] + X[2]
    with pytest.raises(tl.IndexOutOfRange, match="index 4 is out of range"):
        guarded(X, LOWEST, LOWEST, HIGHEST)


def test_checks_before_a_loop_do_not_add_to_its_bounds() -> None:
    assert [neighbours(X, n) for n in (LOWEST, 0, 3)] == [0.0, 0.0, 9.0]
    for n in (4, HIGHEST):
        with pytest.raises(tl.IndexOutOfRange, match="index 4 is out of range"):
            neighbours(X, n)


def test_a_constant_index_that_does_not_fit_is_refused() -> None:
    @tl.function
    def far(x: tl.f64[:]):
        return x[2**64]

    with pytest.raises(tl.TypeMismatch, match="does not fit"):
        far(X)
