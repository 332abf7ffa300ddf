"""Stencils that write slices computed from slices beside them: values as numpy's, derivatives as differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SIZES = [0, 1, 2, 3, 4, 5, 9]


def streamed(f, steps):
    for _ in range(steps):
        rest, east, south = f[0, 1:-1, 1:-1], f[1, 1:-1, :-2], f[2, 2:, 2:]
        total = rest + east + south
        f[0, 1:-1, 1:-1] = rest + 0.3 * (total - rest * rest)
        f[1, 1:-1, 1:-1] = east - 0.2 * total * east
        f[2, 1:-1, 1:-1] = south * total
    return f


def far(f, steps):
    """Places that do not meet unless the array is large."""
    for _ in range(steps):
        left, right = f[0, :, :-4], f[1, :, 4:]
        f[0, :, 4:] = left * right
        f[1, :, :-4] = right - left * left
    return f


def overlapping(f, steps):
    """The second write covers part of the first."""
    for _ in range(steps):
        a, b = f[0, :, 1:], f[1, :, :-1]
        f[0, :, :-1] = a * b
        f[0, :, 1:] = a - b * b
        f[1, :, 1:] = b + a
    return f


def read_between(f, steps):
    """The first slab is looked at before the others are written."""
    for _ in range(steps):
        a, b = f[0, 1:, :], f[1, :-1, :]
        f[0, :-1, :] = a * b
        c = f[0, 1:, :]
        f[1, 1:, :] = b * c
        f[2, 1:, :] = c - a
    return f


def read_later(f, steps):
    """The old array is wanted after it was written."""
    for _ in range(steps):
        old = f[0, :, :] * 1.0
        f[0, 1:, :] = f[1, :-1, :] * old[1:, :]
        f[1, :-1, :] = old[1:, :] - f[2, 1:, :]
        f[2, :, 1:] = f[2, :, :-1] * old[:, 1:]
    return f


def some_rows(f, steps):
    """Slabs of more than one index, in another order."""
    for _ in range(steps):
        a, b = f[0:2, 1:, :], f[2, :-1, :]
        f[2, 1:, :] = b * b
        f[0:2, :-1, :] = a - a * a
    return f


PROGRAMS = [streamed, far, overlapping, read_between, read_later, some_rows]


def start(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(7).uniform(0.2, 0.9, (3, rows, columns))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_values(program: Callable[..., Any], size: int) -> None:
    for shape in ((size, size), (size, 3), (6, size)):
        f = start(*shape)
        kept = f.copy()
        np.testing.assert_allclose(tl.jit(program)(f, 3), reference(program, f, 3), rtol=1e-13)
        np.testing.assert_array_equal(f, kept)


def reference(program: Callable[..., Any], f: np.ndarray, steps: int) -> np.ndarray:
    """The program as numpy runs it on copies of slices, which are values in the language."""
    return np.asarray(program(Copying(f.copy()), steps).array)


class Copying:
    """An array whose slices are copies."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getitem__(self, place: Any) -> np.ndarray:
        return self.array[place].copy()

    def __setitem__(self, place: Any, value: np.ndarray) -> None:
        self.array[place] = value


@pytest.mark.one_in(48)
@pytest.mark.parametrize("trips", [0, 1, 4])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Callable[..., Any], size: int, trips: int) -> None:
    """The adjoint of all results, weighted at random, along a random direction."""
    rng = np.random.default_rng(3)
    f, weights, direction = start(size, 5), rng.normal(size=(3, size, 5)), rng.normal(size=(3, size, 5))

    function = tl.function(program)

    def loss(f, weights, steps):
        return tl.sum(weights * function(f, steps))

    value, gradient = tl.value_and_grad(loss)(f, weights, trips)
    low, high = (reference(program, f + step * direction, trips) for step in (-1e-6, 1e-6))
    np.testing.assert_allclose(value, np.sum(weights * reference(program, f, trips)), rtol=1e-12)
    expected = np.sum(weights * (high - low)) / 2e-6
    np.testing.assert_allclose(np.sum(gradient * direction), expected, rtol=1e-6, atol=1e-8)


@tl.function
def repeated(f, low, high):
    for _ in range(low, high):
        f = tl.sin(f) * f
    return f


@pytest.mark.parametrize(("low", "high"), [(0, 0), (2, 2), (3, 1), (2, 3), (-2, 3)])
def test_states_of_loops_that_start_anywhere(low: int, high: int) -> None:
    f, direction = start(2, 3), start(2, 3)

    def loss(f, low, high):
        return tl.sum(repeated(f, low, high))

    def plain(f: np.ndarray) -> float:
        for _ in range(low, high):
            f = np.sin(f) * f
        return float(np.sum(f))

    value, gradient = tl.value_and_grad(loss)(f, low, high)
    assert value == pytest.approx(plain(f), rel=1e-12)
    expected = (plain(f + 1e-6 * direction) - plain(f - 1e-6 * direction)) / 2e-6
    assert np.sum(gradient * direction) == pytest.approx(expected, rel=1e-6)
