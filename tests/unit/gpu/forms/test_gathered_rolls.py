"""Arrays that are rolled around an axis and read by maps, on the emulated GPU, against the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

METHODS = ("redundant", "reversible", "coarsened")


def steps(x, y):
    """Differences around both axes, both ways, in a loop over time."""
    for _ in range(3):
        y = y - 0.1 * (np.roll(x, -1, axis=0) - x) * y
        x = x - 0.1 * x * (y - np.roll(y, 1, axis=0) + np.roll(x, 1, axis=1) * y)
    return np.sum(x * x)


def far(x, y):
    """Shifts by more than the length of short axes, of one row, and of all elements."""
    product = np.roll(x, 3, axis=0) * np.roll(y, -5, axis=1) * np.roll(x, (1, 2), axis=(0, 1))
    return np.sum(product) + np.sum(np.roll(x[0], 2) * y[0]) + np.sum(np.roll(x, 1) * y)


def rows(x, y):
    """Whole rows of a roll, which are read in another way than element by element."""
    turned = np.roll(x, 1, axis=0)
    return np.sum(tl.map(lambda row, other: tl.logsumexp(row) * other[0], turned, y)) + turned[0, 0]


PROGRAMS = {function.__name__: function for function in (steps, far, rows)}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_as_on_the_cpu(program: Callable[..., Any], method: str) -> None:
    gradient = tl.value_and_grad(program, (0, 1), method=method)
    with emulated_cuda() as gpu:
        kernel = tl.compile(gradient, (tl.f64[:, :], tl.f64[:, :]), target="cuda")
        for shape in ((12, 13), (1, 20), (2, 2), (5, 1)):
            rng = np.random.default_rng(sum(shape))
            given = rng.normal(size=shape), 0.1 + rng.random(shape)
            value, parts = gradient(*given)
            for _ in range(2):
                found, found_parts = kernel(*given)
                assert found == pytest.approx(value, rel=1e-12)
                for part, found_part in zip(parts, found_parts, strict=True):
                    np.testing.assert_allclose(found_part, part, rtol=1e-10, atol=1e-12)
        gpu.check_guards()


def test_steps_take_few_launches() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.value_and_grad(steps, (0, 1)), (tl.f64[:, :], tl.f64[:, :]), target="cuda")
        lines = kernel.explain(tl.f64[500, 500], tl.f64[500, 500]).splitlines()
    assert int(next(line for line in lines if line.startswith("  gpu")).split()[1]) <= 3 * 12 + 10


def by_hand(x, y, k):
    """The same reads as written out; the shift is the user's, and is in range for every element."""
    n = len(x)
    total = 0.0
    for i in range(n):
        place = i + k
        total += np.sin(x[place if place < n else place - n]) * y[i]
    return total


def test_places_that_users_turn() -> None:
    gradient = tl.value_and_grad(by_hand, (0, 1))
    with emulated_cuda():
        kernel = tl.compile(gradient, (tl.f64[:], tl.f64[:], tl.i64), target="cuda")
        for n, k in ((11, 0), (11, 4), (11, 10), (11, 11), (1, 1), (30, 7)):
            rng = np.random.default_rng(n)
            given = rng.normal(size=n), rng.normal(size=n), k
            value, parts = gradient(*given)
            found, found_parts = kernel(*given)
            assert found == pytest.approx(value, rel=1e-12)
            for part, found_part in zip(parts, found_parts, strict=True):
                np.testing.assert_allclose(found_part, part, rtol=1e-10, atol=1e-12)
