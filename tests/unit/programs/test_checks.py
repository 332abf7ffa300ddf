"""Run-time checks: what fails must fail in every way to run a program, and what never runs must not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from variants import VARIANTS, assert_same

import tapeless as tl

CHECKED = {name: run for runs in VARIANTS.values() for name, run in runs.items() if name != "unchecked"}
X = np.arange(4.0)


def sum_first(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


def sum_neighbours(x, lo, hi):
    total = 0.0
    for i in range(lo, hi):
        total += x[i + 1] - x[i]
    return total


def every_other(x, n):
    total = 0.0
    for i in range(0, n, 2):
        total += x[i]
    return total


def fixed_index_in_a_loop(x, k, n):
    total = 0.0
    for _ in range(n):
        total += x[k]
    return total


def gather(x, idx):
    return x[idx]


def shapes_in_a_loop(x, y, n):
    total = 0.0
    for _ in range(n):
        total += tl.sum(x * y)
    return total


def shapes_in_a_map(x, y, n):
    return tl.map(lambda v: tl.sum(x + y) * v, tl.ones(n))


def guarded_read(x, k, c):
    return x[k] if c else 0.0


def break_before_the_end(x, n):
    total = 0.0
    for i in range(n):
        if i == len(x):
            break
        total += x[i]
    return total


def write_beyond(x, n):
    for i in range(n):
        x[i] = 1.0
    return x


def sum_diagonal(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i, i]
    return total


FAILING: dict[str, tuple[Callable[..., Any], Sequence[Any], type[Exception], str]] = {
    "first index past the end": (sum_first, (X, 6), tl.IndexOutOfRange, "index 4 .* size 4"),
    "index with an offset": (sum_neighbours, (X, 0, 4), tl.IndexOutOfRange, "index 4 .* size 4"),
    "with a step": (every_other, (X, 6), tl.IndexOutOfRange, "index 4 .* size 4"),
    "the same index every time": (fixed_index_in_a_loop, (X, 9, 3), tl.IndexOutOfRange, "index 9 .* size 4"),
    "negative beyond the start": (fixed_index_in_a_loop, (X, -5, 3), tl.IndexOutOfRange, "-5|-1"),
    "gathered": (gather, (X, np.array([0, 7, 1])), tl.IndexOutOfRange, "index 7 .* size 4"),
    "shapes in a loop": (shapes_in_a_loop, (X, X[:3], 2), tl.ShapeMismatch, "4 and 3"),
    "shapes in a map": (shapes_in_a_map, (X, X[:3], 2), tl.ShapeMismatch, "4 and 3"),
    "written": (write_beyond, (X, 5), tl.IndexOutOfRange, "index 4 .* size 4"),
    "second axis": (sum_diagonal, (np.ones((3, 2)),), tl.IndexOutOfRange, "index 2 .* size 2"),
}

PASSING: dict[str, tuple[Callable[..., Any], Sequence[Any], Any]] = {
    "no iterations": (fixed_index_in_a_loop, (X, 9, 0), 0.0),
    "negative number of iterations": (sum_first, (X, -3), 0.0),
    "empty range beyond the end": (sum_neighbours, (X, 7, 7), 0.0),
    "a step over the end": (every_other, (X, 4), 2.0),
    "shapes in a loop that never runs": (shapes_in_a_loop, (X, X[:3], 0), 0.0),
    "shapes in a map of nothing": (shapes_in_a_map, (X, X[:3], 0), np.zeros(0)),
    "branch not taken": (guarded_read, (X, 9, False), 0.0),
    "left early": (break_before_the_end, (X, 9), 6.0),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("run", CHECKED.values(), ids=CHECKED)
@pytest.mark.parametrize("case", FAILING.values(), ids=FAILING)
def test_failing_check(case: tuple[Any, ...], run: Callable[..., Any]) -> None:
    function, arguments, error, message = case
    with pytest.raises(error, match=message):
        run(function, arguments)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("run", CHECKED.values(), ids=CHECKED)
@pytest.mark.parametrize("case", PASSING.values(), ids=PASSING)
def test_nothing_fails(case: tuple[Any, ...], run: Callable[..., Any]) -> None:
    function, arguments, wanted = case
    assert_same(run(function, arguments), wanted, 1e-12)
