"""Second derivatives where a loop or a branch may change an array's size: its tangent changes with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl


@tl.function
def by_budget(a, b, n):
    for _ in tl.range(4, budget=40):
        b = b * 0.5
        a = b
    return a


@tl.function
def by_loop(a, b, n):
    for _ in range(n):
        b = b * 0.5
        a = b
    return a


@tl.function
def by_nest(a, b, n):
    for i in range(n):
        for _ in range(i + 1):
            b = tl.sin(b)
            a = b
    return a


@tl.function
def by_branch(a, b, n):
    if n > 2:
        a = b * b
    return a


@tl.function
def by_while(a, b, n):
    while n > 0:
        a = b * a[0]
        n -= 1
    return a


@tl.function
def in_a_loop(a, m, s):
    for _ in range(3):
        m[0] *= a
        a = a * s
    return tl.sum(m)


@tl.function
def in_a_nest(a, m, s):
    for _ in range(2):
        for _ in range(3):
            m[0] *= a
            a = a * s
    return tl.sum(m) + tl.sum(a)


@tl.function
def in_a_map(a, m, s):
    return tl.sum(tl.map(lambda r: tl.sum(r * a * a) * s, m))


@pytest.mark.one_in(42)
@pytest.mark.parametrize("after", [in_a_loop, in_a_nest, in_a_map], ids=lambda f: f.__name__)
@pytest.mark.parametrize("before", [by_budget, by_loop, by_nest, by_branch, by_while], ids=lambda f: f.__name__)
def test_second_derivative(before: Any, after: Any) -> None:
    @tl.function
    def loss(a, b, m, s, n):
        return after(before(a, b, n), m, s)

    @tl.function
    def curvature(a, b, m, s, n, da, db, dm, ds):
        def moved(a, b, m, s):
            return loss(a, b, m, s, n)

        return tl.hvp(moved, (a, b, m, s), (da, db, dm, ds))

    rng = np.random.default_rng(3)
    given = [*(0.5 + rng.random(shape) for shape in (5, 5, (2, 5))), 0.8]
    along = [*(rng.standard_normal(shape) for shape in (5, 5, (2, 5))), 0.3]
    gradient = tl.grad(loss, argnums=(0, 1, 2, 3))
    step = 1e-5
    ahead, behind = (gradient(*(g + sign * step * d for g, d in zip(given, along, strict=True)), 3) for sign in (1, -1))
    for found, up, down in zip(curvature(*given, 3, *along), ahead, behind, strict=True):
        np.testing.assert_allclose(found, (up - down) / (2 * step), rtol=1e-6, atol=1e-6)
