"""Histograms: in place one value after the other, or by blocks with histograms of their own, merged in order.

Note [Strands]: a value that meets the bin of the one before it waits until that is stored. In a block of a histogram
with few bins, values therefore take turns in four histograms, if they may be combined in any order. That is faster for
all keys, several times so for sorted ones; more bins would not stay in the innermost cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Copies, Schedule
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import table_of_copies
from tapeless.passes.lower.blocks.counting import count_value, count_values, merge
from tapeless.passes.lower.blocks.cuts import Cut, cut_for_copies
from tapeless.passes.lower.blocks.in_blocks import bounds, emit_by_parts
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import updated
from tapeless.passes.lower.loops.views import View, row
from tapeless.passes.lower.storage.tree import Node

FEW_ELEMENTS = 1024


@dataclass(frozen=True)
class Histogram:
    """The arrays that hold the bins of a histogram, for all forms."""

    emitter: Emitter
    node: Node
    width: Index
    targets: list[View]

    def close(self, results: Sequence[ir.Value]) -> None:
        """The results are the arrays that were updated."""


def open_histogram(emitter: Emitter, node: Node) -> Histogram:
    """A histogram whose loops are still to be emitted."""
    op = node.op
    targets = [updated(emitter, dest, result) for dest, result in zip(op.dests, node.results, strict=True)]
    return Histogram(emitter, node, emitter.index(op.width), targets)


def count_in_order(opened: Histogram, _: Schedule) -> None:
    """In place, one value after the other."""
    count_values(opened.emitter, opened.node, 0, opened.width, opened.targets)


def count_in_blocks(opened: Histogram, schedule: Copies) -> None:
    """Blocks with as many histograms as strands if these are small, else with one; how many follows from the sizes."""
    elements = opened.emitter.builder.mul(opened.targets[0].sizes[0], len(opened.targets))
    if isinstance(elements, int) or schedule.strands == 1:
        are_few = isinstance(elements, int) and elements <= FEW_ELEMENTS
        _count(opened, schedule, schedule.strands if are_few else 1)
        return
    few_or_many(
        opened.emitter,
        elements,
        FEW_ELEMENTS,
        lambda: _count(opened, schedule, schedule.strands),
        lambda: _count(opened, schedule, 1),
        both_emit=opened.node,
    )


def _count(opened: Histogram, schedule: Copies, strands: int) -> None:
    """A plain loop when one block is enough; every block has as many histograms as strands."""
    cut = cut_for_copies(opened.emitter, opened.node, opened.width, [*opened.targets] * strands, schedule)
    if cut.is_whole:
        count_in_order(opened, schedule)
        return
    few_or_many(
        opened.emitter,
        cut.blocks,
        1,
        lambda: count_in_order(opened, schedule),
        lambda: _count_by_copies(opened, cut, strands),
        both_emit=opened.node,
    )


def _count_by_copies(opened: Histogram, cut: Cut, strands: int) -> None:
    emitter, node, targets = opened.emitter, opened.node, opened.targets
    builder = emitter.builder
    copies = builder.mul(cut.blocks, strands)
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    tables = [table_of_copies(emitter, copies, target) for target in targets]
    loop = builder.begin_for(0, cut.blocks, parallel=True, private=True)
    first = builder.mul(loop.variable, strands)
    own = [[row(builder, table, builder.add(first, strand)) for table in tables] for strand in range(strands)]
    for place, value in ((place, value) for places in own for place, value in zip(places, neutral, strict=True)):
        fill(builder, value, place)
    _count_strands(emitter, node, bounds(builder, loop.variable, opened.width, cut.size), own)
    emit_by_parts(emitter, loop, cut.blocks, 1)
    emitter.forget(node)
    merge(emitter, node, copies, tables, targets)
    for table in tables:
        emitter.pool.free_raw(table.base)


def _count_strands(
    emitter: Emitter, node: Node, iterations: tuple[Index, Index], histograms: Sequence[Sequence[View]]
) -> None:
    """Iterations take turns in the histograms; the remainder belongs to the last."""
    builder, (low, high), strands = emitter.builder, iterations, len(histograms)
    if strands > 1:
        turns = builder.arith("arith.divui", builder.sub(high, low), strands)
        end = builder.add(low, builder.mul(turns, strands))
        loop = builder.begin_for(low, end, strands)
        for strand, places in enumerate(histograms):
            count_value(emitter, node, builder.add(loop.variable, strand), places)
            emitter.forget(node)
        end_region(emitter)
        low = end
    count_values(emitter, node, low, high, histograms[-1])
