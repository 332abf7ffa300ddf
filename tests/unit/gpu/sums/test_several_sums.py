"""Nests in which several arrays are sums: on the emulated GPU, elements have threads of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

TYPES = (tl.f64[:, :], tl.f64[:])


def normal_equations(x, w):
    """A vector and a matrix, whose sizes are only checked where the loop runs."""
    side, square = 0.1 * w, 0.2 * np.eye(x.shape[1])
    for s in range(len(x)):
        p = tl.sigmoid(np.dot(x[s], w))
        for i in range(x.shape[1]):
            side[i] += (p - 0.5) * x[s, i]
            for j in range(x.shape[1]):
                square[i, j] += p * x[s, i] * x[s, j]
    return np.sum(side * side) + np.sum(square * square)


def moments(x, w):
    """Weights, means and variances of columns in one pass."""
    mass, mean, spread = np.zeros_like(w), 0.5 * w, w * w
    for t in range(len(x)):
        scale = np.exp(0.1 * x[t, 0])
        for k in range(x.shape[1]):
            mass[k] += scale
            mean[k] += scale * x[t, k]
            spread[k] += scale * x[t, k] ** 2
    return np.sum(np.sin(mass) * mean + spread)


FUNCTIONS = pytest.mark.parametrize("function", [normal_equations, moments], ids=lambda function: function.__name__)


def arguments(rows: int, columns: int, size: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(3)
    return rng.standard_normal((rows, columns)), rng.standard_normal(size)


@FUNCTIONS
def test_gradients_agree_with_the_cpu(function: Any) -> None:
    derivative = tl.value_and_grad(function, argnums=(0, 1))
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(derivative, TYPES, target="cuda"), tl.compile(derivative, TYPES)
        for shape in ((30, 5, 5), (1, 3, 3), (0, 6, 4)):
            given = arguments(*shape)
            (value, bars), (expected, wanted) = kernel(*given), other(*given)
            for found, each in zip((value, *bars), (expected, *wanted), strict=True):
                np.testing.assert_allclose(found, each, rtol=1e-10, atol=1e-12)


def test_sizes_are_compared_where_the_loop_runs() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(normal_equations, TYPES, target="cuda")
        with pytest.raises(tl.ShapeMismatch):
            kernel(*arguments(2, 6, 4))


@FUNCTIONS
def test_no_thread_goes_through_everything(function: Any) -> None:
    """Sums over 10,000 rows are not the work of one thread for all elements."""
    with emulated_cuda(keeps_kernels=True):
        lines = tl.compile(function, TYPES, target="cuda").explain(tl.f64[10000, 100], tl.f64[100]).splitlines()
    grids = [line for line in lines if line.startswith("  grid") and line.endswith("operations each")]
    work = [int(line.rsplit(", ", 1)[1].split()[0].replace(",", "")) for line in grids]
    assert max(work) < 300_000
