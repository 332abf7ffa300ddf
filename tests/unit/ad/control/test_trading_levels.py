"""Loops over two time levels that are written in place and trade names, in every method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS


def wave(u: tl.f64[:], before: tl.f64[:], steps: int):
    for _ in range(steps):
        before[1:-1] = 2.0 * u[1:-1] - before[1:-1] + 0.1 * (u[2:] + u[:-2] - 2.0 * u[1:-1])
        u, before = before, u
    return tl.sum(u * u)


def whole(u: tl.f64[:], before: tl.f64[:], steps: int):
    for _ in range(steps):
        before = 2.0 * tl.sin(u) - before
        u, before = before, u
    return tl.sum(u * before)


def halves(u: tl.f64[:], before: tl.f64[:], steps: int):
    for _ in range(steps):
        before[: len(u) // 2] += tl.sin(u[: len(u) // 2])
        before[len(u) // 2 :] -= u[len(u) // 2 :] * u[len(u) // 2 :] * 0.1
        u, before = before, u
    return tl.sum(u * before)


def known(u: tl.f64[:], before: tl.f64[:], steps: int):
    for _ in range(3):
        before[:-1] = u[1:] * 0.5 - before[:-1]
        before, u = u, before
    return tl.sum(u * u) * steps


def plane(u: tl.f64[:], before: tl.f64[:], steps: int):
    a, b = tl.outer(u, before), tl.outer(before, u)
    for _ in range(steps):
        b[1:-1, 1:] = a[1:-1, 1:] - b[1:-1, 1:] + 0.1 * (a[2:, 1:] + a[:-2, 1:])
        a, b = b, a
    return tl.sum(a * a)


def while_left(u: tl.f64[:], before: tl.f64[:], steps: int):
    left = steps
    while left > 0:
        before[1:] = u[:-1] * 0.5 - before[1:]
        u, before = before, u
        left -= 1
    return tl.sum(u * u)


def slopes(function: Callable[..., Any], u: np.ndarray, before: np.ndarray, steps: int) -> np.ndarray:
    """The gradient by central differences."""
    step = 1e-6
    moved = [function(u + step * unit, before, steps) - function(u - step * unit, before, steps) for unit in np.eye(9)]
    return np.array(moved) / (2 * step)


@pytest.mark.one_in(44)
@pytest.mark.parametrize("steps", [0, 1, 2, 5])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("program", [wave, whole, halves, known, plane, while_left])
def test_gradients(program: Callable[..., Any], method: str, steps: int) -> None:
    rng = np.random.default_rng(1)
    u, before = rng.normal(size=9), rng.normal(size=9)
    function = tl.function(program)
    expected = slopes(function, u, before, steps)
    assert np.allclose(tl.grad(function, method=method)(u, before, steps), expected, rtol=1e-5, atol=1e-6)
