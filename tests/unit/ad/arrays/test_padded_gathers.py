"""Sums into slices of arrays with several axes, which read zeros where a slice has nothing, and fills that are kept.

The reference are complex steps of numpy, which runs the same function on complex arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from complex_steps import by_complex_steps, sum_of_squares

import tapeless as tl


def membrane(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        inner = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        after[1:-1, 1:-1] += w[1:-1, 1:-1] * inner
        before, u = u, after
    return u


def to_one_side(u, w, steps):
    """Slices of different axes leave out different numbers of elements."""
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        after[2:, 1:] += w[2:, 1:] * (u[2:, 1:] - u[:-2, 1:] - 0.5 * u[2:, :-1])
        before, u = u, after
    return u


def diffused(u, w, steps):
    for _ in range(steps):
        u[1:-1, :] += w[1:-1, :] * (u[2:, :] - 2.0 * u[1:-1, :] + u[:-2, :])
    return u


def body(u, w, steps):
    before = 0.5 * u
    for _ in range(steps):
        after = 2.0 * u - before
        inner = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        inner = inner + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6.0 * u[1:-1, 1:-1, 1:-1]
        after[1:-1, 1:-1, 1:-1] += 0.2 * w[1:-1, 1:-1, 1:-1] * inner
        before, u = u, after
    return u


MATRICES = [membrane, to_one_side, diffused]
SHAPES = [(size, 5) for size in (2, 3, 4, 7)] + [(6, size) for size in (2, 3, 5)] + [(0, 3), (1, 1), (9, 8)]


def check(program: Callable[..., Any], method: str, shapes: list[tuple[int, ...]], **options: Any) -> None:
    gradient = tl.jit(tl.grad(sum_of_squares(program), argnums=(0, 1), method=method), **options)
    rng = np.random.default_rng(3)
    for shape in shapes:
        u, w = rng.uniform(0.2, 0.9, shape), rng.uniform(0.1, 0.2, shape)
        for steps in (0, 1, 3):
            for found, expected in zip(gradient(u, w, steps), by_complex_steps(program, u, w, steps), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12, err_msg=f"{shape}, {steps}")


@pytest.mark.one_in(24)
@pytest.mark.parametrize("method", ["reversible", "redundant"])
@pytest.mark.parametrize("program", MATRICES)
def test_matrices(program: Callable[..., Any], method: str) -> None:
    check(program, method, SHAPES)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["reversible", "redundant"])
def test_three_axes(method: str) -> None:
    check(body, method, [(2, 3, 4), (3, 3, 3), (5, 4, 6)], threads=2)


@tl.function
def smoothed(u: tl.f64[:], steps: tl.i64) -> tl.f64[:]:
    """Every step makes an array with a border of ones."""
    for _ in range(steps):
        p = tl.full(len(u) + 2, 1.0)
        p[1:-1] = u
        u = 0.5 * p[1:-1] + 0.25 * (p[2:] + p[:-2]) * p[1:-1]
    return u


def smoothed_by_numpy(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        p = np.concatenate([[1.0], u, [1.0]])
        u = 0.5 * p[1:-1] + 0.25 * (p[2:] + p[:-2]) * p[1:-1]
    return u


def test_fills_are_kept() -> None:
    run = tl.jit(smoothed)
    for size in (0, 1, 2, 9):
        for steps in (0, 1, 4):
            u = np.linspace(0.1, 0.8, size)
            np.testing.assert_allclose(run(u, steps), smoothed_by_numpy(u, steps), rtol=1e-13)
