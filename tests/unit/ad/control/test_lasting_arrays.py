"""Arrays of which loops overwrite nothing that they have read: no state of them is stored, and others are as before."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from derivatives import compiled, from_python
from lasting_programs import LASTING, OVERWRITING, band, borders_in_branches, overwritten_row, table
from random_fills import overwrites, source

import tapeless as tl
from function_from_text import function_from_text
from held_memory import held_by
from tapeless.passes.ad.drop_marks import MARKS
from tapeless.passes.ir.sizes.size_rules import RESULTS

pytestmark = pytest.mark.one_in(2)

POINT, STEP = np.array([0.5, 0.7, 0.9]), 1e-6
MARK = '"ad.promise"'
PREPARED = "soac-inline,canonicalize,cse,soac-simplify,ad-while-to-for,ad-lasting-arrays"


def marks(function: Callable[..., Any], passes: str = PREPARED) -> int:
    """How many arrays of how many loops are marked."""
    return str(compiled(from_python(function, POINT, 3), passes)).count(MARK)


def is_outermost_marked(text: str) -> bool:
    """Whether the outermost loop of a program with this text is marked."""
    module = str(compiled(from_python(function_from_text(text, "f", np=np), POINT, 3), PREPARED)).splitlines()
    loop = next((k for k, line in enumerate(module) if "scf.for" in line), None)
    return loop is not None and MARK in module[loop + 1]


def by_differences(function: Callable[..., Any], n: int) -> np.ndarray[Any, Any]:
    """The gradient, of the program as numpy runs it."""
    return np.array([(function(POINT + STEP * e, n) - function(POINT - STEP * e, n)) / (2 * STEP) for e in np.eye(3)])


@pytest.mark.one_in(32)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
@pytest.mark.parametrize("function", [*LASTING, *OVERWRITING])
def test_gradients(function: Callable[..., Any], method: str) -> None:
    kernel = tl.compile(tl.grad(tl.function(function), method=method), (tl.f64[:], tl.i64))
    for n in (0, 1, 2, 7):
        np.testing.assert_allclose(kernel(POINT, n), by_differences(function, n), rtol=1e-6, atol=1e-7)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", LASTING)
def test_lasting_arrays_are_marked(function: Callable[..., Any]) -> None:
    assert marks(function)


PARTLY = {"overwritten_table", "read_after_all"}
"""Of these, loops inside of others overwrite nothing; the outermost do."""


@pytest.mark.parametrize("function", OVERWRITING)
def test_others_are_not(function: Callable[..., Any]) -> None:
    assert marks(function) == (function.__name__ in PARTLY)


@pytest.mark.one_in(10)
@pytest.mark.parametrize("start", range(0, 200, 20))
def test_random_loops(start: int) -> None:
    """No loop is marked that was seen to overwrite what it had read, and of the others most are."""
    lasting = marked = 0
    for seed in range(start, start + 20):
        text = source(Random(seed))
        is_lasting = not any(overwrites(text, n) for n in (1, 2, 3, 5, 9))
        is_marked = is_outermost_marked(text)
        assert is_lasting or not is_marked, f"seed {seed}:\n{text}"
        lasting, marked = lasting + is_lasting, marked + is_marked
    assert 3 * marked > lasting


@pytest.mark.one_in(4)
@pytest.mark.parametrize("function", [table, band, borders_in_branches])
def test_memory_goes_with_the_table(function: Callable[..., Any]) -> None:
    """A few tables live at a time, of which one by antidiagonals is two; their states would be as many as rows."""
    n = 96
    kernel = tl.compile(tl.grad(tl.function(function)), (tl.f64[:], tl.i64), checks="off")
    assert held_by(kernel, POINT, n) < 10 * 8 * n * n


@pytest.mark.thorough
def test_derivatives_of_derivatives() -> None:
    """The reverse sweep of a reverse sweep reads the same final array."""
    hessian = tl.jacrev(tl.grad(tl.function(table)))(POINT, 4)
    gradient = tl.grad(tl.function(table))
    moved = [(gradient(POINT + STEP * e, 4) - gradient(POINT - STEP * e, 4)) / (2 * STEP) for e in np.eye(3)]
    np.testing.assert_allclose(hessian, moved, rtol=1e-5, atol=1e-7)


def test_what_else_a_loop_carries_may_run_backwards() -> None:
    """For `reversible`, only loops that carry nothing else are marked: the others may run backwards as they are."""

    def with_state(x, n):
        a, y = np.full(n + 1, x[0]), x[1]
        for i in range(n):
            a[i + 1] = np.sin(a[i])
            y = y + a[i] * x[2]
        return y + np.sum(a)

    alone = PREPARED + "{alone=true}"
    assert marks(with_state) == 1 and marks(with_state, alone) == 0
    assert marks(table) == marks(table, alone) == 2
    assert marks(overwritten_row) == 0


@pytest.mark.parametrize("mark", MARKS)
def test_sizes_are_seen_through_marks(mark: str) -> None:
    assert mark in RESULTS


def test_rows_that_lasting_rows_make_keep_their_sizes() -> None:
    """A loop that goes on with the row an inner loop has filled stores no sizes beside its states."""

    def rows(x, n):
        above = np.full(n + 1, x[0])
        for k in range(3):
            row = np.full(n + 1, x[1])
            for j in range(n):
                row[j + 1] = np.sin(row[j]) * above[j] + x[k]
            above = row
        return np.sum(above)

    gradient = tl.grad(tl.function(rows))
    assert "soac.widen" not in tl.compile(gradient, (POINT, 3)).ir("ad")
    for n in (0, 1, 5):
        np.testing.assert_allclose(gradient(POINT, n), by_differences(rows, n), rtol=1e-6, atol=1e-7)
