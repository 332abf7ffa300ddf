"""Time loops around inner loops, of which each has several ways for small sizes, are one launch of one block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

TYPES = (tl.f64[:, :], tl.f64[:], tl.i64)


def filtered(w, x, n):
    """Each step solves a system of equations, which a thread, a block or launches do."""
    covariance = np.eye(len(x))
    likelihood = 0.0
    for _ in range(n):
        covariance = w @ covariance @ w.T + np.diag(x * x)
        likelihood -= x @ np.linalg.solve(covariance + np.eye(len(x)), x)
        covariance = 0.9 * covariance
    return likelihood


def relaxed(w, x, n):
    """Each step goes through the rows one after the other, by sums that are short or long."""
    for _ in range(n):
        for i in range(len(x)):
            x[i] = 0.5 * x[i] + 0.1 * np.sin(np.dot(w[i], x))
    return np.sum(x * x)


def given(size: int, steps: int) -> tuple[Any, ...]:
    random = np.random.default_rng(size)
    return random.normal(size=(size, size)) / (2 + size), random.normal(size=size), steps


def launches(kernel: Any, size: int, steps: int) -> int:
    lines = kernel.explain(tl.f64[size, size], tl.f64[size], steps).splitlines()
    return int(next(line for line in lines if line.startswith("  gpu")).split()[1].replace(",", ""))


@pytest.mark.parametrize("function", [filtered, relaxed], ids=lambda function: function.__name__)
def test_the_loop_is_one_launch_and_agrees_with_the_cpu(function: Any) -> None:
    gradient = tl.value_and_grad(function, argnums=(0, 1))
    with emulated_cuda():
        kernel, other = tl.compile(gradient, TYPES, target="cuda"), tl.compile(gradient, TYPES)
        assert launches(kernel, 4, 1000) < 40
        for size, steps in ((1, 2), (3, 0), (4, 3), (40, 2)):
            value, (by_w, by_x) = kernel(*given(size, steps))
            expected, (of_w, of_x) = other(*given(size, steps))
            assert np.isclose(value, expected, rtol=1e-10)
            np.testing.assert_allclose(by_w, of_w, rtol=1e-8, atol=1e-10)
            np.testing.assert_allclose(by_x, of_x, rtol=1e-8, atol=1e-10)
