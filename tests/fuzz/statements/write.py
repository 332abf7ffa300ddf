"""A statement of a random family."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.draft import Draft
from fuzz.statements import assignments, branches, levels, loops, nested, swaps, writes
from fuzz.writing import Stuck

Family = Callable[[Draft], object]

SIMPLE: dict[Family, int] = {
    assignments.new: 6,
    assignments.again: 3,
    assignments.updated: 2,
    assignments.of_tuple: 1,
    writes.element: 3,
    writes.line: 4,
    writes.part: 3,
    writes.whole: 1,
    swaps.elements: 1,
    swaps.lines: 2,
    swaps.parts: 1,
    swaps.kept: 2,
}
COMPOUND: dict[Family, int] = {
    loops.counted: 5,
    loops.over_axis: 5,
    loops.over_rows: 1,
    loops.while_counted: 2,
    levels.levels: 3,
    branches.branch: 2,
    nested.function: 1,
}
EVERY = {**SIMPLE, **COMPOUND}
MOST_NESTED = 3


def statement(d: Draft) -> None:
    """One statement; compound ones fill their blocks with others."""
    table = SIMPLE if d.indent >= MOST_NESTED or d.is_flat else EVERY
    d.first_that_works(table, tries=20)
    if d.may_leave and d.indent <= MOST_NESTED and d.chance(0.08):
        branches.leave(d)


def block(d: Draft, most: int = 3) -> None:
    for _ in range(d.rng.randint(1, most)):
        try:
            statement(d)
        except Stuck:
            continue
