"""Pairs by loops of which the inner one is shorter in some iterations, on the emulated GPU."""

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


def attraction(x, m):
    """The masses are another array than the places: sizes are compared when running."""
    energy = 0.0
    for i in range(len(m)):
        for j in range(i + 1, len(m)):
            dx = x[i, 0] - x[j, 0]
            dy = x[i, 1] - x[j, 1]
            energy -= m[i] * m[j] / np.sqrt(dx * dx + dy * dy + 0.01)
    return energy


def repulsion(x, m):
    """A pair of a point with itself, which is none of the program's, would divide by zero."""
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            square = 0.0
            for k in range(2):
                square += (x[i, k] - x[j, k]) ** 2
            if square < 4.0:
                energy += m[i] / square
    return energy


@pytest.mark.parametrize("function", [attraction, repulsion], ids=lambda function: function.__name__)
def test_values_and_gradients(function: Any) -> None:
    types = (tl.f64[:, :], tl.f64[:])
    gradient = tl.value_and_grad(tl.function(function), argnums=(0, 1))
    with emulated_cuda(keeps_kernels=True) as gpu:
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        for points in (0, 1, 2, 20, 70):
            random = np.random.default_rng(points)
            given = random.normal(size=(points, 2)), random.uniform(0.5, 2.0, points)
            value, gradients = kernel(*given)
            wanted, slopes = other(*given)
            assert np.isclose(value, wanted, rtol=1e-11), points
            for found, slope in zip(gradients, slopes, strict=True):
                assert np.allclose(found, slope, rtol=1e-10, atol=1e-10), points
        gpu.check_guards()


def test_more_places_than_masses() -> None:
    """Loops then go over a part of the array, which threads of its elements do not."""
    with emulated_cuda(keeps_kernels=True) as gpu:
        gradient = tl.grad(tl.function(attraction))
        types = (tl.f64[:, :], tl.f64[:])
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        random = np.random.default_rng(0)
        given = random.normal(size=(80, 3)), random.uniform(0.5, 2.0, 70)
        assert np.allclose(kernel(*given), other(*given), rtol=1e-10, atol=1e-10)
        gpu.check_guards()


def test_pairs_are_threads() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.grad(tl.function(attraction)), (tl.f64[:, :], tl.f64[:]), target="cuda")
        grids = [line for line in kernel.explain(tl.f64[1000, 2], tl.f64[1000]).splitlines() if "  grid" in line]
    assert grids and max(map(operations, grids)) < 5_000
