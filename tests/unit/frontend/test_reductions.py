"""Reductions, scans, and what sorts: whole arrays, along every axis, and as methods."""

import math

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare, run
from tapeless.errors import ShapeMismatch

X = np.array([3.0, -1.0, 4.0, -1.0, 4.0])
M = np.array([[3.0, -1.0, 4.0, 1.0], [5.0, -9.0, 2.0, 6.0], [5.0, 3.0, -9.0, 6.0]])
T = np.random.default_rng(1).normal(size=(2, 3, 4))
REDUCTIONS = ["sum", "prod", "min", "max", "mean", "argmin", "argmax", "any", "all"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("array", [X, M, T])
def test_reductions(name, array):
    operator, reference = getattr(tl, name), getattr(np, name)
    compare(run(lambda x: operator(x), array), reference(array))
    for axis in range(-array.ndim, array.ndim):
        along = axis
        compare(run(lambda x: operator(x, axis=along), array), reference(array, axis=axis))


def test_reduced_axes_may_stay_with_size_1():
    check(
        lambda x: (
            x / np.sum(x * x, axis=1, keepdims=True),
            x - x.max(axis=0, keepdims=True),
            np.mean(x, keepdims=True),
            np.argmin(x, axis=-1, keepdims=True),
            np.any(x > 3.0, axis=1, keepdims=True),
            np.linalg.norm(x, axis=0, keepdims=True) * x,
            x.prod(axis=0, keepdims=False),
        ),
        M,
    )
    powers = np.log(np.exp(T).sum(axis=1, keepdims=True))
    compare(run(lambda x: x + tl.logsumexp(x, axis=1, keepdims=True), T), T + powers)
    with pytest.raises(tl.FrontendError, match="'keepdims' is not known when compiling"):
        run(lambda x, k: tl.sum(x, keepdims=k > 0), X, 1)


def test_methods():
    def f(x):
        return (
            x.sum(),
            x.sum(axis=0),
            x.sum(1),
            x.mean(axis=1),
            x.max(),
            x.min(axis=0),
            x.argmax(),
            x.argmin(axis=1),
            x.prod(),
        )

    check(f, M)
    check(lambda x: (x.cumsum(axis=1), (x > 0).any(), (x > -10).all(axis=0), x.argsort(), x.copy(), x.round()), M)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_scans(axis):
    along = axis
    compare(run(lambda x: (tl.cumsum(x, along), tl.cumprod(x, axis=along)), T), (T.cumsum(axis), T.cumprod(axis)))


def test_reductions_of_integers_and_bools():
    def f(n, b):
        return np.sum(n), np.max(n), np.min(n), np.mean(n), np.sum(b), np.prod(n), np.any(n), np.all(n), np.argmin(n)

    check(f, np.array([3, -2, 7]), np.array([True, False, True]))
    check(f, np.array([3, -2, 7], np.int32), np.array([True, False, True]))


def test_reductions_of_scalars():
    check(lambda x: (np.sum(x), np.max(x), np.mean(x)), 2.5)


def test_reductions_of_nothing():
    empty = np.zeros(0)
    compare(run(lambda x: (tl.sum(x), tl.prod(x), tl.any(x), tl.all(x)), empty), (0.0, 1.0, False, True))
    assert run(lambda x: tl.logsumexp(x), empty) == -math.inf
    for operator in (tl.min, tl.max, tl.argmin, tl.argmax):
        reduction = operator
        with pytest.raises(ShapeMismatch, match="an array without elements has no smallest or largest one"):
            run(lambda x: reduction(x), empty)


def test_not_a_number_wins():
    x = np.array([1.0, math.nan, 5.0, math.nan])
    compare(run(lambda x: (tl.max(x), tl.min(x)), x), (math.nan, math.nan))
    assert run(lambda x: (tl.argmax(x), tl.argmin(x)), x) == (1, 1)


def test_positions_when_everything_is_infinite():
    assert run(lambda x: (tl.argmax(x), tl.argmin(-x)), np.full(3, -math.inf)) == (0, 0)


def test_soft_maxima():
    def f(x):
        return tl.logsumexp(x), tl.softmax(x), tl.logsumexp(x, axis=0), tl.softmax(x, axis=0), tl.logsumexp(x, axis=1)

    def soft(x, axis):
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)

    lse = np.logaddexp.reduce
    compare(run(f, M), (lse(M.ravel()), soft(M, -1), lse(M, axis=0), soft(M, 0), lse(M, axis=1)))
    assert run(lambda x: tl.logsumexp(x), np.full(2, -math.inf)) == -math.inf
    compare(run(lambda x: tl.logsumexp(x), np.array([1e300, 1e300])), 1e300)


def test_norms():
    compare(run(lambda x: (tl.norm(x), tl.norm(x, axis=1)), M), (np.sqrt((M**2).sum()), np.sqrt((M**2).sum(1))))


def test_sorting():
    def f(x, m):
        return tl.sort(x), tl.argsort(x), tl.sort(m), tl.sort(m, axis=0), tl.argsort(m, axis=0)

    expected = (
        np.sort(X),
        np.argsort(X, kind="stable"),
        np.sort(M),
        np.sort(M, axis=0),
        np.argsort(M, axis=0, kind="stable"),
    )
    compare(run(f, X, M), expected)
    compare(run(lambda n: tl.sort(n), np.array([3, 1, 2])), np.array([1, 2, 3]))


def test_extremes_of_several_arguments():
    check(lambda x, n: (max(x, n), min(x, 3, n), max(n, 3), min(n, 10)), 4.5, 4, expected=(4.5, 3.0, 4, 4))
