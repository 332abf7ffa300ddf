"""Loops over the inner points of grids, as nests over parts of arrays, on the emulated GPU, against the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

METHODS = ("redundant", "reversible", "coarsened")


def steps(now, speed):
    """New arrays of zeros, and a parameter read at the place of the point."""
    before = now
    for _ in range(3):
        after = np.zeros_like(now)
        for i in range(1, now.shape[0] - 1):
            for j in range(1, now.shape[1] - 1):
                around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
                after[i, j] = 2.0 * now[i, j] - before[i, j] + speed[i, j] * around
        before, now = now, after
    return np.sum(now * now)


def in_place(now, speed):
    """Points of an array that keeps its borders."""
    p = 1.5 * now
    for _ in range(3):
        old = p.copy()
        for i in range(1, now.shape[0] - 1):
            for j in range(1, now.shape[1] - 1):
                p[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] * old[i, j + 1] + speed[i - 1, j + 1])
    return np.sum(p * p)


def half_of_each(now, speed):
    """Some columns of rows, written into ones."""
    made = np.ones_like(now)
    for i in range(now.shape[0]):
        for j in range(2, now.shape[1]):
            made[i, j] = np.sin(now[i, j - 2] * speed[i, j]) + now[i, 0]
    return np.sum(made * made)


PROGRAMS = {function.__name__: function for function in (steps, in_place, half_of_each)}


def arguments(rows: int, columns: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(rows + columns)
    return rng.normal(size=(rows, columns)), 0.1 + 0.1 * rng.random((rows, columns))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_as_on_the_cpu(program: Callable[..., Any], method: str) -> None:
    gradient = tl.value_and_grad(program, (0, 1), method=method)
    with emulated_cuda() as gpu:
        kernel = tl.compile(gradient, (tl.f64[:, :], tl.f64[:, :]), target="cuda")
        for shape in ((12, 13), (3, 20), (2, 2), (5, 2)):
            given = arguments(*shape)
            value, parts = gradient(*given)
            for _ in range(2):
                found, found_parts = kernel(*given)
                assert found == pytest.approx(value, rel=1e-12)
                for part, found_part in zip(parts, found_parts, strict=True):
                    np.testing.assert_allclose(found_part, part, rtol=1e-10, atol=1e-12)
        gpu.check_guards()
