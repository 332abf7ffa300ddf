"""The pass `lower-speculate-guards` runs loops without their overflow guards, and again with them if needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from tapeless._mlir import ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.guards import GUARD, OPERATIONS, guard, is_guarded, lower_guard
from tapeless.passes.ir.rebuild import retarget
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN
from tapeless.passes.lower.llvm.heap import declare
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.repeat.finite_ways import finite_ways
from tapeless.passes.lower.repeat.first_run import SAW, WATCH, after, is_zero, noted, results_behind, watched
from tapeless.passes.lower.repeat.reciprocals import take_reciprocals
from tapeless.passes.lower.repeat.rerun import private_buffers, what_runs_again
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name
from tapeless.passes.marks import ACCUMULATING, PARALLEL, REDUCING


@dataclass(frozen=True)
class Repeat:
    """Runs loops speculatively on the fast path of their guards, and again with the exact one if a result is not
    finite.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {                %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) {
      %x = ...                                         %x = ...
      %ok = "soac.guard"(%x) {...}                     %nothing = arith.mulf %x, %zero
      %y = scf.if %ok {yield %x} else {steps}          %b = arith.addf %a, %nothing
      memref.store %y, %r[%i]                          memref.store %x, %r[%i]
    }                                                  scf.yield %b
                                                     }
                                                     %finite = arith.cmpf oeq, %s, %zero
                                                     scf.if %finite {} else {the loop as it was}
    ```
    So usual loops have no branch and stay what they are without guards: vectors of them, and sums in the same order.
    A loop that reads what it writes cannot run again, and keeps its branches.

    Where products and sums are `fused`, and the program has no `flags` of its own, the first loop multiplies by
    reciprocal roots instead of dividing by roots (`reciprocals.py`).
    """

    name: ClassVar[str] = "lower-speculate-guards"
    after: ClassVar[dict[str, str]] = {
        "lower-loops": "it runs loops again",
    }
    skips_numbers: ClassVar[bool] = True
    fused: bool = True
    flags: tuple[str, ...] = AS_WRITTEN

    def run(self, module: ir.Module) -> None:
        """Rewrites loops that have guarded branches, and those around them that could run in lanes without."""
        guards: dict[ir.Operation, list[ir.Operation]] = {}
        for branch in ops_named(module.operation.opview, "scf.if"):
            if is_guarded(branch) and op_name(branch.operation.parent) == "scf.for":
                guards.setdefault(branch.operation.parent.operation, []).append(branch.operation)
        watches = False
        while guards:
            loop = max(guards, key=_depth)
            branches = guards.pop(loop)
            if parts := what_runs_again(loop):
                choice = _repeat(parts, branches, Ways(self.fused and self.flags == AS_WRITTEN))
                watches = watches or len(parts) > 1
                if is_guarded(choice):
                    guards.setdefault(choice.parent.operation, []).append(choice)
        if watches:
            declare(module, WATCH, [], [])
            declare(module, SAW, [], [ir.IntegerType.get_signless(64)])


def _depth(op: ir.Operation) -> int:
    """How many operations an operation is in."""
    return 0 if op.parent is None else 1 + _depth(op.parent.operation)


def _may_run_in_lanes(op: ir.Operation) -> bool:
    """Whether the loops around an operation have independent iterations at some level."""
    loop = op.parent.operation
    if op_name(loop) != "scf.for":
        return False
    return PARALLEL in loop.attributes or REDUCING in loop.attributes or _may_run_in_lanes(loop)


class Ways(NamedTuple):
    """What the first run of a loop may do besides taking the first way of its guarded branches."""

    by_reciprocals: bool = False
    finite: bool = True


def _repeat(parts: Sequence[ir.Operation], branches: Sequence[ir.Operation], ways: Ways) -> ir.Operation:
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
            _repeat([again.operation], _guarded_in(again.operation), Ways(finite=False))
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
