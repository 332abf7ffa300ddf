"""Maps as loops that write straight into their destinations, with or without accumulators."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import InOrder
from tapeless.passes.lower.loops.builder import Index, Loop
from tapeless.passes.lower.loops.bulk import bind_elements, end_region, open_rows, store_rows
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import destination
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class Map:
    """What all loops of a map need: where its rows go, and the accumulators its iterations add to."""

    emitter: Emitter
    node: Node
    width: Index
    targets: list[View]
    sums: list[View]

    def begin(self, low: Index, high: Index, sums: Sequence[View], *, step: Index = 1, private: bool = False) -> Loop:
        """The loop over iterations [low, high), or every so many, that add to `sums`, filled but not ended."""
        builder = self.emitter.builder
        loop = builder.begin_for(low, high, step, parallel=not sums, accumulating=True, private=private)
        self.run(loop.variable, sums)
        return loop

    def run(self, number: ir.Value, sums: Sequence[View]) -> None:
        """The iteration of this number, which adds to `sums`."""
        emitter, node, inputs = self.emitter, self.node, list(self.node.op.inputs)
        index, *arguments = node.arguments()
        emitter.env[index] = number
        bind_elements(emitter, arguments[: len(inputs)], inputs, number)
        emitter.env.update(zip(arguments[len(inputs) :], sums, strict=True))
        open_rows(emitter, node, 0, self.targets, number)
        emitter.emit_block(node.regions[0])
        store_rows(emitter, node, 0, self.targets, number)
        emitter.release_after(node.terminator)

    def close(self, results: Sequence[ir.Value]) -> None:
        """Accumulators are handed on; rows are where they belong.

        Another map that adds to the same accumulators starts from the sums of this one, unless it is in the code of a
        thread, which may be emitted again.
        """
        arrays = len(self.targets)
        for view in () if self.emitter.builder.is_private else self.sums:
            self.emitter.starts.pop(view, None)
        self.emitter.env.update(zip(self.node.results[arrays:], self.sums, strict=True))


def open_map(emitter: Emitter, node: Node) -> Map:
    """A map whose loops are still to be emitted."""
    width = emitter.index(node.op.width)
    operands = list(node.op.accs)
    arrays = len(node.results) - len(operands)
    targets = [destination(emitter, result) for result in node.results[:arrays]]
    return Map(emitter, node, width, targets, [emitter.view(operand) for operand in operands])


def map_in_order(opened: Map, _: InOrder) -> None:
    """A loop with independent iterations, or, with accumulators, one whose iterations are independent but for sums.

    Where one iteration is wanted, no loop.
    """
    alone = opened.emitter.alone.get(opened.node)
    if alone is not None:
        opened.run(alone, opened.sums)
        return
    opened.begin(0, opened.width, opened.sums)
    end_region(opened.emitter)
