"""Sums at places that go around an axis, gathered by the threads of the elements, on the emulated GPU."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)


def operations(grid: str) -> int:
    """How many operations a line of `explain` says that a thread has; none, if it is about kernels left out."""
    found = re.search(r"([\d,]+) operations", grid)
    return 0 if found is None else int(found[1].replace(",", ""))


def ring(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i - 1] * x[(i + 3) % len(x)]
    return total


def torus(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i, j] * (x[i - 2, (j + 1) % x.shape[1]] + x[(i + 1) % x.shape[0], j])
    return total


def diagonals(x):
    """Two places of one index: an iteration comes to some elements only."""
    total = 0.0
    for i in range(x.shape[0]):
        total += np.sin(x[i - 1, i]) * x[i, (i + 1) % x.shape[1]]
    return total


CASES = [(ring, 1, ((3,), (4,), (50,))), (torus, 2, ((2, 1), (2, 2), (9, 14))), (diagonals, 2, ((1, 1), (6, 6)))]


@pytest.mark.parametrize(("function", "rank", "shapes"), CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_gradients_are_those_of_the_cpu_and_differences(function: Any, rank: int, shapes: Any) -> None:
    gradient, types = tl.value_and_grad(tl.function(function)), (tl.f64[(slice(None),) * rank],)
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        for shape in shapes:
            x = np.random.default_rng(0).normal(size=shape)
            for found, wanted in zip(kernel(x), other(x), strict=True):
                assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12), shape
            step = np.zeros_like(x)
            step.flat[-1] = 1e-6
            slope = (function(x + step) - function(x - step)) / 2e-6
            assert np.isclose(kernel(x)[1].flat[-1], slope, atol=1e-8), shape


def test_elements_are_threads() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.grad(tl.function(torus)), (tl.f64[:, :],), target="cuda")
        grids = [line for line in kernel.explain(tl.f64[400, 400]).splitlines() if line.startswith("  grid")]
    assert grids and max(map(operations, grids)) < 1_000
