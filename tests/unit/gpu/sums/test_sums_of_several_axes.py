"""Sums over several axes inside of maps, of which threads of a team have elements, on the emulated GPU."""

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


def by_slices(kernels, images):
    """A filter of three by three as a sum of shifted images."""
    height, width = images.shape[1], images.shape[2]

    def one(image):
        def channel(kernel):
            value = np.zeros_like(image[2:, 2:])
            for di in range(3):
                for dj in range(3):
                    value += kernel[di, dj] * image[di : height - 2 + di, dj : width - 2 + dj]
            return np.mean(np.maximum(value, 0.0))

        return np.sum(tl.map(channel, kernels) ** 2)

    return np.mean(tl.map(one, images))


def by_elements(kernels, images):
    count, height, width = images.shape
    loss = 0.0
    for n in range(count):
        for c in range(len(kernels)):
            pooled = 0.0
            for i in range(height - 2):
                for j in range(width - 2):
                    value = 0.0
                    for di in range(3):
                        for dj in range(3):
                            value += kernels[c, di, dj] * images[n, i + di, j + dj]
                    pooled += max(value, 0.0)
            loss += (pooled / ((height - 2) * (width - 2))) ** 2
    return loss / count


def curvature(w, x):
    """Second derivatives by directions, whose sums begin with those of a penalty."""

    def loss(v):
        return np.sum(np.tanh(x @ v)) + 0.05 * np.dot(v, v)

    return tl.hessian(loss)(w)


def narrow(x, w):
    """A long product with few columns."""
    return np.sum(np.tanh(x.T @ w) ** 2)


FILTERS = ((1, 3, 3), (2, 5, 4), (3, 40, 9))
CASES = (
    (tl.grad(tl.function(by_slices), argnums=(0, 1)), ((4, 3, 3),), FILTERS),
    (tl.grad(tl.function(by_elements), argnums=(0, 1)), ((4, 3, 3),), FILTERS),
    (tl.function(curvature), ((1,), (7,)), ((3, 1), (90, 7))),
    (tl.grad(tl.function(narrow), argnums=(0, 1)), ((2, 3), (100, 3)), ((2, 2), (100, 5))),
)
NAMES = ("by_slices", "by_elements", "curvature", "narrow")


@pytest.mark.parametrize(("function", "first", "second"), CASES, ids=NAMES)
def test_results_are_those_of_the_cpu(function: Any, first: Any, second: Any) -> None:
    types = tuple(tl.f64[(slice(None),) * len(shapes[0])] for shapes in (first, second))
    pairs = [(left, right) for left, right in zip(first * len(second), second, strict=False)]
    with emulated_cuda(keeps_kernels=True) as gpu:
        kernel, other = tl.compile(function, types, target="cuda"), tl.compile(function, types)
        for shapes in pairs:
            random = np.random.default_rng(0)
            given = [random.normal(size=shape) for shape in shapes]
            found, wanted = kernel(*given), other(*given)
            if not isinstance(found, tuple):
                found, wanted = (found,), (wanted,)
            for one, another in zip(found, wanted, strict=True):
                assert np.allclose(one, another, rtol=1e-11, atol=1e-12), shapes
        gpu.check_guards()


def test_no_thread_goes_through_an_image() -> None:
    with emulated_cuda(keeps_kernels=True):
        gradient = tl.grad(tl.function(by_slices), argnums=(0, 1))
        kernel = tl.compile(gradient, (tl.f64[:, :, :], tl.f64[:, :, :]), target="cuda")
        lines = kernel.explain(tl.f64[8, 3, 3], tl.f64[16, 64, 64]).splitlines()
    grids = [line for line in lines if line.startswith("  grid")]
    assert grids and max(map(operations, grids)) < 40_000
