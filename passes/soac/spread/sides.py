"""Which loops of a nest around a reduction are rows, and which are columns, as tiles of contractions have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.ir import build
from tapeless.passes.ir.array_loops import Loop
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.soac.spread.weights import operations_in

# The numbers of the loops of rows, and those of columns.
Sides: TypeAlias = tuple[list[int], list[int]]
# What an iteration of the reduction has for itself.
STEP = -1


def sides_of(nest: Sequence[Loop], reduction: ir.OpView) -> Sides | None:
    """Rows and columns of some maps around a reduction; None if it is no contraction.

    Some of the elements that a step of a contraction reads are the same along a loop that others move with, and these
    are the same along another one (`lower/tiles/contraction.py` finds the same in what it launches).
    """
    steps = Loop.seen_as(reduction)
    if steps.lift is None:
        return None
    sources: dict[ir.Value, frozenset[int]] = {}
    for number, loop in enumerate(nest):
        _enter(loop, number, sources)
    _enter(steps, STEP, sources)
    reads = [_sources(value, sources) for value in _numbers_read(steps)]
    moving = [read - {STEP} for read in reads if STEP in read]
    for anchor in reversed(range(len(nest))):
        columns = frozenset[int]().union(*(read for read in moving if anchor in read))
        rows = frozenset[int]().union(*(read for read in moving if anchor not in read))
        if columns - rows and rows - columns:
            return sorted(rows - columns), sorted(columns - rows)
    return None


def _enter(loop: Loop, number: int, sources: dict[ir.Value, frozenset[int]]) -> None:
    """What an iteration of a loop has: its number, and elements of arrays."""
    sources[loop.body.arguments[0]] = frozenset((number,))
    for own, array in zip(loop.elements, loop.inputs, strict=False):
        sources[own] = _sources(array, sources) | {number}


def _sources(value: ir.Value, sources: dict[ir.Value, frozenset[int]]) -> frozenset[int]:
    """The loops that a value moves with."""
    if value not in sources:
        if isinstance(value, ir.BlockArgument):
            return frozenset()
        used = [*value.owner.operands, *outer_values(value.owner)]
        sources[value] = frozenset[int]().union(*(_sources(each, sources) for each in used))
    return sources[value]


def _numbers_read(steps: Loop) -> Iterator[ir.Value]:
    """The numbers that an iteration of a reduction reads from arrays."""
    yield from (own for own in steps.elements if not build.is_array(own))
    pending = list(steps.body.operations)
    while pending:
        op = pending.pop()
        pending.extend(operations_in(op))
        if op.operation.name == "tensor.extract":
            yield op.results[0]
