"""Loops that hand on arrays whose sizes may differ: buffers move with their sizes; what is made anew is given back.

Numpy runs the same Python, on copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters

TRIPS = (0, 1, 2, 5)


def swapped(a, b, c, trips):
    for _ in range(trips):
        a, b = b, a
    return a, b, c


def rotated(a, b, c, trips):
    for _ in range(trips):
        a, b, c = b, c, a
    return a, b, c


def slice_written(a, b, c, trips):
    for _ in range(trips):
        b[1:] = 0.5 * b[1:] - 0.1
        a, b = b, a
    return a, b, c


def rows_written(a, b, c, trips):
    k = 0
    while k < trips:
        c[0] += 0.5 * a[1]
        a[-1] *= 0.5
        a, b, c = c, a, b
        k += 1
    return a, b, c


def swapped_inside(a, b, c, trips):
    for k in range(trips):
        for _ in range(k):
            a[0] -= 0.5
            a, b = b, a
        b, c = c, b
    return a, b, c


def one_made(a, b, c, trips):
    for _ in range(trips):
        a, b, c = b, c, c[::-1] + 0.5
    return a, b, c


def all_made(a, b, c, trips):
    for _ in range(trips):
        a, b, c = b[::-1] * 0.5, c[::-1] + 1.0, a * 2.0
    return a, b, c


def wanted_twice(a, b, c, trips):
    for _ in range(trips):
        a[1] = b[0]
        a, b, c = c, a, a
    return a, b, c


def shorter(a, b, c, trips):
    for _ in range(trips):
        a, b, c = b, c[1:], a
    return a, b, c


MOVED = (swapped, rotated, slice_written, rows_written)
MADE = (swapped_inside, one_made, all_made, wanted_twice, shorter)


def arrays(rank: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    return tuple(rng.uniform(0.2, 0.8, (size,) + (3,) * (rank - 1)) for size in (40, 37, 42))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("program", [*MOVED, *MADE])
def test_values(program: Callable[..., Any], rank: int) -> None:
    values = arrays(rank)
    kernel = tl.compile(tl.function(program), (*values, 1))
    for trips in TRIPS:
        given = [value.copy() for value in values]
        live = memory_counters().live_bytes
        found = kernel(*given, trips)
        expected = program(*(value.copy() for value in values), trips)
        assert [each.shape for each in found] == [each.shape for each in expected]
        for left, right in zip((*found, *given), (*expected, *values), strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-12)
        del found
        assert memory_counters().live_bytes == live


@pytest.mark.parametrize("program", MOVED)
def test_what_moves_is_not_allocated_again(program: Callable[..., Any]) -> None:
    values = arrays(1)
    kernel = tl.compile(tl.function(program), (*values, 1))

    def allocations(trips: int) -> int:
        before = memory_counters().allocations
        kernel(*values, trips)
        return memory_counters().allocations - before

    assert allocations(9) == allocations(3)
