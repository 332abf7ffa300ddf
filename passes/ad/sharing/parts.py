"""The part of a structured operation that some of its values need, as an operation of its own before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ad.copying import Values, copy_op
from tapeless.passes.ad.sharing.varying import Varying, blocks_of
from tapeless.passes.ir.regions.slots import Slot, argument_at, controls, slots_of, yielded_at
from tapeless.passes.ir.scopes import identity, outer_values, owner_block
from tapeless.passes.soac.simplify.prune import remaining_groups


@dataclass
class Need:
    """The needed parts of one operation: slots, and statements of its regions (by `identity`)."""

    slots: list[Slot] = field(default_factory=list)
    statements: set[ir.Value | ir.Block | None] = field(default_factory=set)

    @staticmethod
    def of(op: ir.OpView, slots: Iterable[Slot], values: Iterable[ir.Value], varying: Varying) -> Need | None:
        """The values that slots and values of the regions depend on, up to those from outside; nothing when some of it
        varies.
        """
        all_slots, inside = slots_of(op), set(blocks_of(op))
        by_argument = {argument_at(op, place): slot for slot in all_slots for place in slot.arguments}
        need = Need()
        waiting = [*values, *controls(op, all_slots)]
        for slot in slots:
            waiting += need._take(op, slot)
        while waiting:
            value = waiting.pop()
            if value in by_argument:
                waiting += need._take(op, by_argument[value])
            elif not isinstance(value, ir.BlockArgument) and owner_block(value) in inside:
                if varying.touches(value.owner):
                    return None
                if identity(value.owner) not in need.statements:
                    need.statements.add(identity(value.owner))
                    waiting += outer_values(value.owner)
        need.slots = [slot for slot in all_slots if slot in need.slots]
        return need

    def _take(self, op: ir.OpView, slot: Slot) -> list[ir.Value]:
        if slot in self.slots:
            return []
        self.slots.append(slot)
        return [yielded_at(op, place) for place in slot.yields]


@dataclass(frozen=True)
class Part:
    """A part of an operation made anew: the operation, and its copies of the original's values."""

    op: ir.OpView
    values: Values


def part_before(op: ir.OpView, need: Need) -> Part:
    """The needed part of `op`, written before it."""
    operands = {number for slot in need.slots for number in slot.operands}
    slotted = {number for slot in slots_of(op) for number in slot.operands}
    groups = remaining_groups(op, slotted - operands)
    attributes = {name: op.operation.attributes[name] for name in op.operation.attributes}
    if SEGMENTS in attributes:
        attributes[SEGMENTS] = ir.DenseI32ArrayAttr.get([len(group) for group in groups])
    results = [op.operation.results[number] for slot in need.slots for number in slot.results]
    made = ir.Operation.create(
        op.operation.name,
        results=[result.type for result in results],
        operands=[value for group in groups for value in group],
        attributes=attributes,
        regions=len(op.operation.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    values: Values = dict(zip(results, made.results, strict=True))
    for number in range(len(op.operation.regions)):
        _copy_region(op, number, need, made.regions[number], values)
    return Part(made.opview, values)


def _copy_region(op: ir.OpView, number: int, need: Need, target: ir.Region, values: Values) -> None:
    """The needed arguments, statements and yielded values of one region."""
    block = op.operation.regions[number].blocks[0]
    arguments = _kept(number, block.arguments, [slot.arguments for slot in slots_of(op)], need, "arguments")
    copy = ir.Block.create_at_start(target, [argument.type for argument in arguments], [op.location] * len(arguments))
    values.update(zip(arguments, copy.arguments, strict=True))
    *statements, last = block.operations
    with ir.InsertionPoint(copy):
        for statement in statements:
            if identity(statement) in need.statements:
                copy_op(statement, values)
        yielded = _kept(number, last.operation.operands, [slot.yields for slot in slots_of(op)], need, "yields")
        ir.Operation.create(
            last.operation.name, operands=[values.get(value, value) for value in yielded], loc=last.location
        )


def _kept(region: int, values: Sequence[ir.Value], slotted: Sequence[tuple], need: Need, what: str) -> list[ir.Value]:
    """The values of a region that belong to no slot or to a needed one."""
    in_slots = {number for places in slotted for holder, number in places if holder == region}
    needed = {number for slot in need.slots for holder, number in getattr(slot, what) if holder == region}
    return [value for number, value in enumerate(values) if number not in in_slots or number in needed]
