"""Loops that run without their guarded branches, and again as they were where that gives no finite numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tapeless._mlir import ir, memref, scf
from tapeless.passes.ir.guards import GUARD, OPERATIONS, guard, is_guarded, lower_guard
from tapeless.passes.ir.rebuild import retarget
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.repeat.finite_ways import finite_ways
from tapeless.passes.lower.repeat.first_run import SAW, WATCH, after, is_zero, noted, results_behind, watched
from tapeless.passes.lower.repeat.reciprocals import take_reciprocals
from tapeless.passes.lower.repeat.rerun import private_buffers, what_runs_again
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING

__all__ = ["SAW", "WATCH", "Ways", "repeat", "what_runs_again"]


def _may_run_in_lanes(op: ir.Operation) -> bool:
    """Whether the loops around an operation have independent iterations at some level."""
    loop = op.parent.operation
    if op_name(loop) != "scf.for":
        return False
    return PARALLEL in loop.attributes or REDUCING in loop.attributes or _may_run_in_lanes(loop)


class Ways(NamedTuple):
    """The liberties of the first run of a loop, besides taking the first way of its guarded branches."""

    by_reciprocals: bool = False
    finite: bool = True


def repeat(parts: Sequence[ir.Operation], branches: Sequence[ir.Operation], ways: Ways) -> ir.Operation:
    """Has a loop take the first way of branches; gives the branch after it, in which it runs again."""
    *fills, loop = parts
    others: list[ir.Operation] = []
    private = private_buffers(loop)
    with ir.InsertionPoint(after(loop)), loop.location:
        *filled, again = [part.clone() for part in parts]
        unseen = take_reciprocals(body_of(loop), branches) if ways.by_reciprocals else []
        if fills:
            changed = list(range(len(loop.results)))
            results, finite = watched(loop, branches)
        else:
            others = finite_ways(body_of(loop), branches) if ways.finite else []
            changed = results_behind(loop, [*branches, *others])
            in_lanes = ways.finite and _may_run_in_lanes(loop)
            results, status = noted(loop, branches, others, unseen)
            finite = guard([status], OPERATIONS) if in_lanes else is_zero(status)
        choice = scf.IfOp(finite, [results[k].type for k in changed], has_else=True)
        for k, made in zip(changed, choice.results, strict=True):
            results[k].replace_all_uses_with(made)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp([results[k] for k in changed])
        with ir.InsertionPoint(choice.else_block):
            end = scf.YieldOp([again.results[k] for k in changed])
        for part in (*filled, again):
            part.move_before(end.operation)
        _separate(again.operation, private)
        if others:
            # Where closed forms overflow in some elements, the others still run in lanes.
            repeat([again.operation], _guarded_in(again.operation), Ways(finite=False))
        else:
            _leave_to_itself(again)
        return choice.operation


def _guarded_in(loop: ir.Operation) -> list[ir.Operation]:
    return [op.operation for op in body_of(loop).operations if op_name(op) == "scf.if" and is_guarded(op)]


def _separate(loop: ir.Operation, buffers: Sequence[ir.Value]) -> None:
    """Gives a loop that hardly ever runs buffers of its own, on the heap while it runs."""
    for buffer in buffers:
        old = buffer.owner.operation
        if op_name(old) == "memref.alloca":
            made = old.clone(ip=ir.InsertionPoint(old)).operation
        else:
            made = old.clone(ip=ir.InsertionPoint(loop)).operation
            with ir.InsertionPoint(after(loop)), loop.location:
                memref.DeallocOp(made.results[0])
        retarget(loop, {buffer: made.results[0]})


def _leave_to_itself(loop: ir.Operation) -> None:
    """A loop that hardly ever runs stays as it is."""
    hint = ir.Attribute.parse(SHORT)
    for op in ops_named(loop.opview, GUARD):
        lower_guard(op.operation)
    for op in (loop, *nested(body_of(loop))):
        name = op_name(op)
        if name == "scf.for":
            op.operation.attributes[ATTRIBUTE] = hint
        for mark in (PARALLEL, REDUCING, ACCUMULATING):
            if mark in op.operation.attributes:
                del op.operation.attributes[mark]
