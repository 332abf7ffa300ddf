"""Branches with loops in their arms, in lanes: an arm runs where one of the lanes takes it."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def one(x, n):
    if x > 0.5:
        y = x
        for k in range(n):
            y = 0.5 * y + tl.sin(y) * (1.0 + 0.1 * k)
    else:
        y = 3.0 * x
        for _ in range(n):
            y = -0.9 * y if y < 0.0 else y - 0.01
    return y


@tl.function
def all_of_them(xs, n):
    return tl.map(lambda x: one(x, n), xs)


SIZES = (0, 1, 7, 8, 9, 33, 100)


def expected(xs, n):
    found = np.where(xs > 0.5, xs, 3.0 * xs)
    for k in range(n):
        low = np.where(found < 0.0, -0.9 * found, found - 0.01)
        found = np.where(xs > 0.5, 0.5 * found + np.sin(found) * (1.0 + 0.1 * k), low)
    return found


@pytest.mark.parametrize("count", SIZES)
def test_values(count):
    xs = np.random.default_rng(count).normal(size=count)
    for n in (0, 1, 6):
        np.testing.assert_allclose(all_of_them(xs, n), expected(xs, n), rtol=1e-13, atol=1e-15)


def test_all_lanes_on_one_side():
    for shift in (5.0, -5.0):
        xs = shift + np.random.default_rng(1).random(64)
        np.testing.assert_allclose(all_of_them(xs, 5), expected(xs, 5), rtol=1e-13, atol=1e-15)


def test_gradients():
    xs = np.random.default_rng(2).normal(size=37)
    total = tl.function(lambda xs, n: tl.sum(all_of_them(xs, n)))
    step = 1e-6
    for method in ("redundant", "coarsened"):
        found = tl.grad(total, method=method)(xs, 5)
        slopes = (expected(xs + step, 5) - expected(xs - step, 5)) / (2 * step)
        np.testing.assert_allclose(found, slopes, rtol=1e-7, atol=1e-7)
