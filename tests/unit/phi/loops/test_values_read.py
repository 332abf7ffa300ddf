"""Loops whose derivative only stores no states: not where that runs dear steps twice, for values that are asked for."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

POINT = (0.7, 0.6, 0.8, 5)


@tl.function
def dear(x: tl.f64, y: tl.f64, z: tl.f64, n: tl.i64):
    for _ in range(n):
        x = tl.exp(-x * y) + z
    return x


@tl.function
def cheap(x: tl.f64, y: tl.f64, z: tl.f64, n: tl.i64):
    for _ in range(n):
        x = x + y / (x * x + z * z)
    return x


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("function", "transform", "is_solved"),
    [(dear, tl.grad, True), (dear, tl.value_and_grad, False), (cheap, tl.grad, True), (cheap, tl.value_and_grad, True)],
)
def test_which_loops_are_differentiated_as_a_whole(function, transform, is_solved):
    kernel = tl.compile(transform(function, argnums=(0, 1, 2), method="coarsened"), POINT)
    assert ("differentiated as a whole" in kernel.explain()) == is_solved
    found = kernel(*POINT) if transform is tl.grad else kernel(*POINT)[1]
    np.testing.assert_allclose(found, tl.grad(function, argnums=(0, 1, 2), method="redundant")(*POINT), rtol=1e-12)
