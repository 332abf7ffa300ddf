"""Reductions whose elements take many operations: a thread for each element, light ones four for a thread."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def light(x):
    return tl.sum(tl.map(lambda a: a * a, x))


def heavy(x):
    """Newton's method on every element, with as many steps as it takes, whose states the derivative needs."""

    def root(a):
        y = a
        change = 1.0
        while abs(change) > 1e-12:
            change = (y + np.sin(y) * 0.5 - a) / (1.0 + 0.5 * np.cos(y))
            y -= change
        return np.sin(y) * np.cos(y) + np.exp(-y * y) + np.sin(a) * np.log(1.0 + a * a)

    return tl.sum(tl.map(root, x))


def roots(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    for _ in range(60):
        y = y - (y + 0.5 * np.sin(y) - x) / (1.0 + 0.5 * np.cos(y))
    return y


def heavy_gradient(x: np.ndarray) -> np.ndarray:
    y = roots(x)
    by_root = np.cos(2.0 * y) - 2.0 * y * np.exp(-y * y)
    return by_root / (1.0 + 0.5 * np.cos(y)) + np.cos(x) * np.log(1.0 + x * x) + np.sin(x) * 2.0 * x / (1.0 + x * x)


def largest_grid(kernel: Any, count: int) -> int:
    lines = kernel.explain(tl.f64[count])
    return max(int(found.replace(",", "")) for found in re.findall(r"launch\w* of ([\d,]+) block", str(lines)))


@pytest.mark.parametrize(("function", "blocks"), [(light, 3), (heavy, 10)], ids=["light", "heavy"])
def test_heavy_elements_have_threads_of_their_own(function: Any, blocks: int) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, (tl.f64[:],), target="cuda")
        assert largest_grid(kernel, 2560) == blocks


def test_states_of_loops_that_end_by_themselves() -> None:
    """Threads keep as many states as they need, on their stacks: nothing is left of one element in the next."""
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.value_and_grad(heavy), (tl.f64[:],), target="cuda")
        for count in (1, 255, 1100):
            x = np.random.default_rng(count).uniform(-2.0, 2.0, count)
            value, gradient = kernel(x)
            y = roots(x)
            wanted = np.sum(np.sin(y) * np.cos(y) + np.exp(-y * y) + np.sin(x) * np.log(1.0 + x * x))
            assert np.isclose(value, wanted, rtol=1e-12)
            np.testing.assert_allclose(gradient, heavy_gradient(x), rtol=1e-9, atol=1e-9)
