"""Products in loops, whose panels are memory that the loop keeps: values and derivatives for all sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl


@tl.function
def spread(a: tl.f64[:, :], start: tl.f64[:, :], steps: tl.i64):
    """A covariance that is carried through a linear map, for several scales of the map."""

    def scaled(scale):
        p = start
        for _ in range(steps):
            p = (scale * a) @ p @ (scale * a).T + start
        return p

    return tl.map(scaled, tl.array([0.5, 0.7, 0.9]))


@tl.function
def total(a: tl.f64[:, :], start: tl.f64[:, :]):
    return tl.sum(spread(a, start, 3))


def spread_by_numpy(a: np.ndarray, start: np.ndarray, steps: int) -> np.ndarray:
    found = []
    for scale in (0.5, 0.7, 0.9):
        p = start
        for _ in range(steps):
            p = (scale * a) @ p @ (scale * a).T + start
        found.append(p)
    return np.array(found)


def arguments(size: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(size)
    return rng.normal(size=(size, size)) / max(size, 1), rng.normal(size=(size, size))


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 7, 8, 17, 33, 100])
def test_products_in_loops_have_the_values_of_numpy(size: int) -> None:
    for steps in (0, 1, 4):
        expected = spread_by_numpy(*arguments(size), steps)
        np.testing.assert_allclose(spread(*arguments(size), steps), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_gradients_of_products_in_loops(method: str) -> None:
    tl.check_grads(total, arguments(4), order=1, methods=(method,))


def test_products_in_loops_are_the_same_on_threads() -> None:
    kernels = [tl.compile(spread, (*arguments(20), 4), threads=threads) for threads in (1, 2)]
    one, two = (kernel(*arguments(20), 4) for kernel in kernels)
    np.testing.assert_array_equal(one, two)
