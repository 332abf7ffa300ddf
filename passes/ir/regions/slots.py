"""Slots: which operands, block arguments, yielded values and results of an operation belong together."""

from __future__ import annotations

from functools import cache

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.regions import terminator
from tapeless.passes.ir.regions.structure import STRUCTURES, Counts, kind_of

# A checkpoint stays one thing until it is differentiated.
STRUCTURED = frozenset(STRUCTURES) - {"ad.checkpoint"}
Position = tuple[int, int]


@dataclass(frozen=True)
class Slot:
    """One member of a family of an operation; positions are (region, number)."""

    family: str
    operands: tuple[int, ...]
    arguments: tuple[Position, ...]
    yields: tuple[Position, ...]
    results: tuple[int, ...]

    def sources(self, op: ir.OpView) -> list[ir.Value]:
        """The operands and yielded values."""
        operands = op.operation.operands
        return [*(operands[k] for k in self.operands), *(yielded_at(op, place) for place in self.yields)]

    def targets(self, op: ir.OpView) -> list[ir.Value]:
        """The arguments and results."""
        results = op.operation.results
        return [*(argument_at(op, place) for place in self.arguments), *(results[k] for k in self.results)]


def slots_of(op: ir.OpView) -> list[Slot]:
    """The slots of a structured operation; a value in no slot is needed whenever the operation is."""
    return list(_slots(*kind_of(op)))


def is_structured(name: str) -> bool:
    """Whether an operation of this name has slots that passes may take apart."""
    return name in STRUCTURED


def controls(op: ir.OpView, slots: list[Slot]) -> list[ir.Value]:
    """Widths, bounds, keys and conditions: the operands that belong to no slot of a structured operation."""
    slotted = {number for slot in slots for number in slot.operands}
    outer = [operand for number, operand in enumerate(op.operation.operands) if number not in slotted]
    yielded = {place for slot in slots for place in slot.yields}
    ends = [(k, terminator(region)) for k, region in enumerate(op.operation.regions) if len(region.blocks)]
    inner = [value for k, end in ends for n, value in enumerate(end.operands) if (k, n) not in yielded]
    return [*outer, *inner]


def argument_for(op: ir.OpView, operand: int) -> ir.Value | None:
    """The first argument that an operand, by its number, is handed in as; nothing for operands in no slot."""
    slot = next((slot for slot in slots_of(op) if operand in slot.operands), None)
    return None if slot is None else argument_at(op, slot.arguments[0])


def yielded_at(op: ir.OpView, position: Position) -> ir.Value:
    """The value that a region yields at a position."""
    region, number = position
    return terminator(op.operation.regions[region]).operands[number]


def argument_at(op: ir.OpView, position: Position) -> ir.Value:
    """The argument of a region at a position."""
    region, number = position
    return op.operation.regions[region].blocks[0].arguments[number]


@cache
def _slots(name: str, operands: Counts, results: int) -> tuple[Slot, ...]:
    structure = STRUCTURES[name]
    sizes = structure.sizes(operands, results)

    def slot(family: str, k: int) -> Slot:
        bodies = list(enumerate(structure.bodies))
        return Slot(
            family,
            tuple(k + start for start in structure.operands.starts(family, sizes)),
            tuple((n, k + start) for n, body in bodies for start in body.arguments.starts(family, sizes)),
            tuple((n, k + start) for n, body in bodies for start in body.yields.starts(family, sizes)),
            tuple(k + start for start in structure.results.starts(family, sizes)),
        )

    return tuple(slot(family, k) for family in structure.families for k in range(sizes[family]))
