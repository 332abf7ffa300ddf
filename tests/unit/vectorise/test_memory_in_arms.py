"""Branches with arrays in their arms, in lanes: what is read, added and kept by the lanes that take an arm.

Kernels have no checks, which would keep the loops from running in lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SIZES = (0, 1, 7, 8, 9, 33, 100)
METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def others(scale, x):
    """A density of each point by the others: an arm reads rows, and in its gradient adds to what all lanes share."""
    n, d = x.shape
    total = 0.0
    for i in range(n):
        near = 0.0
        for j in range(n):
            if i != j:
                square = 0.0
                for k in range(d):
                    square += ((x[i, k] - x[j, k]) * scale[k]) ** 2
                near += np.exp(-0.5 * square)
        total += np.log(1.0 + near)
    return total


def others_by_numpy(scale, x):
    square = (((x[:, None] - x[None]) * scale) ** 2).sum(-1)
    near = np.exp(-0.5 * square)
    np.fill_diagonal(near, 0.0)
    return np.log(1.0 + near.sum(1)).sum()


@tl.function
def chosen(weights, x, use):
    """A model of the examples in use, whose arms hold a temporary array and a branch of their own."""
    n, d = x.shape
    total = 0.0
    for i in range(n):
        if use[i] > 0.3:
            hidden = np.zeros(d, x.dtype)
            for k in range(d):
                hidden[k] = np.sin(weights[k] * x[i, k])
            score = 0.0
            for k in range(d):
                score += hidden[k] * weights[d - 1 - k]
            if score > 0.2:
                for k in range(d):
                    total += score * weights[k] * x[i, k]
            else:
                total += np.exp(score)
    return total


def chosen_by_numpy(weights, x, use):
    score = np.sin(weights * x) @ weights[::-1]
    each = np.where(score > 0.2, score * (x @ weights), np.exp(score))
    return each[use > 0.3].sum()


@tl.function
def neighbours(x, w):
    """Rows that there are for some lanes only: those of the others lie outside of the array."""
    n, d = x.shape
    total = 0.0
    for i in range(n):
        if i + 3 < n:
            part = 0.0
            for k in range(d):
                part += x[i + 3, k] * w[k]
            total += np.exp(0.1 * part)
    return total


def neighbours_by_numpy(x, w):
    return np.exp(0.1 * (x[3:] @ w)).sum()


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[..., Any], str]] = {
    "others": (others, others_by_numpy, "dx"),
    "chosen": (chosen, chosen_by_numpy, "dxn"),
    "neighbours": (neighbours, neighbours_by_numpy, "xd"),
}


def arguments(kinds: str, count: int, dtype: type) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(count)
    shapes = {"d": (3,), "x": (count, 3), "n": (count,)}
    return tuple(rng.normal(size=shapes[kind]).astype(dtype) for kind in kinds)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values(name: str, dtype: type) -> None:
    function, by_numpy, kinds = PROGRAMS[name]
    kernel = tl.compile(function, arguments(kinds, 9, dtype), checks="off")
    for count in SIZES:
        given = arguments(kinds, count, dtype)
        within = 1e-12 if dtype is np.float64 else 2e-4
        expected = by_numpy(*(each.astype(np.float64) for each in given))
        np.testing.assert_allclose(kernel(*given), expected, rtol=within, atol=within)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("method", METHODS)
def test_gradients(name: str, method: str) -> None:
    function, by_numpy, kinds = PROGRAMS[name]
    slopes = tl.grad(function, argnums=(0, 1), method=method)
    kernel = tl.compile(slopes, arguments(kinds, 9, np.float64), checks="off")
    for count in (1, 9, 33):
        given = arguments(kinds, count, np.float64)
        for place, found in enumerate(kernel(*given)):
            np.testing.assert_allclose(found, differences(by_numpy, given, place), rtol=1e-6, atol=1e-6)


def differences(function: Callable[..., Any], given: tuple[np.ndarray, ...], place: int) -> np.ndarray:
    found = np.zeros_like(given[place])
    for index in np.ndindex(found.shape):
        ends = []
        for step in (1e-5, -1e-5):
            moved = [each.copy() for each in given]
            moved[place][index] += step
            ends.append(function(*moved))
        found[index] = (ends[0] - ends[1]) / 2e-5
    return found


def test_arms_with_rows_run_in_lanes() -> None:
    kernel = tl.compile(others, arguments("dx", 9, np.float64), checks="off")
    assert "vector<" not in kernel.ir("lower-peel")
    assert "vector<" in kernel.ir("lower-vectorise")


def test_lanes_that_take_no_arm_count_for_nothing() -> None:
    """Where i is j, the distance is 0 and its derivative would be a NaN."""

    @tl.function
    def potential(x, charge):
        total = 0.0
        for i in range(len(x)):
            for j in range(len(x)):
                if i != j:
                    r = 0.0
                    for k in range(x.shape[1]):
                        r += (x[i, k] - x[j, k]) ** 2
                    total += charge[0] / np.sqrt(r)
        return total

    rng = np.random.default_rng(3)
    x, charge = rng.normal(size=(21, 3)), np.array([1.5])
    apart = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1)) + np.diag(np.full(21, np.inf))
    kernel = tl.compile(potential, (x, charge), checks="off")
    np.testing.assert_allclose(kernel(x, charge), 1.5 * (1 / apart).sum(), rtol=1e-12)
    slopes = tl.compile(tl.grad(potential, argnums=(0, 1)), (x, charge), checks="off")
    of_x, of_charge = slopes(x, charge)
    pulls = -1.5 * 2.0 * ((x[:, None] - x[None]) / apart[..., None] ** 3).sum(1)
    np.testing.assert_allclose(of_x, pulls, rtol=1e-10)
    np.testing.assert_allclose(of_charge, [(1 / apart).sum()], rtol=1e-12)
