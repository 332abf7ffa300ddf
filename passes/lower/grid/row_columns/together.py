"""Rows that are added at few places, in one launch with the search for the place.

A block brings the rows of some iterations to shared memory. A thread for each iteration finds its place; then the
threads that own a column add all of them, from shared memory, to tables of their own (`tables.py`). So rows are read
once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type
from tapeless.passes.lower.blocks.cuts import sum_of
from tapeless.passes.lower.grid.blocks import THREADS_PER_BLOCK, shared_memory, shared_table
from tapeless.passes.lower.grid.counting.columns import FOR_EACH_BLOCK, PROCESSORS, SHARED_BY_BLOCKS
from tapeless.passes.lower.grid.row_columns.finding import Finding
from tapeless.passes.lower.grid.row_columns.tables import (
    BLOCKS_PER_PROCESSOR,
    Share,
    Tables,
    bytes_of,
    several_at_once,
    table_bytes,
)
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.soac.spread.together import ITERATIONS, MOST_BYTES, MOST_COLUMNS, MOST_TABLE

# What is found in an iteration takes at most so many bytes for each number.
NUMBER_BYTES = 8


def find_and_sum(finding: Finding, otherwise: Callable[[], None]) -> None:
    """In one launch if a block has room for rows and tables, else in the other way; sizes tell."""
    columns = finding.columns
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    needed = _block_bytes(finding)
    wanted = needed
    for size, most in ((columns.count, MOST_COLUMNS), (table_bytes(columns), MOST_TABLE)):
        wanted = builder.arith("arith.maxsi", wanted, builder.mul(size, MOST_BYTES // most))
    few_or_many(
        emitter,
        wanted,
        MOST_BYTES,
        lambda: _launch(finding, needed),
        otherwise,
        both_emit=columns.opened.node,
    )


def _block_bytes(finding: Finding) -> Index:
    """What a block needs for the rows of its iterations and for tables."""
    builder = finding.columns.opened.emitter.builder
    rows = [builder.mul(_pitch(builder, each.array), ITERATIONS * bytes_of(each.array)) for each in finding.staged]
    return sum_of(builder, [*rows, builder.mul(table_bytes(finding.columns), THREADS_PER_BLOCK)])


def _pitch(builder: Builder, array: View) -> Index:
    """How far rows are apart, an odd number: threads that read the same element of theirs meet no other in a bank."""
    return builder.add(builder.mul(builder.arith("arith.divui", array.sizes[1], 2), 2), 1)


def _launch(finding: Finding, needed: Index) -> None:
    columns = finding.columns
    builder = columns.opened.emitter.builder
    own = builder.arith("arith.maxsi", builder.arith("arith.minsi", columns.count, THREADS_PER_BLOCK), 1)
    slices = builder.arith("arith.divui", THREADS_PER_BLOCK, own)
    each = builder.add(needed, FOR_EACH_BLOCK + len(finding.found) * ITERATIONS * NUMBER_BYTES)
    fitting = builder.arith("arith.minsi", builder.arith("arith.divui", SHARED_BY_BLOCKS, each), BLOCKS_PER_PROCESSOR)
    tiles = ceil_div(builder, builder.arith("arith.maxsi", columns.opened.width, 0), ITERATIONS)
    wanted = builder.arith("arith.minsi", builder.mul(fitting, PROCESSORS), tiles)
    TogetherTables(columns, own, slices, 1, builder.arith("arith.maxsi", wanted, 1), finding).launch()


@dataclass(frozen=True)
class TogetherTables(Tables):
    """Tables of threads that also find the places."""

    finding: Finding

    def adding(self) -> Callable[[Share, Sequence[View]], None]:
        """Makes memory for rows and for what is found; gives what emits the iterations of a thread."""
        builder = self.columns.opened.emitter.builder
        sizes = [_pitch(builder, each.array) for each in self.finding.staged]
        rows = [
            shared_table(builder, [ITERATIONS, size], element_type(each.array))
            for size, each in zip(sizes, self.finding.staged, strict=True)
        ]
        found = shared_memory(builder, ITERATIONS, [value.type for value in self.finding.found])
        return lambda share, own: self._add_tiles(share, own, rows, found)

    def _add_tiles(self, share: Share, own: Sequence[View], rows: Sequence[View], found: Sequence[ir.Value]) -> None:
        """The iterations of a block, some at a time: rows are brought, places found, rows added."""
        opened, finding = self.columns.opened, self.finding
        emitter, builder = opened.emitter, opened.emitter.builder
        width = builder.arith("arith.maxsi", opened.width, 0)
        loop = builder.begin_for(share.block, ceil_div(builder, width, ITERATIONS), self.blocks)
        first = builder.mul(loop.variable, ITERATIONS)
        left = builder.arith("arith.minsi", builder.sub(width, first), ITERATIONS)
        high = share.if_inside(builder, left)

        def bring(local: ir.Value) -> list[ir.Value]:
            number = builder.add(first, local)
            return [load(builder, each.array, [number, share.column]) for each in finding.staged]

        def leave(local: ir.Value, values: Sequence[ir.Value]) -> None:
            for view, value in zip(rows, values, strict=True):
                store(builder, value, view, [local, share.column])

        brought_at_once(emitter, share.slice, high, self.slices, bring, leave)
        _wait(builder)
        begin_if_inside(builder, [share.thread], [left])
        values = finding.find(builder.as_value(builder.add(first, share.thread)), rows, share.thread)
        for memory, value in zip(found, values, strict=True):
            builder.store(value, memory, [share.thread])
        end_region(emitter)
        _wait(builder)

        def add(local: ir.Value) -> None:
            values = [builder.load(memory, [local]) for memory in found]
            number = builder.as_value(builder.add(first, local))
            finding.add(number, rows, local, values, share.column, own)

        several_at_once(emitter, share.slice, high, self.slices, add)
        _wait(builder)
        end_region(emitter)


# So many elements of a thread are on their way at a time.
BROUGHT_AT_ONCE = 8


def brought_at_once(
    emitter: Emitter,
    start: Index,
    high: ir.Value,
    step: Index,
    bring: Callable[[ir.Value], list[ir.Value]],
    leave: Callable[[ir.Value, Sequence[ir.Value]], None],
) -> None:
    """A loop that loads for several iterations before it stores for them; `start` is less than all steps."""
    builder = emitter.builder
    several = builder.mul(step, BROUGHT_AT_ONCE)
    turns = builder.arith("arith.divui", high, several)
    loop = builder.begin_for(0, turns)
    low = builder.add(start, builder.mul(loop.variable, several))
    places = [builder.as_value(builder.add(low, builder.mul(step, each))) for each in range(BROUGHT_AT_ONCE)]
    for place, values in list(zip(places, [bring(place) for place in places], strict=True)):
        leave(place, values)
    end_region(emitter)
    loop = builder.begin_for(builder.add(start, builder.mul(turns, several)), high, step)
    leave(loop.variable, bring(loop.variable))
    end_region(emitter)


def _wait(builder: Builder) -> None:
    builder.create("gpu.barrier", [], [])
