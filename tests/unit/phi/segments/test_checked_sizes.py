"""Checks that tell the sizes of what a loop carries stay in it, and fail only if the loop runs."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def chosen(v, m, w, n):
    for _ in m:
        count = 0
        while count < n:
            m = tl.where(v, m, tl.max(m, axis=1))
            count += 1
    return tl.sum(m * w)


@tl.function
def added(v, m, w, n):
    for _ in range(n):
        m = m + v
    return tl.sum(m * w)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", [chosen, added], ids=lambda f: f.__name__)
def test_sizes_that_only_checks_compare(program, method: str) -> None:
    rng = np.random.default_rng(0)
    v, square, tall = rng.random(7), rng.random((7, 7)), rng.random((7, 2))
    gradient = tl.grad(program, argnums=1, method=method)
    for n in (0, 2):
        expected = tl.grad(program, argnums=1)(v, square, square, n)
        np.testing.assert_allclose(gradient(v, square, square, n), expected, rtol=1e-14)
    np.testing.assert_allclose(gradient(v, tall, tall, 0), tall)
    with pytest.raises(tl.ShapeMismatch, match=r"sizes \d and \d of axis 1 do not match"):
        gradient(v, tall, tall, 1)
