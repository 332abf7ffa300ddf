"""Writes where masks hold, of one value for all places, of a row, and of one value for each place, as in numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

RNG = np.random.default_rng(3)
X, M, T = RNG.normal(size=5), RNG.normal(size=(3, 4)), RNG.normal(size=(2, 3, 2))
PLACES, ROWS, COLUMNS = (np.array(each, bool) for each in ([1, 0, 1, 1, 0], [1, 0, 1], [0, 1, 1, 0]))


def elements(x, v, b):
    x[b] = v * v
    x[b] += v
    x[b] /= v
    x[b] **= 2
    return x


def of_matrix(m, v, b):
    m[b] = v
    m[b] *= v
    return m


def columns(m, v, b):
    m[:, b] = v
    m[:, b] /= v[0]
    return m


def one_column(m, v, b):
    m[b, 1] = v
    m[b, 0] -= v
    m[0, m[0] > -9.0] *= 2.0
    return m


def both(m, v, b):
    m[b, v > 0] = 5.0
    m[b] = m[b] * 2.0
    return m


def itself(m, v, b):
    m[m > 0] = m[m > 0] ** 2 + v
    m[m < 0] -= m[m < 0] * 0.5
    return m


def middle(t, v, b):
    t[:, b] = v
    t[:, b, 0] *= v[0, :, 0]
    return t


def integers(k, v, b):
    k[b] = v
    k[b] //= 2
    k[b] <<= 1
    return k


CASES: dict[str, tuple[Callable[..., Any], Any, Any, np.ndarray]] = {
    "elements": (elements, X, np.array([0.5, -1.5, 2.0]), PLACES),
    "one element for all": (elements, X, np.array([1.5]), PLACES),
    "no place": (elements, X, np.zeros(0), np.zeros(5, bool)),
    "matrix": (of_matrix, M, RNG.normal(size=int((M > 0).sum())), M > 0),
    "rows": (of_matrix, M, RNG.normal(size=(2, 4)), ROWS),
    "one row": (of_matrix, M, RNG.normal(size=4), ROWS),
    "a number": (of_matrix, M, 1.5, ROWS),
    "columns": (columns, M, RNG.normal(size=(3, 2)), COLUMNS),
    "one column": (one_column, M, RNG.normal(size=2), ROWS),
    "two masks": (both, M, np.array([-1.0, 1.0, 1.0, -1.0]), ROWS),
    "itself": (itself, M, 0.1, ROWS),
    "the middle axis": (middle, T, RNG.normal(size=(2, 2, 2)), ROWS),
    "integers": (integers, np.arange(5), np.array([7, 8, 9]), PLACES),
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_numpy(name: str) -> None:
    function, array, values, mask = CASES[name]
    found = tl.function(function)(array, values, mask)
    wanted = function(array.copy(), values, mask)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
@pytest.mark.parametrize("name", ["elements", "one row", "columns", "itself"])
def test_derivatives(name: str, method: str) -> None:
    function, array, values, mask = CASES[name]
    along = RNG.normal(size=array.shape), RNG.normal(size=np.shape(values)) if np.ndim(values) else 0.3
    weights, step = RNG.normal(size=array.shape), 1e-6

    def moved(sign: float) -> np.ndarray:
        return function(array + sign * step * along[0], values + sign * step * along[1], mask)

    wanted = np.sum(weights * (moved(1.0) - moved(-1.0)) / (2.0 * step))
    bars = tl.vjp(function, array, values, mask, method=method)[1](weights)
    found = sum(float(np.sum(bar * each)) for bar, each in zip(bars[:2], along, strict=True))
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("count", [2, 4])
def test_another_number_of_values_is_refused(count: int) -> None:
    def write(x, v, b):
        x[b] = v
        return x

    with pytest.raises(ValueError, match="cannot assign"):
        write(X.copy(), np.ones(count), PLACES)
    with pytest.raises(tl.ShapeMismatch, match=rf"sizes 3 and {count} of axis 0 do not match"):
        tl.function(write)(X, np.ones(count), PLACES)


def test_rows_of_another_size_are_refused() -> None:
    def write(m, v, b):
        m[b] = v
        return m

    for m, v in ((M, np.ones(3)), (M[:, :1], np.ones(4))):
        with pytest.raises(tl.ShapeMismatch, match="do not match"):
            tl.function(write)(m, v, ROWS)
