"""Maps of few iterations with loops inside, on the emulated GPU: a block for each iteration, or a thread, by sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

TYPES = (tl.f64[:, :], tl.f64[:, :], tl.i64)


def recurrent(x, w, n):
    """A recurrence for each row, whose steps are products: states, and sums of gradients for what all rows share."""

    def row(start):
        state = start
        for _ in range(n):
            state = np.tanh(w @ state) + 0.5 * start
        return np.sum(state * state)

    return tl.sum(tl.map(row, x))


def stencil(x, w, n):
    """A plane that neighbours change, element by element, with borders that stay."""
    for _ in range(n):
        new = x.copy()
        for i in range(1, x.shape[0] - 1):
            for j in range(1, x.shape[1] - 1):
                around = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
                new[i, j] = x[i, j] + 0.1 * w[0, 0] * (around - 4.0 * x[i, j])
        x = new
    return np.sum(x * x)


def elements(x, w, n):
    """Sums into elements of an array of the iteration, by loops whose iterations are independent, and by others."""
    total = 0.0
    for i in range(x.shape[0]):
        state = x[i].copy()
        for _ in range(n):
            new = tl.zeros_like(state)
            for j in range(w.shape[0]):
                for k in range(w.shape[1]):
                    new[j] += w[j, k] * state[k]
            for j in range(1, w.shape[0]):
                new[j] += 0.5 * new[j - 1]
            state = np.sin(new)
        total += np.sum(state * x[i])
    return total


def temporaries(x, w, n):
    """Arrays of iterations of an inner map, and branches that numbers of the iteration decide."""

    def row(values):
        def inner(weights):
            mixed = np.cumsum(weights * values)
            return mixed[-1] * np.max(mixed)

        each = tl.map(inner, w)
        if values[0] > 0.0:
            each = np.exp(-each * each)
        return np.sum(each) * n

    return tl.sum(tl.map(row, x))


def arguments(rows: int, width: int, steps: int) -> tuple[Any, ...]:
    random = np.random.default_rng(rows + width)
    return random.normal(size=(rows, width)), random.normal(size=(width, width)) / (1 + width), steps


SIZES = ((1, 1, 1), (3, 2, 2), (5, 40, 3), (0, 3, 1), (2, 300, 1))


@pytest.mark.parametrize("function", [recurrent, stencil, elements, temporaries], ids=lambda each: each.__name__)
def test_gradients_agree_with_the_cpu(function: Any) -> None:
    gradient = tl.value_and_grad(function, argnums=(0, 1))
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, TYPES, target="cuda"), tl.compile(gradient, TYPES)
        for given in (arguments(*size) for size in SIZES):
            (value, found), (expected, wanted) = kernel(*given), other(*given)
            np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-12)
            for one, another in zip(found, wanted, strict=True):
                np.testing.assert_allclose(np.asarray(one), np.asarray(another), rtol=1e-9, atol=1e-10)


def grids(kernel: Any, rows: int, width: int) -> list[str]:
    lines = str(kernel.explain(tl.f64[rows, width], tl.f64[width, width], 3)).splitlines()
    return [line for line in lines if line.startswith("  grid")]


@pytest.mark.parametrize("function", [recurrent, temporaries], ids=lambda each: each.__name__)
def test_few_iterations_are_blocks_and_many_are_threads(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, TYPES, target="cuda")
        assert any("1 launch of 8 blocks of 256 threads" in line for line in grids(kernel, 8, 300))
        assert not any("of 100,000 blocks" in line for line in grids(kernel, 100_000, 300))


def test_a_failed_check_of_an_iteration_ends_its_block() -> None:
    def looked_up(x, places):
        def row(values):
            state = values
            for _ in range(3):
                state = np.exp(-state[places])
            return np.sum(state)

        return tl.map(row, x)

    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(looked_up, (tl.f64[:, :], tl.i64[:]), target="cuda")
        values, places = np.ones((4, 500)), np.arange(500)[::-1].copy()
        expected = tl.compile(looked_up, (tl.f64[:, :], tl.i64[:]))(values, places)
        np.testing.assert_allclose(np.asarray(kernel(values, places)), expected, rtol=1e-12)
        places[7] = 500
        with pytest.raises(IndexError, match="500"):
            kernel(values, places)
