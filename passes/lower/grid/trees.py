"""Reductions to scalars by blocks of threads, whose results depend on the size only, not on the device.

Each thread reduces a share of the elements from the neutral element; a block combines what its threads have in pairs,
keeping the order; if there are more blocks, one does the same with what all of them left. Shares are neighbouring
elements, so that an operator need not be commutative. Where it is, a share is every so many elements: threads then read
side by side. Reductions of reductions are one (`nests.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Tree
from tapeless.passes.ir.machine import MEASURED_GPU
from tapeless.passes.lower.blocks.copies import new_array
from tapeless.passes.lower.blocks.in_blocks import bounds
from tapeless.passes.lower.grid.block_launches import (
    THREADS_PER_BLOCK,
    launch_blocks,
    number_of_launch,
    without_overflow,
)
from tapeless.passes.lower.grid.nested_reductions import NestedReduction
from tapeless.passes.lower.grid.tiles.in_block import combine_in_block
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import combine, end_region, scalars
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.lower.storage.tree import Node

# Every multiprocessor has room for eight: those with one more would be waited for.
MOST_BLOCKS = 8 * MEASURED_GPU.multiprocessors
# Light elements that a thread takes at least: a guess that fits the programs.
FEWEST_PER_THREAD = 4
# An element of so many operations is a thread's whole share: the sums of shares are little beside it.
HEAVY = 96
GROUP = 4


def reduce_by_trees(opened: Reduction, schedule: Tree) -> list[ir.Value]:
    """The reduced scalars, each in memory of its own after two launches, or one if a block has all elements."""
    emitter, neutral = opened.emitter, opened.starts
    builder = emitter.builder
    nest = NestedReduction.of(opened, schedule.nest)
    width = nest.total
    wanted = ceil_div(builder, width, THREADS_PER_BLOCK * _fewest_per_thread(nest))
    blocks = builder.arith("arith.maxsi", builder.arith("arith.minsi", wanted, MOST_BLOCKS), 1)
    tables = [new_array(emitter, [blocks], value.type).base for value in neutral]
    results = [number_of_launch(builder, value.type) for value in neutral]
    threads = builder.mul(blocks, THREADS_PER_BLOCK)
    share = ceil_div(builder, width, threads)

    def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
        emitter.forget(opened.node)
        return scalars(combine(emitter, opened.node, opened.region, left, right, left))

    def leave(values: Sequence[ir.Value], targets: Sequence[ir.Value], place: Index) -> None:
        for value, target in zip(values, targets, strict=True):
            builder.store(value, target, [place])

    def reduce_elements(block: ir.Value) -> None:
        def reduce_share(thread: ir.Value) -> list[ir.Value]:
            number = builder.add(builder.mul(block, THREADS_PER_BLOCK), thread)
            if nest.inner:
                return nest.run(number, threads)
            if schedule.is_free:
                return _reduce_groups(opened, number, width, threads)
            return opened.run(*bounds(builder, number, width, share), neutral)

        def deliver(values: list[ir.Value]) -> None:
            leave(values, tables, block)
            builder.begin_for(0, builder.sub(1, has_more))
            leave(values, results, 0)
            end_region(emitter)

        combine_in_block(emitter, reduce_share, neutral, join, deliver)

    def reduce_blocks(block: ir.Value) -> None:
        def reduce_share(thread: ir.Value) -> list[ir.Value]:
            low, high = bounds(builder, thread, blocks, ceil_div(builder, blocks, THREADS_PER_BLOCK))
            loop = builder.begin_for(low, high, starts=neutral)
            values = [builder.load(table, [loop.variable]) for table in tables]
            end_region(emitter, join(loop.carried, values))
            return list(loop.op.results)

        combine_in_block(emitter, reduce_share, neutral, join, lambda values: leave(values, results, block))

    has_more = builder.arith("arith.minsi", builder.sub(blocks, 1), 1)
    launch_blocks(emitter, blocks, reduce_elements)
    launch_blocks(emitter, has_more, reduce_blocks)
    for table in tables:
        emitter.pool.free_raw(table)
    return [builder.load(result, [0]) for result in results]


def _fewest_per_thread(nest: NestedReduction) -> int:
    """How many elements a thread has at least, by what the program says of the work on one."""
    return 1 if _is_heavy(nest.inner[-1] if nest.inner else nest.opened.node) else FEWEST_PER_THREAD


def _is_heavy(node: Node) -> bool:
    return cost(node.regions[0]) >= HEAVY


def _takes_groups(opened: Reduction) -> bool:
    """Whether the body is so light that threads take several elements at a time."""
    has_regions = any(node.regions for region in opened.node.regions for node in region)
    return not has_regions and not _is_heavy(opened.node)


def _reduce_groups(opened: Reduction, number: Index, width: Index, threads: Index) -> list[ir.Value]:
    """Every so many groups of neighbours, which LLVM loads together, then the remainder; single elements if it is much.

    Threads side by side take groups side by side.
    """
    emitter, builder = opened.emitter, opened.emitter.builder
    if not _takes_groups(opened):
        return opened.run(number, width, opened.starts, threads)
    groups = builder.arith("arith.divui", width, GROUP)
    loop = builder.begin_for(number, groups, threads, opened.starts)
    first = without_overflow(builder, "arith.muli", loop.variable, GROUP)
    end_region(emitter, opened.run(first, without_overflow(builder, "arith.addi", first, GROUP), loop.carried))
    emitter.forget(opened.node)
    rest = builder.add(builder.mul(groups, GROUP), number)
    return opened.run(rest, width, list(loop.op.results), threads)
