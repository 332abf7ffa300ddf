"""Buffers that take turns where loops are nested, left early, do not run, or run on threads; against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.runtime.counters import memory_counters

Arrays = tuple[np.ndarray, ...]


def loops_in_loops(a, b, n, m):
    """The inner loop leaves its arrays in any of three buffers, from which the outer one goes on."""
    for _ in range(n):
        for _ in range(m):
            a, b = b, b + 0.3 * a[::-1]
        a, b = b, a
    return a, b


def loop_after_loop(a, b, n, m):
    c = a
    for _ in range(n):
        a, b = b, 2.0 * b - a
    for _ in range(m):
        a, b, c = c, a, 0.5 * b - c
    return a, b, c


def one_result(a, b, n, m):
    """Only the older state is looked at; its memory must outlive that of the other."""
    for _ in range(n):
        a, b = b, b + 0.3 * a[::-1]
    c = a * 2.0
    d = c + a[::-1]
    return c, d


def left_early(a, b, n, m):
    for k in range(n):
        if k == m:
            break
        a, b = b, b + 0.3 * a[::-1]
    return a, b


def while_below(a, b, n, m):
    k = 0
    while b[0] < 1.0 * n and k < 20:
        a, b = b, 1.1 * b + 0.3 * a[::-1]
        k += 1
    return b, a


def in_a_branch(a, b, n, m):
    if n > m:
        for _ in range(n):
            a, b = b, b + 0.3 * a[::-1]
    else:
        for _ in range(m):
            b, a = a, 2.0 * a - b
    return a, b


def states_kept(a, b, n, m):
    """What the arrays were on the way is stored before their buffers move on."""
    kept = a[0] * 0.0
    for k in range(n):
        a, b = b, b + 0.3 * a[::-1]
        kept += a[k % 3] * b[1]
        if k == m:
            a[0] = kept
    return a, b, kept


PROGRAMS: dict[str, Callable[..., Any]] = {
    program.__name__: program
    for program in (
        loops_in_loops,
        loop_after_loop,
        one_result,
        left_early,
        while_below,
        in_a_branch,
        states_kept,
    )
}
COUNTS = [(0, 0), (0, 3), (1, 0), (1, 1), (2, 1), (3, 2), (4, 5), (7, 7)]


def arrays(*shape: int) -> Arrays:
    rng = np.random.default_rng(1)
    return rng.uniform(0.1, 0.4, shape), rng.uniform(0.1, 0.4, shape)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", PROGRAMS)
def test_nests(name: str, threads: int) -> None:
    program, (a, b) = PROGRAMS[name], arrays(5)
    kernel = tl.compile(program, (a, b, 1, 1), threads=threads)
    for counts in COUNTS:
        live = memory_counters().live_bytes
        found = [np.array(result) for result in kernel(a, b, *counts)]
        assert memory_counters().live_bytes == live
        expected = program(a.copy(), b.copy(), *counts)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_a_long_ring() -> None:
    """Six arrays in a circle, all of which are results: more than there are orders chosen for."""
    values = [np.full(3, float(k)) for k in range(6)]
    kernel = tl.compile(six_in_a_circle, (*values, 1))
    for trips in (0, 1, 4, 6, 11):
        found = kernel(*values, trips)
        np.testing.assert_array_equal([each[0] for each in found], [(k + trips) % 6 for k in range(6)])


def six_in_a_circle(a, b, c, d, e, f, n):
    b, c, d, e, f = b + 0.0 * a, c + 0.0 * a, d + 0.0 * a, e + 0.0 * a, f + 0.0 * a
    for _ in range(n):
        a, b, c, d, e, f = b, c, d, e, f, a
    return a, b, c, d, e, f


def rows_of_a_map(rows, other, n):
    def stepped(a, b):
        for _ in range(n):
            a, b = b, b + 0.3 * a[::-1]
        return a, b

    return tl.map(stepped, rows, other)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("trips", [0, 1, 2, 5])
def test_every_iteration_of_a_map_has_its_own_buffers(threads: int, trips: int) -> None:
    rows, other = arrays(300, 7)
    a, b = rows, other
    for _ in range(trips):
        a, b = b, b + 0.3 * a[:, ::-1]
    found = tl.compile(rows_of_a_map, (rows, other, 1), threads=threads)(rows, other, trips)
    np.testing.assert_allclose(found[0], a, rtol=1e-12)
    np.testing.assert_allclose(found[1], b, rtol=1e-12)


def test_a_large_wave_on_threads() -> None:
    a, b = arrays(300, 200)
    kernels = [tl.compile(membrane, (a, b, 1), threads=threads) for threads in (1, 2)]
    for trips in (0, 1, 2, 5):
        one, two = (kernel(a, b, trips) for kernel in kernels)
        expected = membrane(a.copy(), b.copy(), trips)
        for first, second, third in zip(one, two, expected, strict=True):
            np.testing.assert_array_equal(first, second)
            np.testing.assert_allclose(first, third, rtol=1e-12, atol=1e-14)


def membrane(before, u, n):
    for _ in range(n):
        after = 2.0 * u - before
        after[1:-1, 1:-1] += 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] - 2.0 * u[1:-1, 1:-1])
        before, u = u, after
    return before, u


def test_sizes_may_differ_where_no_step_is_made() -> None:
    """A loop that does not run hands its start on, of whatever size; one that runs says that the sizes do not match."""
    short, long = np.arange(3.0), np.arange(5.0)
    kernel = tl.compile(lambda a, b, n: wave(a, b, n), (short, long, 1))
    found = kernel(short, long, 0)
    np.testing.assert_array_equal(found[0], short)
    np.testing.assert_array_equal(found[1], long)
    with pytest.raises(tl.ShapeMismatch):
        kernel(short, long, 1)


@tl.function
def wave(before, u, n):
    for _ in range(n):
        before, u = u, 2.0 * u - before
    return before, u
