"""Histograms in shared memory: every thread of a block has a histogram of its own, a column of a table of bins.

Threads need no atomic operations, so results depend on sizes only, and any operator will do. Columns of one block are
combined in a fixed order, and so are those of all blocks. The more bins, the fewer threads a block has; many small
blocks share a processor.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.ir.machine import MEASURED_GPU, SHARED_OF_ANY_BLOCK
from tapeless.passes.lower.blocks.alternatives import Way, few_or_many
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.counting import count_values, joined_bins
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.grid.block_launches import launch_blocks, on_threads, shared_table
from tapeless.passes.lower.grid.copies import bring_together, copy_of, share_of
from tapeless.passes.lower.grid.counting.streams import count_stream
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.views import View, load, store

# The shared memory of a block: what all generations have; and of a processor, which needs some for each block.
SHARED_BYTES = SHARED_OF_ANY_BLOCK - (3 << 10)
SHARED_BY_BLOCKS, FOR_EACH_BLOCK = MEASURED_GPU.shared_of_multiprocessor - (18 << 10), 1 << 10
FEWEST_COLUMNS, MOST_COLUMNS = 8, 32
# How many processors are kept busy, with so many blocks each.
PROCESSORS, BLOCKS_PER_PROCESSOR = MEASURED_GPU.multiprocessors, 16
# Fewer iterations per thread, or per bin of a block, are not worth a block.
PER_THREAD, PER_BIN = 8, 1


def most_bins(opened: Histogram, columns: int) -> int:
    """How many bins a table of so many columns may have, beside one for keys outside."""
    return SHARED_BYTES // (_bytes(opened) * columns) - 1


def count_into_columns(opened: Histogram, is_free: bool) -> None:
    """All columns that a block can have, or as many as there is room for: sizes tell."""
    by_size(
        opened,
        most_bins(opened, MOST_COLUMNS),
        lambda: _count(opened, is_free, MOST_COLUMNS),
        lambda: _count(opened, is_free, _columns(opened)),
    )


def by_size(opened: Histogram, most: int, few: Way, many: Way) -> None:
    """One of two ways to make a histogram: of up to so many bins, or of more."""
    bins = opened.targets[0].sizes[0]
    if isinstance(bins, int):
        few() if bins <= most else many()
    else:
        few_or_many(opened.emitter, bins, most, few, many, both_emit=opened.node)


def _count(opened: Histogram, is_free: bool, columns: Index) -> None:
    """A launch of blocks that count, and launches that bring their histograms together.

    A thread takes every so many iterations if their order `is_free`, else neighbours.
    """
    emitter, node, targets = opened.emitter, opened.node, opened.targets
    builder = emitter.builder
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    width, bins = builder.arith("arith.maxsi", opened.width, 0), targets[0].sizes[0]
    least = builder.arith("arith.maxsi", builder.mul(columns, PER_THREAD), builder.mul(bins, PER_BIN))
    wanted = builder.arith("arith.minsi", builder.arith("arith.divui", width, least), _at_a_time(opened, columns))
    blocks = builder.arith("arith.maxsi", wanted, 1)
    partial = [new_array(emitter, [bins, blocks], element_type(target)) for target in targets]

    def count(block: ir.Value) -> None:
        tables = [shared_table(builder, [builder.add(bins, 1), columns], element_type(target)) for target in targets]

        def count_share(thread: ir.Value) -> None:
            own = [View(table.base, copy_of(table, thread).axes, (bins,)) for table in tables]
            clearing = builder.begin_for(0, bins)
            for place, value in zip(own, neutral, strict=True):
                store(builder, value, place, [clearing.variable])
            end_region(emitter)
            number, threads = builder.add(builder.mul(block, columns), thread), builder.mul(blocks, columns)
            if is_free:
                count_stream(opened, number, width, threads, own)
            else:
                count_values(emitter, node, *share_of(builder, number, width, threads, False)[:2], own)

        def leave_bins(thread: ir.Value) -> None:
            mine = builder.begin_for(thread, bins, columns)
            joining = builder.begin_for(0, columns, starts=neutral)
            column = _turned(builder, joining.variable, thread, columns) if is_free else joining.variable
            values = [load(builder, table, [mine.variable, column]) for table in tables]
            end_region(emitter, joined_bins(emitter, node, joining.carried, values))
            for table, value in zip(partial, joining.op.results, strict=True):
                store(builder, value, table, [mine.variable, block])
            end_region(emitter)

        on_threads(emitter, columns, count_share)
        on_threads(emitter, columns, leave_bins)

    launch_blocks(emitter, blocks, count)
    bring_together(emitter, blocks, partial, targets, neutral, lambda *pair: joined_bins(emitter, node, *pair))
    for table in partial:
        emitter.pool.free_raw(table.base)


def _bytes(opened: Histogram) -> int:
    """The bytes of a bin of one column."""
    return sum(element_bytes(ir.MemRefType(target.base.type)) for target in opened.targets)


def _at_a_time(opened: Histogram, columns: Index) -> Index:
    """How many blocks have room on all processors."""
    builder = opened.emitter.builder
    table = builder.mul(builder.add(opened.targets[0].sizes[0], 1), builder.mul(columns, _bytes(opened)))
    fitting = builder.arith("arith.divui", SHARED_BY_BLOCKS, builder.add(table, FOR_EACH_BLOCK))
    each = builder.arith("arith.minsi", builder.arith("arith.maxsi", fitting, 1), BLOCKS_PER_PROCESSOR)
    return builder.mul(each, PROCESSORS)


def _columns(opened: Histogram) -> Index:
    """How many columns fit, in steps of the fewest; at least these."""
    builder = opened.emitter.builder
    each = builder.mul(builder.add(opened.targets[0].sizes[0], 1), _bytes(opened) * FEWEST_COLUMNS)
    fitting = builder.arith("arith.maxsi", builder.arith("arith.divui", SHARED_BYTES, each), 1)
    return builder.mul(builder.arith("arith.minsi", fitting, MOST_COLUMNS // FEWEST_COLUMNS), FEWEST_COLUMNS)


def _turned(builder: Builder, number: ir.Value, thread: ir.Value, columns: Index) -> ir.Value:
    """A column that differs between threads, which would else all ask the same bank of memory."""
    moved = builder.as_value(builder.add(number, thread))
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.slt.value)
    bit = ir.IntegerType.get_signless(1)
    is_inside = builder.value("arith.cmpi", bit, [moved, builder.as_value(columns)], predicate=attribute)
    back = builder.as_value(builder.sub(moved, columns))
    return builder.value("arith.select", builder.index, [is_inside, moved, back])
