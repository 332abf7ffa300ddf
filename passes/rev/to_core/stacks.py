"""Stacks: an array of entries and the number of them; the cells above are zero."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.rev.cells import base
from tapeless.passes.ir.build import dim, filled, number
from tapeless.passes.rev.checks.checks import Scale, is_on, require, require_same
from tapeless.passes.rev.to_core.state import Held, State

FULL = "a stack of {} entries is full"
EMPTY = "an entry is taken from an empty stack"
NOT_EMPTY = "a stack still has {} entries at its end"
NOT_ZERO = "a cell does not hold 0 when an entry of a stack is moved into it"
NOT_SAME = "a cell does not hold the entry that was copied from it"


def empty_stack(capacity: ir.Value, scalar: ir.Type) -> Held:
    """A stack without entries."""
    type_ = ir.RankedTensorType.get([DYNAMIC], scalar)
    return filled(type_, [capacity], number(scalar, 0)), number(ir.IntegerType.get_signless(64), 0)


def require_empty(op: ir.OpView, held: Held) -> None:
    """Ends the call when a stack has entries left."""
    if is_on(op):
        require(op, _compare(arith.CmpIPredicate.eq, held[1], number(held[1].type, 0)), NOT_EMPTY, [held[1]])


def push(state: State, op: ir.OpView) -> None:
    """One more entry; a moved cell holds 0 afterwards."""
    entries, count = state.cells[op.stack]
    place = _index(count)
    if is_on(op):
        is_free = _compare(arith.CmpIPredicate.slt, place, dim(entries, 0))
        require(op, is_free, FULL, [dim(entries, 0)], is_needed=True)
    value = state.read(op.cell)
    more = arith.AddIOp(count, number(count.type, 1)).result
    state.cells[op.stack] = (tensor.InsertOp(value, entries, [place]).result, more)
    if op.mode.value == "move":
        state.write(op.cell, number(value.type, 0))


def pop(state: State, op: ir.OpView) -> None:
    """One entry less; the cell gets it, or must hold it when it was copied."""
    entries, count = state.cells[op.stack]
    if is_on(op):
        require(op, _compare(arith.CmpIPredicate.sgt, count, number(count.type, 0)), EMPTY, is_needed=True)
    fewer = arith.SubIOp(count, number(count.type, 1)).result
    top = tensor.ExtractOp(entries, [_index(fewer)]).result
    zero = number(top.type, 0)
    if is_on(op):
        wanted, message = (zero, NOT_ZERO) if op.mode.value == "move" else (top, NOT_SAME)
        require_same(op, state.read(op.cell), wanted, message, _scale(state, op.cell))
    state.cells[op.stack] = (tensor.InsertOp(zero, entries, [_index(fewer)]).result, fewer)
    if op.mode.value == "move":
        state.write(op.cell, top)


def _scale(state: State, cell: ir.Value) -> Scale:
    """How large a cell has been; that of a parameter is known only since the procedure began."""
    is_ancilla = base(cell).owner.owner.name == "rev.ancilla"
    return Scale(state.peak(cell), is_alone=state.is_differentiated and is_ancilla)


def _index(count: ir.Value) -> ir.Value:
    return arith.IndexCastOp(ir.IndexType.get(), count).result


def _compare(predicate: arith.CmpIPredicate, a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.CmpIOp(predicate, a, b).result


STACKS: dict[str, Callable[[State, ir.OpView], None]] = {"rev.push": push, "rev.pop": pop}
