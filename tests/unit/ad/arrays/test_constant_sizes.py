"""Functions whose sizes are arguments, called with constants: their results have static sizes wherever they go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled

import tapeless as tl

X = np.array([0.7, 1.3, 0.9, 1.1, 0.6])
KEYS = np.array([1, 3, 1, 9, 0])


@tl.function
def ones(x, n):
    return x * tl.ones(n)


@tl.function
def grid(x, n, m):
    return x * tl.ones((n, m))


@tl.function
def padded(x, n):
    return tl.concat((x, tl.zeros(n)))


@tl.function
def both(x, n):
    return ones(x, n), ones(x, n + 1)


@tl.function
def shaped(x, n, m):
    return tl.reshape(x, (n, m))


def maps(x):
    return tl.map(lambda e: ones(e, 2), x), tl.map(lambda e: grid(e, 2, 3), x), tl.map(lambda e: both(e, 2), x)


def maps_of_other_calls(x):
    return tl.map(lambda e: tl.checkpoint(ones)(e, 2), x), tl.vmap(lambda e: ones(e, 2))(x), ones(x[0], 0)


def loops(x):
    a = tl.ones(2)
    b = ones(x[0], 2)
    i = 0
    for j in range(3):
        a = a * ones(x[j], 2)
    while i < 2:
        b = b * ones(x[i], 2)
        i += 1
    return a, b


def branches(x):
    a = ones(x[0], 2) if x[0] > 0.5 else tl.ones(2)
    b = ones(x[0], 2)
    if x[1] > 0.5:
        b = padded(b, 1)
    return a, b, tl.where(x[0] > 0.0, ones(x[0], 2), ones(x[1], 2))


def operators(x):
    rows = tl.map(lambda e: ones(e, 2), x)
    folded = tl.reduce(lambda a, b: a * b, ones(1.0, 2), rows)
    return folded, tl.scan(lambda a, b: a * b, ones(1.0, 2), rows)


def histograms(x):
    rows = tl.map(lambda e: ones(e, 2), x)
    sums = tl.hist(lambda a, b: a + b, ones(0.0, 2), rows, KEYS, rows)
    return sums, tl.hist(lambda a, b: a * b, ones(1.0, 2), rows, KEYS, rows), tl.scatter(rows, tl.iota(5) - 2, rows)


def histograms_of_rows_known_when_running(x):
    rows = tl.outer(x, x)
    return tl.hist(lambda a, b: a * b, tl.ones(len(x)), rows, KEYS, rows + 1.0)


def arrays(x):
    a = tl.zeros((3, 2))
    a[1] = ones(x[0], 2)
    a[:, 0] = ones(x[1], 3)
    return tl.concat((ones(x[0], 2), x)), tl.stack((ones(x[0], 2), ones(x[1], 2))), a, padded(x, 2)


def shapes(x):
    return shaped(x, 5, 1), shaped(padded(x, 1), 2, 3), grid(x[0], 2, 3).T @ ones(x[1], 2), grid(x[0], 2, 3).sum(axis=0)


def literals(x):
    s = x[0] * x[1]
    return tl.dot(tl.stack((s, s * s, s, s, x[2])), x), tl.stack((tl.stack((s, x[0])), ones(x[1], 2))) @ ones(s, 2)


def derivatives(x):
    slope = tl.jacfwd(lambda e: ones(e, 2))(x[0])
    return slope, tl.jacrev(lambda v: v[0] * ones(v[1], 2))(x), tl.jvp(lambda e: ones(e, 2), (x[0],), (x[1],))


PROGRAMS = [
    maps,
    maps_of_other_calls,
    loops,
    branches,
    operators,
    histograms,
    histograms_of_rows_known_when_running,
    arrays,
    shapes,
    literals,
    derivatives,
]


@pytest.mark.one_in(14)
@pytest.mark.parametrize("program", PROGRAMS)
def test_value_and_derivatives(program: Callable[..., Any]) -> None:
    check_compiled(program, X)


def test_literal_in_memory_whose_size_is_known_when_running() -> None:
    """Elements are stored where an adjoint of the same size will be, which is a result of the function."""

    def product(s, y):
        return tl.dot(tl.stack((s, s * s)), y)

    slope, bar = tl.grad(tl.function(product), argnums=(0, 1))(1.5, np.array([2.0, 3.0]))
    np.testing.assert_allclose((slope, *bar), (2.0 + 2 * 1.5 * 3.0, 1.5, 2.25))


def test_negative_size_is_refused_by_the_callee() -> None:
    with pytest.raises(tl.ShapeMismatch, match="negative size -1"):
        tl.function(lambda x: ones(x, -1))(2.0)
