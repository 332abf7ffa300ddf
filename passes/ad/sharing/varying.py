"""Which values differ from one iteration of a loop to the next, followed through operators, loops and branches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from tapeless._mlir import ir
from tapeless.passes.ad.activity import Edge, reached
from tapeless.passes.ir.regions.slots import controls, is_structured, slots_of


class Varying:
    """The values inside a loop that depend on its iteration."""

    def __init__(self, block: ir.Block) -> None:
        self._values = reached(block.arguments, _edges(block.operations))

    def __contains__(self, value: ir.Value) -> bool:
        return value in self._values

    def forget(self, op: ir.OpView) -> None:
        """Drops the facts about the values of an operation that is about to change: others may take their place."""
        self._values.difference_update(op.operation.results)
        for block in blocks_of(op):
            self._values.difference_update(block.arguments)
            for inner in block.operations:
                self.forget(inner)

    def learn(self, op: ir.OpView) -> None:
        """Finds out about the values of an operation anew."""
        edges = list(_edges([op]))
        self._values |= reached([source for source, _ in edges if source in self._values], edges)

    def touches(self, op: ir.OpView) -> bool:
        """Whether an operation, or anything in its regions, reads a varying value."""
        if any(operand in self for operand in op.operation.operands):
            return True
        return any(self.touches(inner) for block in blocks_of(op) for inner in block.operations)

    def steers(self, op: ir.OpView) -> bool:
        """Whether a varying value decides how often, or which of, the regions of a structured operation run."""
        return any(value in self for value in controls(op, slots_of(op)))


def blocks_of(op: ir.OpView) -> list[ir.Block]:
    """The blocks of all regions of an operation."""
    return [block for region in op.operation.regions for block in region.blocks]


def _edges(ops: Iterable[ir.OpView]) -> Iterator[Edge]:
    """Every pair (source, target) such that the target depends on the source."""
    for op in ops:
        yield from _slot_edges(op) if is_structured(op.operation.name) else _plain_edges(op)
        for inner in blocks_of(op):
            yield from _edges(inner.operations)


def _plain_edges(op: ir.OpView) -> Iterator[Edge]:
    ends = [list(block.operations)[-1] for block in blocks_of(op)]
    sources = [*op.operation.operands, *(value for end in ends for value in end.operation.operands)]
    yield from ((source, result) for source in sources for result in op.operation.results)


def _slot_edges(op: ir.OpView) -> Iterator[Edge]:
    slots = slots_of(op)
    for slot in slots:
        yield from product(slot.sources(op), slot.targets(op))
    everything = [*op.operation.results, *(argument for block in blocks_of(op) for argument in block.arguments)]
    yield from product(controls(op, slots), everything)
