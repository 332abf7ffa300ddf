"""Arrays that are built where they end: what is put somewhere too small, or outside, is refused before it is written.

Without that, the calls below write megabytes behind an array of a few bytes.
"""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

FEW, MANY = np.ones(3), np.ones(1_000_000)


@tl.function
def into_slice(x: tl.f64[:], k: tl.i64):
    y = tl.zeros(8)
    y[0:k] = tl.cumsum(x)
    return y


@tl.function
def into_computed_slice(k: tl.i64, m: tl.i64):
    y = tl.zeros(8)
    y[0:k] = tl.cumsum(tl.ones(m))
    return y


@tl.function
def into_row(x: tl.f64[:], i: tl.i64):
    y = tl.zeros((2, 3))
    y[i] = tl.cumsum(x)
    return y


@tl.function
def into_row_in_a_loop(x: tl.f64[:], n: tl.i64):
    y = tl.zeros((2, 3))
    for i in range(n):
        y[i] = tl.cumsum(x * y[0, 0])
    return y


@tl.function
def stacked(x: tl.f64[:], z: tl.f64[:]):
    return tl.stack((tl.cumsum(x), tl.cumsum(z)))


@tl.function
def beside(x: tl.f64[:], z: tl.f64[:, :]):
    return tl.concat((tl.cumsum(x)[:, None], z), axis=1)


@tl.function
def one_after_the_other(n: tl.i64, m: tl.i64):
    return tl.concat((tl.cumsum(tl.ones(n)), tl.ones(m)))


@tl.function
def rows_reduced(m: tl.f64[:, :], start: tl.f64[:]):
    return tl.reduce(lambda a, b: tl.cumsum(a + b), start, m)


FITTING = [
    (into_slice, (FEW, 3)),
    (into_computed_slice, (3, 3)),
    (into_row, (FEW, -1)),
    (into_row_in_a_loop, (FEW, 2)),
    (stacked, (FEW, FEW)),
    (beside, (FEW, np.ones((3, 2)))),
    (one_after_the_other, (3, 2)),
    (rows_reduced, (np.ones((2, 3)), np.zeros(3))),
]

TOO_LARGE = [
    (into_slice, (MANY, 3), tl.ShapeMismatch),
    (into_computed_slice, (3, 1_000_000), tl.ShapeMismatch),
    (into_row, (FEW, 1_000_000), tl.IndexOutOfRange),
    (into_row, (FEW, -3), tl.IndexOutOfRange),
    (into_row, (MANY, 1), tl.ShapeMismatch),
    (into_row_in_a_loop, (FEW, 1_000_000), tl.IndexOutOfRange),
    (into_row_in_a_loop, (MANY, 1), tl.ShapeMismatch),
    (stacked, (FEW, MANY), tl.ShapeMismatch),
    (stacked, (MANY, FEW), tl.ShapeMismatch),
    (beside, (FEW, np.ones((1_000_000, 2))), tl.ShapeMismatch),
    (beside, (MANY, np.ones((3, 2))), tl.ShapeMismatch),
    (one_after_the_other, (1_000_000, -999_999), tl.ShapeMismatch),
    (rows_reduced, (np.ones((2, 1_000_000)), np.zeros(3)), tl.ShapeMismatch),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments"), FITTING)
def test_what_fits_is_built_in_place(function: tl.TapelessFunction, arguments: tuple) -> None:
    assert np.all(np.isfinite(function(*arguments)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments", "error"), TOO_LARGE)
def test_what_does_not_fit_is_refused_before_it_is_written(
    function: tl.TapelessFunction, arguments: tuple, error: type[Exception]
) -> None:
    with pytest.raises(error, match=r"test_checked_places.py"):
        function(*arguments)
