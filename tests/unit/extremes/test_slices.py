"""Bounds and steps of slices at the ends of the integers: what Python selects, never anything outside."""

from __future__ import annotations

from itertools import product

import numpy as np

import tapeless as tl

from .table import EXTREMES, EXTREMES_32, HIGHEST, LENGTH, LOWEST, wrapped

X, EMPTY = np.arange(1.0, LENGTH + 1), np.zeros(0)


def _all_steps(x, a, b):
    return (
        x[a:b],
        x[a:b:2],
        x[a:b:-1],
        x[a:b:-3],
        x[a:b:9223372036854775807],
        x[a:b:-9223372036854775807],
        x[a:],
        x[:b],
        x[a::-1],
        x[:b:-1],
    )


read = tl.function(_all_steps)


@tl.function
def read_narrow(x: tl.f64[:], a: tl.i32, b: tl.i32):
    return x[a:b], x[a:b:-1], tl.sum(x[b:a])


@tl.function
def summed(x: tl.f64[:], a: tl.i64, b: tl.i64):
    return x[a:b], tl.sum(x[a:b]), tl.sum(x[a:b:-2])


@tl.function
def square_of_slice(x: tl.f64[:], a: tl.i64, b: tl.i64):
    return tl.sum(x[a:b] * x[a:b])


@tl.function
def write(x: tl.f64[:], a: tl.i64, b: tl.i64):
    x[a:b] = 7.0
    x[a:b:-2] *= 2.0
    return x


@tl.function
def rows_and_columns(x: tl.f64[:, :], a: tl.i64, b: tl.i64):
    return x[a:b, b:a], x[:, a:b]


@tl.function
def shifted(x: tl.f64[:], a: tl.i64, b: tl.i64):
    return tl.sum(x[a + 1 : b - 1])


def test_all_pairs_of_bounds_select_what_python_selects() -> None:
    for x, a, b in product((X, EMPTY), EXTREMES, EXTREMES):
        for found, wanted in zip(read(x, a, b), _all_steps(x, a, b), strict=True):
            np.testing.assert_array_equal(found, wanted, f"{a}, {b} of {len(x)}")
        part, total, backwards = summed(x, a, b)
        np.testing.assert_array_equal(part, x[a:b])
        assert (total, backwards) == (x[a:b].sum(), x[a:b:-2].sum())


def test_narrow_bounds() -> None:
    for a, b in product(EXTREMES_32, EXTREMES_32):
        part, backwards, total = read_narrow(X, a, b)
        np.testing.assert_array_equal(part, X[a:b])
        np.testing.assert_array_equal(backwards, X[a:b:-1])
        assert total == X[b:a].sum()


def test_gradients_and_writes_and_more_axes() -> None:
    gradient, table = tl.grad(square_of_slice), np.arange(12.0).reshape(LENGTH, 3)
    for a, b in product(EXTREMES, EXTREMES):
        wanted = np.zeros(LENGTH)
        wanted[a:b] = 2 * X[a:b]
        np.testing.assert_array_equal(gradient(X, a, b), wanted)
        changed = X.copy()
        changed[a:b] = 7.0
        changed[a:b:-2] *= 2.0
        np.testing.assert_array_equal(write(X, a, b), changed)
        for found, part in zip(rows_and_columns(table, a, b), (table[a:b, b:a], table[:, a:b]), strict=True):
            np.testing.assert_array_equal(found, part)


def test_bounds_that_are_computed_wrap_as_the_arithmetic_does() -> None:
    for a, b in product(EXTREMES, EXTREMES):
        assert shifted(X, a, b) == X[wrapped(a + 1) : wrapped(b - 1)].sum()


def test_constant_bounds() -> None:
    @tl.function
    def constant(x: tl.f64[:]):
        return x[LOWEST:HIGHEST], x[HIGHEST:LOWEST], x[HIGHEST:LOWEST:-1], x[:: 2**63 - 1], x[:: -(2**63)]

    wanted = X, EMPTY, X[::-1], X[:1], X[-1:]
    for found, part in zip(constant(X), wanted, strict=True):
        np.testing.assert_array_equal(found, part)
