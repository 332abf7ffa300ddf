"""`soac-sink`: loops moved into the `soac.with_acc` after them, where they can be merged with its loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.loops import Loop
from tapeless.passes.ir.rebuild import recreate, replace_op, retarget_terminator
from tapeless.passes.ir.scopes import is_inside
from tapeless.passes.ir.search import holds
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.speculation import is_safe_anywhere

LOOPS = ("soac.map", "soac.fused")


@dataclass(frozen=True)
class Sink:
    """Moves loops into the accumulation after them.

    ```mlir
    %y = "soac.map"(%n, %x) ({...})                   %out = "soac.with_acc"(%zeros) ({
    %out = "soac.with_acc"(%zeros) ({                 ^bb0(%acc):
    ^bb0(%acc):                                         %y = "soac.map"(%n, %x) ({...})
      map over %y: "soac.update"(%acc, ...)             map over %y: "soac.update"(%acc, ...)
    ```
    Two kinds move: a loop whose results only the accumulation reads, and one that reads the same arrays as a loop of
    the accumulation (the primal sum beside its return sweep); what is computed from the latter's results then comes
    after.
    """

    name: ClassVar[str] = "soac-sink"

    def run(self, module: ir.Module) -> None:
        """Moves loops into every accumulation of the module, if there is one."""
        if holds(module.operation.opview, "soac.with_acc"):
            sink_into_accumulations(module.operation.opview, EqualSizes())


def sink_into_accumulations(root: ir.OpView, equal: EqualSizes) -> None:
    """Moves loops into every `soac.with_acc` below `root`, outer ones first; `equal` are the sizes checked before."""
    for op, before in equal.inside(root):
        target = op
        if op.operation.name == "soac.with_acc":
            _sink_producers(op)
            target = _sink_neighbours(op, before)
        if len(target.regions):
            sink_into_accumulations(target, before)


def _before(target: ir.OpView) -> list[ir.OpView]:
    """The loops without checks before an operation in its block, last first."""
    operations = target.operation.block.operations
    earlier = [op for op in operations if op.operation.is_before_in_block(target.operation)]
    return [op for op in reversed(earlier) if op.operation.name in LOOPS and not is_check(op)]


def _sink_producers(target: ir.OpView) -> None:
    """Moves in the loops whose results nothing else reads; producers of producers follow."""
    for op in _before(target):
        users = _users(op)
        if users and all(is_inside(user, target.operation) for user in users):
            op.operation.move_before(target.body.blocks[0].operations[0].operation)


def _sink_neighbours(target: ir.OpView, equal: EqualSizes) -> ir.OpView:
    """Moves in the maps that read an array which a loop of the accumulation reads too; gives the new accumulation."""
    for op in _before(target):
        if op.operation.name != "soac.map" or not _shares_input(op, target, equal):
            continue
        later = _dependent(op, target)
        if later is not None:
            target = _moved_in(op, target, later)
    return target


def _shares_input(op: ir.OpView, target: ir.OpView, equal: EqualSizes) -> bool:
    inner = [Loop.of(each) for each in target.body.blocks[0].operations]
    arrays = set(op.inputs)
    return any(
        loop is not None and arrays.intersection(loop.inputs) and equal.are_same(op.width, loop.width) for loop in inner
    )


def _dependent(op: ir.OpView, target: ir.OpView) -> list[ir.OpView] | None:
    """The operations between `op` and `target` that need its results, in order; nothing when they cannot come later."""
    between = [
        each
        for each in target.operation.block.operations
        if op.operation.is_before_in_block(each.operation) and each.operation.is_before_in_block(target.operation)
    ]
    made, found = set(op.results), []
    for each in between:
        if _reads(each, made):
            if is_check(each) or not (is_safe_anywhere(each) or each.operation.name.startswith(("soac.", "arith."))):
                return None
            made.update(each.results)
            found.append(each)
    starts = any(dest in made for dest in target.dests)
    return None if starts or _reads(target, made - set(op.results)) else found


def _reads(op: ir.OpView, values: set[ir.Value]) -> bool:
    if any(operand in values for operand in op.operands):
        return True
    blocks = [block for region in op.regions for block in region.blocks]
    return any(_reads(inner, values) for block in blocks for inner in block.operations)


def _moved_in(op: ir.OpView, target: ir.OpView, later: Sequence[ir.OpView]) -> ir.OpView:
    """The accumulation with `op` in it and its results handed out; the dependent operations follow it."""
    block = target.body.blocks[0]
    outside = [
        [use for use in result.uses if not is_inside(use.owner.operation, target.operation)] for result in op.results
    ]
    results = list(op.results)
    op.operation.move_before(block.operations[0].operation)
    retarget_terminator(block, [*block.operations[-1].operands, *results])
    types = [result.type for result in [*target.results, *results]]
    made = recreate(target, [list(target.dests)], types)
    count = len(target.results)
    for uses, handed in zip(outside, list(made.results)[count:], strict=True):
        for use in uses:
            use.owner.operation.operands[use.operand_number] = handed
    replace_op(target, list(made.results)[:count])
    place = made.operation
    for each in later:
        each.operation.move_after(place)
        place = each.operation
    return made


def _users(op: ir.OpView) -> list[ir.Operation]:
    return [use.owner.operation for result in op.results for use in result.uses]
