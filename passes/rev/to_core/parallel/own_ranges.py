"""Ranges of rows: which of a cell the iterations of a parallel loop go through, and whether the cell has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.accesses import accesses, stands_in
from tapeless.dialects.rev.cells import base
from tapeless.dialects.rev.iterations import Own
from tapeless.dialects.rev.places import Axis, Symbol
from tapeless.passes.ir.build import dim, index, static_size
from tapeless.passes.rev.blocks import statements
from tapeless.passes.rev.to_core.state import State

ARITHMETIC = {"arith.addi": arith.AddIOp, "arith.subi": arith.SubIOp, "arith.muli": arith.MulIOp}
# Statements whose bodies run whatever the cells hold.
CERTAIN = ("rev.ancilla",)
KIND = "IndexOutOfRange"
OUTSIDE = "index {} is out of range for axis AXIS with size {}"


class Ends(NamedTuple):
    """Where the first and the last iteration are on an axis of a cell."""

    axis: int
    first: ir.Value
    last: ir.Value
    stride: int


def require_ranges(state: State, op: ir.OpView, own: Mapping[ir.Value, list[Own]]) -> None:
    """Ends the call when an iteration that is certain to change a cell has no row of it."""
    for cell, places in own.items():
        writes = list(_certain_writes(op.body.blocks[0], cell))
        if writes:
            with writes[0].location:
                for ends in _ends(state, op, cell, places):
                    _require_range(state, op, cell, ends)


def _require_range(state: State, op: ir.OpView, cell: ir.Value, ends: Ends) -> None:
    size = dim(state.sized(cell), ends.axis)
    is_inside = arith.CmpIOp(arith.CmpIPredicate.ult, ends.first, size).result
    beyond = arith.MinSIOp(ends.last, size).result if ends.stride == 1 else ends.last
    soac.AssertOp(
        _hold(state, op, size, ends),
        [arith.SelectOp(is_inside, beyond, ends.first).result, size],
        kind=ir.StringAttr.get(KIND),
        message=ir.StringAttr.get(OUTSIDE.replace("AXIS", str(ends.axis))),
    )


def ranges_hold(state: State, op: ir.OpView, own: Mapping[ir.Value, list[Own]]) -> ir.Value:
    """Whether cells have rows for all iterations."""
    answers = [
        _hold(state, op, dim(state.sized(cell), ends.axis), ends)
        for cell, places in own.items()
        for ends in _ends(state, op, cell, places)
    ]
    return reduce(lambda a, b: arith.AndIOp(a, b).result, answers)


def _hold(state: State, op: ir.OpView, size: ir.Value, ends: Ends) -> ir.Value:
    """Whether there are no iterations, or the first and the last one have rows."""
    empty = [arith.CmpIOp(arith.CmpIPredicate.sle, width, index(0)).result for width in state.mapped(op.upper)]
    begins = arith.CmpIOp(arith.CmpIPredicate.sge, ends.first, index(0)).result
    ends_inside = arith.CmpIOp(arith.CmpIPredicate.slt, ends.last, size).result
    return reduce(lambda a, b: arith.OrIOp(a, b).result, empty, arith.AndIOp(begins, ends_inside).result)


def _ends(state: State, op: ir.OpView, cell: ir.Value, own: Sequence[Own]) -> Iterator[Ends]:
    """For every axis on which iterations might be outside of a cell, where the first and the last one are."""
    for axis, place in fixed_axes(state, op, cell).items():
        at = fixed_place(state, place)
        yield Ends(axis, at, at, 0)
    for level, each in enumerate(own):
        if not is_all(op, cell, each, level):
            (width,) = state.mapped([op.upper[level]])
            first = first_row(state, op, each, level)
            rest = arith.MulIOp(arith.SubIOp(width, index(1)).result, index(each.stride)).result
            yield Ends(each.axis, first, arith.AddIOp(first, rest).result, each.stride)


def are_certain(state: State, op: ir.OpView, cell: ir.Value, own: Sequence[Own]) -> bool:
    """Whether the cell has a row for every iteration, or an iteration without one ends the call."""
    if not fixed_axes(state, op, cell) and all(is_all(op, cell, each, level) for level, each in enumerate(own)):
        return True
    return any(True for _ in _certain_writes(op.body.blocks[0], cell))


def _certain_writes(block: ir.Block, cell: ir.Value) -> Iterator[ir.OpView]:
    """The statements that change a cell in every iteration."""
    for statement in statements(block):
        if any(base(each) == cell for each in statement.written_cells()):
            yield statement
        if statement.operation.name in CERTAIN:
            yield from _certain_writes(statement.body.blocks[0], cell)


def is_all(op: ir.OpView, cell: ir.Value, own: Own, level: int) -> bool:
    """Whether iterations go through all rows of a cell."""
    upper = op.upper[level]
    if own.root != op.body.blocks[0].arguments[level] or own.offset:
        return False
    if cell.type.shape[own.axis] != DYNAMIC:
        return cell.type.shape[own.axis] == static_size(upper)
    is_size = not isinstance(upper.owner, ir.Block) and upper.owner.name == "memref.dim"
    return is_size and upper.owner.operands[0] == cell and static_size(upper.owner.operands[1]) == own.axis


def fixed_axes(state: State, op: ir.OpView, cell: ir.Value) -> dict[int, Symbol]:
    """The axes on which all accesses to a cell are at one element, whatever the iteration, and where that is."""
    places = [access.place() for access in accesses(op.body) if base(access.cell) == cell]
    found: dict[int, Symbol] = {}
    for axis in range(cell.type.rank):
        here = {place.axes[axis].offset for place in places if is_element(place.axes[axis])}
        is_one = len(here) == 1 and all(is_element(place.axes[axis]) for place in places)
        if is_one and (only := here.pop()) is not None and (only.root is None or not stands_in(only.root, op)):
            found[axis] = only
    return {axis: place for axis, place in found.items() if axis not in state.taken(cell)}


def is_element(axis: Axis[Symbol | None]) -> bool:
    """Whether a range is one position."""
    return axis.size is not None and axis.size.root is None and axis.size.offset == 1


def fixed_place(state: State, symbol: Symbol) -> ir.Value:
    """A position that is the same for all iterations."""
    offset = index(symbol.offset)
    return offset if symbol.root is None else arith.AddIOp(state.translate(symbol.root), offset).result


def first_row(state: State, op: ir.OpView, own: Own, level: int) -> ir.Value:
    """The row of the first iteration."""
    variable = op.body.blocks[0].arguments[level]

    def at_zero(value: ir.Value) -> ir.Value:
        if value == variable:
            return index(0)
        if not stands_in(value, op):
            return state.translate(value)
        if value.owner.name == "arith.constant":
            return index(static_size(value))
        return ARITHMETIC[value.owner.name](*map(at_zero, value.owner.operands)).result

    return arith.AddIOp(at_zero(own.root), index(own.offset)).result
