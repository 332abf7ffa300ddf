"""Slices whose step is known when running, lists as indices, `divmod`: as numpy, with derivatives by every method."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check

X, M = np.arange(10.0) - 3.5, np.arange(30.0).reshape(5, 6)
METHODS = ("redundant", "reversible", "coarsened")
BOUNDS = ((None, None), (-20, -4), (-3, 40), (0, 0), (2, 9), (9, 0), (10, -20), (30, 2))
STEPS = (1, 3, -1, -2, 100, -100, 2**62, -(2**63))


def both(x, a, b, s):
    y = x * 1
    y[a:b:s] = 9.0
    y[a:b:s] += x[a:b:s]
    y[::s] *= 2.0
    return x[a:b:s], x[a::s], x[:b:s], x[::s], y


def test_every_sign_and_bound():
    f = tl.function(both)
    for (a, b), s in itertools.product(BOUNDS[1:], STEPS):
        for x in (X, X[:1], X[:0]):
            for result, expected in zip(f(x, a, b, s), both(x, a, b, s), strict=True):
                np.testing.assert_array_equal(result, expected, err_msg=f"{a}:{b}:{s} of {len(x)}")


@pytest.mark.parametrize(("s", "k"), [(1, 4), (2, 1), (-1, -2), (-3, 4)])
def test_beside_other_indices(s, k):
    def f(m, s, k):
        y = m * 1
        y[::s, 1::k] = m[::s, 1::k] * 2
        y[2, ::s] -= 1
        y[[0, 2], ::s] += 5
        y[::-1, 4:0:k][0] = 3.0
        several = m[::s, 2], m[1, ::k], m[None, ::s], m[::s, [1, 2]], m[[0, 1], ::k], m[::s, ::-1], m[..., ::k]
        return m[::s, ::k], y, several

    check(f, M, s, k)


def test_lists_are_index_arrays_and_tuples_are_not():
    def f(m, k):
        rows, place = [0, k], (0, k)
        y = m * 1
        y[[k, 3]] += 1.0
        return m[rows], m[[0, 2], [1, k]], m[place], m[:, [k, 0, -1]], m[[[0, 1], [k, 0]]], y

    check(f, M, 2)


def test_step_of_zero():
    f = tl.jit(lambda x, s: x[::s])
    with pytest.raises(tl.ArgumentError, match=r"test_computed_steps.py:\d+: the step of a slice is 0; use a step"):
        f(X, 0)
    with pytest.raises(tl.ArgumentError, match="the step of a slice is 0"):
        tl.grad(lambda x, s: tl.sum(x[::s]))(X, 0)
    with pytest.raises(tl.ArgumentError, match="the step of a slice is 0"):
        tl.jit(lambda x: x[::0])(X)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
def test_derivatives(method):
    def loss(x, s):
        y = x * 1.0
        y[::s] = x[::s] ** 2
        y[1 : 7 : s * s] *= x[2]
        return np.sum(x[7:0:s] ** 3) + np.sum(y * y)

    given = tl.function(loss)
    for s in (-2, 3):
        steps = 1e-6 * np.eye(len(X))
        slopes = [(loss(X + h, s) - loss(X - h, s)) / 2e-6 for h in steps]
        np.testing.assert_allclose(tl.grad(given, method=method)(X, s), slopes, rtol=1e-5, atol=1e-5)
        rows = np.stack([X, X + 1])
        many = tl.vmap(tl.grad(given, method=method), in_axes=(0, None))(rows, s)
        np.testing.assert_allclose(many[0], slopes, rtol=1e-5, atol=1e-5)


def test_cells_are_read_and_not_changed_by_computed_steps():
    def adds(y: tl.f64, x: tl.In[tl.f64[:]], s: tl.In[tl.i64]):
        y += tl.sum(x[::s])

    def changes(y: tl.f64[:], s: tl.In[tl.i64]):
        y[::s] += 1.0

    assert tl.reversible(adds)(0.0, X, -3)[0] == X[::-3].sum()
    with pytest.raises(tl.FrontendError, match="a part with a step that is known when running"):
        tl.reversible(changes)(X, 2)


def test_divmod():
    def f(k, j, x, n, v):
        whole, rest = divmod(x, v)
        return divmod(k, j), np.divmod(x, 0.75), divmod(n, 3), divmod(-n, n), np.floor_divide(x, 2), whole + rest

    k = np.array([7, -7, 0, 9])
    check(f, k, np.array([2, 3, -4, -5]), X, 7, 1.25)
    slope = tl.grad(lambda x: divmod(x, 2.0)[1] * 3.0 + divmod(x, 2.0)[0])(7.5)
    assert slope == 3.0
