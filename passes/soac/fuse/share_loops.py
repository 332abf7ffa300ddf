"""`soac-share-loops`: what a loop carries is taken from another loop that carries the same, and more."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dialects import soac
from tapeless.passes.ir.costs import is_check
from tapeless.passes.ir.scopes import is_used, outer_values, terminator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.fuse.congruence import Numbers, numbered
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class ShareLoops:
    """Lets loops of one block that run as often carry once what several of them carry.

    ```mlir
    %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) { step }
    %z:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %states = %empty) { step, and its state is kept }
    ```
    becomes the second loop alone, and `%y` is `%z#0`. A program and its return sweep meet so in the body of a map.
    """

    name: ClassVar[str] = "soac-share-loops"

    def run(self, module: ir.Module) -> bool:
        """Shares loops block by block; whether any was."""
        root = module.operation.opview
        blocks: dict[ir.Block, list[ir.OpView]] = {}
        for op in ops_named(root, "scf.for"):
            blocks.setdefault(op.operation.block, []).append(op)
        changed = any([_share_among(loops) for loops in blocks.values() if len(loops) > 1])
        if changed:
            prune(root)
        return changed


def _share_among(loops: Sequence[ir.OpView]) -> bool:
    """Replaces results of loops of one block by those of others; whether any was."""
    groups: dict[Hashable, list[ir.OpView]] = {}
    for loop in loops:
        if not any(isinstance(value.type, soac.AccType) for value in loop.operation.operands):
            groups.setdefault(_trips(loop), []).append(loop)
    return any([_share_equal_trips(group) for group in groups.values() if len(group) > 1])


def _trips(loop: ir.OpView) -> Hashable:
    """The same for loops over the same indices: a bound below the first of them is as good as that."""
    low, high, step = list(loop.operation.operands)[:3]
    if not isinstance(high, ir.BlockArgument) and high.owner.name == "arith.maxsi" and constant_int(low) == 0:
        others = [value for value in high.owner.operands if constant_int(value) != 0]
        high = others[0] if len(others) == 1 else high
    return low, high, step


def _share_equal_trips(loops: Sequence[ir.OpView]) -> bool:
    """Drops the results of loops that carry a part of what another one does; whether there were any."""
    classes = _congruent(loops)
    kept = sorted(loops, key=lambda loop: len(loop.operation.results))
    changed = False
    for part in list(kept):
        used = [k for k, result in enumerate(part.operation.results) if is_used(result)]
        wanted = {classes[part][k] for k in used}
        for whole in kept if used else ():
            if whole is not part and wanted <= set(classes[whole]) and _brought_before(whole, part):
                for k in used:
                    given = whole.operation.results[classes[whole].index(classes[part][k])]
                    part.operation.results[k].replace_all_uses_with(given)
                kept.remove(part)
                changed = True
                break
    return changed


def _congruent(loops: Sequence[ir.OpView]) -> dict[ir.OpView, list[int]]:
    """A number for each value that each loop carries, the same for those that start and stay the same."""
    starts = [(start, start.type) for loop in loops for start in list(loop.operation.operands)[3:]]
    classes = numbered(starts)
    while True:
        yielded = _numbers_of_yielded(loops, classes)
        refined = numbered(list(zip(classes, yielded, strict=True)))
        if refined == classes:
            break
        classes = refined
    numbers = iter(classes)
    return {loop: [next(numbers) for _ in loop.operation.results] for loop in loops}


def _numbers_of_yielded(loops: Sequence[ir.OpView], classes: Sequence[int]) -> list[Hashable]:
    """Value numbers of what loops yield when carried values of a class are the same."""
    numbers, carried, yielded = Numbers(), iter(classes), []
    for loop in loops:
        variable, *arguments = _body(loop).arguments
        numbers.of_value[variable] = "index"
        numbers.of_value.update((argument, ("carried", next(carried))) for argument in arguments)
        for op in list(_body(loop).operations)[:-1]:
            numbers.enter(op)
        yielded += numbers.of(terminator(_body(loop)).operands)
    return yielded


def _body(loop: ir.OpView) -> ir.Block:
    return loop.operation.regions[0].blocks[0]


def _brought_before(whole: ir.OpView, part: ir.OpView) -> bool:
    """Moves a loop, with what it needs, to before another one of its block; whether it stands there."""
    operations = [op.operation for op in whole.operation.block.operations]
    first, last = operations.index(part.operation), operations.index(whole.operation)
    if last < first:
        return True
    between = operations[first:last]
    needed = _needed(whole, between)
    if part.operation in needed or any(is_check(op.opview) for op in between):
        return False
    for op in (*needed, whole.operation):
        op.move_before(part.operation)
    return True


def _needed(op: ir.OpView, among: Sequence[ir.Operation]) -> list[ir.Operation]:
    """Those of some operations of a block that one after them depends on, in their order."""
    reads = set(outer_values(op))
    found: list[ir.Operation] = []
    for each in reversed(among):
        if any(result in reads for result in each.results):
            found.append(each)
            reads |= set(outer_values(each.opview))
    return found[::-1]
