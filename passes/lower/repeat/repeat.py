"""The pass `lower-repeat`: loops run without their guarded branches, and again with them where one was needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from tapeless._mlir import arith, func, ir, memref, scf
from tapeless.passes.ir.build import number
from tapeless.passes.ir.copies import retarget
from tapeless.passes.ir.guards import is_guarded, number_tested, widest
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.arithmetic.fastmath import AS_WRITTEN
from tapeless.passes.lower.llvm.heap import declare
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.repeat.finite_ways import finite_ways
from tapeless.passes.lower.repeat.reciprocals import take_reciprocals
from tapeless.passes.lower.repeat.rerun import private_buffers, what_runs_again
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name
from tapeless.passes.marks import ACCUMULATING, GUARDED, PARALLEL, REDUCING
from tapeless.passes.soac.contract.contract import mark_shared_products

WATCH, SAW = "tl_watch_floats", "tl_saw_infinite"
SUMMED = "#arith.fastmath<reassoc,nsz,contract>"


@dataclass(frozen=True)
class Repeat:
    """Lets loops take the first way of guarded branches, and look once at their end whether that was right.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {                %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) {
      %x = ...                                         %x = ...
      %nothing = arith.mulf %x, %zero                  %nothing = arith.mulf %x, %zero
      %finite = arith.cmpf oeq, %nothing, %zero        %b = arith.addf %a, %nothing
      %y = scf.if %finite {yield %x} else {steps}      memref.store %x, %r[%i]
      memref.store %y, %r[%i]                          scf.yield %b
    }                                                }
                                                     %finite = arith.cmpf oeq, %s, %zero
                                                     scf.if %finite {} else {the loop as it was}
    ```
    So usual loops have no branch and stay what they are without guards: vectors of them, and sums in the same order.
    A loop that reads what it writes cannot run again, and keeps its branches.

    Where products and sums are `fused`, and the program has no `flags` of its own, the first loop multiplies by
    reciprocal roots instead of dividing by roots (`reciprocals.py`).
    """

    name: ClassVar[str] = "lower-repeat"
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
                if len(parts) == 1 and _may_run_in_lanes(choice):
                    choice.operands[0].owner.attributes[GUARDED] = ir.UnitAttr.get()
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
    with ir.InsertionPoint(_after(loop)), loop.location:
        *filled, again = [part.clone() for part in parts]
        unseen = take_reciprocals(body_of(loop), branches) if ways.by_reciprocals else []
        if fills:
            changed = list(range(len(loop.results)))
            results, finite = _watched(loop, branches)
        else:
            others = finite_ways(body_of(loop), branches) if ways.finite else []
            changed = _results_behind(loop, [*branches, *others])
            results, finite = _noted(loop, branches, others, unseen)
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
            with ir.InsertionPoint(_after(loop)), loop.location:
                memref.DeallocOp(made.results[0])
        retarget(loop, {buffer: made.results[0]})


def _results_behind(loop: ir.Operation, branches: Sequence[ir.Operation]) -> list[int]:
    """Which results of a loop depend on what its branches give."""
    *body, end = body_of(loop).operations
    carried = list(body_of(loop).arguments)[1:]
    behind = {result for branch in branches for result in branch.results}
    known = -1
    while known < len(behind):
        known = len(behind)
        for op in body:
            if any(value in behind for value in _read_by(op.operation)):
                behind.update(op.operation.results)
        behind.update(inner for inner, last in zip(carried, end.operation.operands, strict=True) if last in behind)
    return [k for k, value in enumerate(end.operation.operands) if value in behind]


def _read_by(op: ir.Operation) -> list[ir.Value]:
    inner = [other.operation for region in op.regions for block in region.blocks for other in nested(block)]
    return [value for each in (op, *inner) for value in each.operands]


def _noted(
    loop: ir.Operation, branches: Sequence[ir.Operation], others: Sequence[ir.Operation], also: Sequence[ir.Value]
) -> tuple[list[ir.Value], ir.Value]:
    """The loop with the first way of branches, which adds up what they test; its results, and whether it was right.

    Those of `others` are right where those of branches are.
    """
    tested = [number_tested(branch) for branch in branches]
    with loop.location:
        tested += [_nothing(value) for value in also]
    zero = number(max((each.type for each in tested), key=lambda kind: kind.width), 0.0)
    made = scf.ForOp(*list(loop.operands)[:3], [*list(loop.operands)[3:], zero])
    for name in loop.attributes:
        made.operation.attributes[name] = loop.attributes[name]
    for old, new in zip(body_of(loop).arguments, made.body.arguments, strict=False):
        old.replace_all_uses_with(new)
    *statements, end = body_of(loop).operations
    for op in statements:
        made.body.append(op)
    for branch in (*branches, *others):
        _take_first_way(branch)
    with ir.InsertionPoint(made.body), loop.location:
        summed = ir.Attribute.parse(SUMMED)
        first, *others, total = widest([*tested, made.inner_iter_args[-1]])
        for each in others:
            first = arith.AddFOp(first, each, fastmath=summed).result
        scf.YieldOp([*end.operation.operands, arith.AddFOp(total, first, fastmath=summed).result])
    *results, status = made.results
    for old, new in zip(loop.results, results, strict=True):
        old.replace_all_uses_with(new)
    end.operation.erase()
    loop.erase()
    finite = arith.CmpFOp(arith.CmpFPredicate.OEQ, status, zero).result
    return results, finite


def _nothing(value: ir.Value) -> ir.Value:
    """Zero, or no number where a value is not finite."""
    owner = value.owner.operation
    with ir.InsertionPoint(_after(owner)):
        return arith.MulFOp(value, number(value.type, 0.0)).result


def _watched(loop: ir.Operation, branches: Sequence[ir.Operation]) -> tuple[list[ir.Value], ir.Value]:
    """The loop with the first way of branches, while the processor watches; its results, and whether it was right.

    Such loops add to elements of arrays, and are often short of places for one more sum.
    """
    for branch in branches:
        _take_first_way(branch)
    _erase_unused(body_of(loop))
    mark_shared_products(body_of(loop))
    word = ir.IntegerType.get_signless(64)
    with ir.InsertionPoint.at_block_begin(loop.block):
        func.CallOp([], WATCH, [])
    seen = func.CallOp([word], SAW, []).result
    return list(loop.results), arith.CmpIOp(arith.CmpIPredicate.eq, seen, number(word, 0)).result


def _after(op: ir.Operation) -> ir.Operation:
    """The operation that follows another one in its block."""
    operations = [each.operation for each in op.block.operations]
    return operations[1 + operations.index(op)]


def _take_first_way(branch: ir.Operation) -> None:
    *statements, end = branch.regions[0].blocks[0].operations
    for op in statements:
        op.operation.move_before(branch)
    for result, value in zip(branch.results, end.operation.operands, strict=True):
        result.replace_all_uses_with(value)
    branch.erase()


def _erase_unused(block: ir.Block) -> None:
    """Erases scalar code that nothing uses any more."""
    for op in reversed(list(block.operations)):
        if op_name(op).startswith("arith.") and not any(True for result in op.results for _ in result.uses):
            op.operation.erase()


def _leave_to_itself(loop: ir.Operation) -> None:
    """A loop that hardly ever runs stays as it is."""
    hint = ir.Attribute.parse(SHORT)
    for op in (loop, *nested(body_of(loop))):
        name = op_name(op)
        if name == "scf.for":
            op.operation.attributes[ATTRIBUTE] = hint
        for mark in (PARALLEL, REDUCING, ACCUMULATING, GUARDED):
            if mark in op.operation.attributes:
                del op.operation.attributes[mark]
