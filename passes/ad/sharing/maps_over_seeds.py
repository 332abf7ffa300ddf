"""Maps over seeds split into a part that all seeds share and a part of each."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import SEEDS
from tapeless.passes.ad.redundant.scope.keeping import condenses
from tapeless.passes.ad.sharing.parts import Need, part_before
from tapeless.passes.ad.sharing.recording import can_keep, can_record, record
from tapeless.passes.ad.sharing.varying import Varying, blocks_of
from tapeless.passes.ir.costs import calls_function
from tapeless.passes.ir.regions.liveness import REGION_ENDS
from tapeless.passes.ir.regions.slots import Slot, is_structured, slots_of
from tapeless.passes.ir.scopes import identity, is_inside, outer_values
from tapeless.passes.soac.simplify.hoist import CHEAP_ARRAYS

SORTS = frozenset({"soac.argsort"})
RUNS_ONCE = "soac.with_acc"


def share_between_seeds(module: ir.Module, marked: Sequence[ir.OpView]) -> None:
    """Splits the maps over seeds, which differentiation marked.

    What moves has run without fail before, as part of the function that is differentiated, so nothing needs proof.
    """
    with ir.Location.unknown(module.context):
        for loop in marked:
            del loop.operation.attributes[SEEDS]
            _share(loop)


def _share(loop: ir.OpView) -> None:
    block = loop.body.blocks[0]
    varying = Varying(block)
    _split_block(block, varying, [])
    _move_out(block, loop, varying)


def _split_block(block: ir.Block, varying: Varying, around: Sequence[ir.OpView]) -> None:
    """Splits the operations of a block, the last first, so that each knows whether parts of later ones read it.

    `around` are the operations between the map over seeds and the block.
    """
    for op in reversed(list(block.operations)[:-1]):
        if is_structured(op.operation.name) and varying.touches(op):
            _split(op, varying, around)


def _split(op: ir.OpView, varying: Varying, around: Sequence[ir.OpView]) -> None:
    for block in blocks_of(op):
        _split_block(block, varying, [*around, op])
    if op.operation.name == RUNS_ONCE:
        _move_out(op.body.blocks[0], op, varying)
    if varying.steers(op):
        return
    slots = [slot for slot in slots_of(op) if _is_wanted(op, slot, varying, around)]
    recorded = [value for block in blocks_of(op) for value in _costly_values(op, block, varying, around)]
    need = Need.of(op, slots, recorded, varying) if slots or recorded else None
    if need is not None:
        varying.forget(op)
        part = part_before(op, need)
        for number in (number for slot in slots for number in slot.results):
            op.operation.results[number].replace_all_uses_with(part.values[op.operation.results[number]])
        varying.learn(record(op, part, recorded))


def _is_wanted(op: ir.OpView, slot: Slot, varying: Varying, around: Sequence[ir.OpView]) -> bool:
    """Whether a slot gives an invariant result that is worth having or read by invariant code."""
    results = [op.operation.results[number] for number in slot.results]
    uses = [use.owner for result in results if result not in varying for use in result.uses]
    need = Need.of(op, [slot], [], varying) if uses else None
    if need is None:
        return False
    is_worth = not around or (_holds_cost(op, need) and all(can_keep(result, around) for result in results))
    return is_worth or any(_is_still(use, varying) for use in uses)


def _is_still(op: ir.OpView, varying: Varying) -> bool:
    return op.operation.name in REGION_ENDS or not varying.touches(op)


def _costly_values(op: ir.OpView, block: ir.Block, varying: Varying, around: Sequence[ir.OpView]) -> list[ir.Value]:
    """The values of a block of `op` that do not vary, are worth storing, and can be."""
    if not can_record(op):
        return []
    still = [each for each in list(block.operations)[:-1] if is_costly(each) and not varying.touches(each)]
    values = [value for each in still for value in each.operation.results if can_keep(value, [*around, op])]
    return [value for value in values if Need.of(op, [], [value], varying) is not None]


def _holds_cost(op: ir.OpView, need: Need) -> bool:
    statements = [each for block in blocks_of(op) for each in block.operations if identity(each) in need.statements]
    return condenses(op) or any(is_costly(each) for each in statements)


def is_costly(op: ir.OpView) -> bool:
    """Whether an operation costs a function or a loop."""
    return op.operation.name in SORTS or condenses(op) or calls_function(op)


def _move_out(block: ir.Block, op: ir.OpView, varying: Varying) -> None:
    """Moves the statements that do not vary before `op`; fills are written again inside, where they may be changed."""
    staying = set(block.arguments)
    moved: list[ir.OpView] = []
    for each in list(block.operations)[:-1]:
        if varying.touches(each) or not len(each.operation.results) or _reads(each, staying):
            staying.update(each.operation.results)
        else:
            each.operation.move_before(op.operation)
            moved.append(each)
    for each in reversed(moved):
        if each.operation.name in CHEAP_ARRAYS:
            _write_again(each, block, op)


def _reads(op: ir.OpView, values: set[ir.Value]) -> bool:
    return any(value in values for value in outer_values(op))


def _write_again(array: ir.OpView, block: ir.Block, around: ir.OpView) -> None:
    copy = array.operation.clone(ip=ir.InsertionPoint.at_block_begin(block))
    for use in list(array.operation.results[0].uses):
        if is_inside(use.owner.operation, around.operation):
            use.owner.operation.operands[use.operand_number] = copy.results[0]
