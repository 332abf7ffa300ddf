"""Per-result dead-code elimination: dead operations go, and so do the dead components of live operators."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.groups import SEGMENTS, numbers_of
from tapeless.passes.ir.rebuild import keep_arguments, recreate, replace_op, retarget_terminator, selected
from tapeless.passes.ir.regions.liveness import Liveness, has_effect, is_droppable
from tapeless.passes.ir.regions.slots import Slot, is_structured, slots_of
from tapeless.passes.ir.scopes import identity, is_used


def prune(root: ir.OpView) -> bool:
    """Removes all below `root` that no effect and no result of `root` needs; says whether anything changed."""
    if not _may_hold_dead_code(root):
        return False
    liveness = Liveness.of(root)
    return _prune_regions(root, liveness)


def _may_hold_dead_code(root: ir.OpView) -> bool:
    """Whether something below an operation has a result, or is given an element, that nothing reads.

    What is dead is read by dead code alone, up to a value without any reader: what loops hand on to themselves comes
    out of them as such a value. Most often there is none, and this is seen with a fifth of the work.
    """
    is_found = False

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal is_found
        is_found = op != root.operation and _has_unread(op)
        return ir.WalkResult.INTERRUPT if is_found else ir.WalkResult.ADVANCE

    root.operation.walk(visit)
    return is_found


def _has_unread(op: ir.Operation) -> bool:
    if not is_structured(op.name):
        results = op.results
        return bool(len(results)) and not any(map(is_used, results)) and is_droppable(op.opview)
    view = op.opview
    if not all(is_used(value) for slot in slots_of(view) for value in slot.targets(view)):
        return True
    return not len(op.results) and not _holds_effect(op)


def _holds_effect(op: ir.Operation) -> bool:
    """Whether something in the regions of an operation has an effect, for which the operation stays."""
    is_found = False

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal is_found
        is_found = inner != op and has_effect(inner)
        return ir.WalkResult.INTERRUPT if is_found else ir.WalkResult.ADVANCE

    op.walk(visit)
    return is_found


def _prune_regions(op: ir.OpView, liveness: Liveness) -> bool:
    changed = False
    for region in op.regions:
        for block in region.blocks:
            for inner in reversed(list(block.operations)):
                changed |= _prune_op(inner, liveness)
    return changed


def _prune_op(op: ir.OpView, liveness: Liveness) -> bool:
    key = identity(op)
    if key is not None and key not in liveness.ops:
        op.operation.erase()
        return True
    if not is_structured(op.operation.name):
        return _prune_regions(op, liveness)
    dead = _dead_slots(op, liveness)
    _drop_yields(op, dead)
    changed = _prune_regions(op, liveness)
    if dead:
        _drop_slots(op, dead)
    return changed or bool(dead)


def _dead_slots(op: ir.OpView, liveness: Liveness) -> list[Slot]:
    return [slot for slot in liveness.slots[identity(op)] if not liveness.is_live(op, slot)]


def _drop_yields(op: ir.OpView, dead: list[Slot]) -> None:
    if not dead:
        return
    for number, region in enumerate(op.regions):
        gone = {place for slot in dead for holder, place in slot.yields if holder == number}
        if gone and len(region.blocks):
            block = region.blocks[0]
            operands = list(block.operations[-1].operands)
            retarget_terminator(block, [value for place, value in enumerate(operands) if place not in gone])


def _drop_slots(op: ir.OpView, dead: list[Slot]) -> None:
    """Rebuilds an operation without its dead slots, whose block arguments are unused by now."""
    for number, region in enumerate(op.regions):
        gone = {place for slot in dead for holder, place in slot.arguments if holder == number}
        if gone:
            block = region.blocks[0]
            keep_arguments(block, [place not in gone for place in range(len(block.arguments))])
    gone_operands = {number for slot in dead for number in slot.operands}
    gone_results = {number for slot in dead for number in slot.results}
    kept = [number not in gone_results for number in range(len(op.results))]
    groups = remaining_groups(op, gone_operands)
    made = recreate(op, groups, [result.type for result in selected(op.results, kept)], _emptied(op))
    results = iter(made.results)
    replace_op(op, [next(results) if keep else None for keep in kept])


def _emptied(op: ir.OpView) -> list[int]:
    """The combine regions of a fused operator that have nothing left to combine."""
    if op.operation.name != "soac.fused":
        return []
    return [number for number in (1, 2) if len(op.regions[number].blocks) and not len(arguments_of(op, number))]


def arguments_of(op: ir.OpView, region: int) -> ir.BlockArgumentList:
    """The block arguments of one region."""
    return op.regions[region].blocks[0].arguments


def remaining_groups(op: ir.OpView, gone: set[int]) -> list[list[ir.Value]]:
    """The operands of an operation in its groups, without those at some positions."""
    operands = list(op.operands)
    sizes = numbers_of(op.attributes[SEGMENTS]) if SEGMENTS in op.attributes else [len(operands)]
    groups, start = [], 0
    for size in sizes:
        groups.append([operands[number] for number in range(start, start + size) if number not in gone])
        start += size
    return groups
