"""Closed forms that take a few dear rounds: loops of few steps go step by step, with the same slopes."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def two_values(x: tl.f64, y: tl.f64, z: tl.f64, n: tl.i64):
    w = z
    for _ in range(n):
        x, w = x + w * y, w * z
    return x * w


@tl.function
def turning(x: tl.f64, y: tl.f64, z: tl.f64, n: tl.i64):
    w = z
    for _ in range(n):
        x, w = y * x - z * w, z * x + y * w
    return x * w


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [two_values, turning], ids=["two values", "turning"])
def test_slopes_with_few_and_with_many_steps(function):
    mine, other = (tl.jit(tl.grad(function, argnums=(0, 1, 2), method=method)) for method in ("coarsened", "redundant"))
    for steps in (-1, 0, 1, 2, 15, 23, 24, 25, 65, 66, 67, 200):
        np.testing.assert_allclose(mine(0.7, 0.6, 0.8, steps), other(0.7, 0.6, 0.8, steps), rtol=1e-11)


def test_which_way_is_asked_of_the_number_of_steps():
    """In arrays, all lanes take the same way."""
    points = np.random.default_rng(4).uniform(0.4, 0.9, (3, 37))

    @tl.function
    def total(x, y, z, n):
        return tl.sum(tl.map(lambda x, y, z: two_values(x, y, z, n), x, y, z))

    for steps in (3, 300):
        mine, other = (
            tl.grad(total, argnums=(0, 1, 2), method=method)(*points, steps) for method in ("coarsened", "redundant")
        )
        for one, expected in zip(mine, other, strict=True):
            np.testing.assert_allclose(one, expected, rtol=1e-11, atol=1e-300)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("function", [two_values, turning], ids=["two values", "turning"])
def test_second_derivatives(function):
    for steps in (3, 100):
        mine, other = (
            tl.grad(tl.grad(function, method=method), argnums=(0, 1, 2), method=method)(0.7, 0.6, 0.8, steps)
            for method in ("coarsened", "redundant")
        )
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-14)
