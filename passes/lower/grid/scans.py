"""Scans by blocks of threads, whose results depend on the size only.

A block has a tile of elements, a thread a run of neighbours in it. Three launches: the total of every tile; where every
tile starts; and the prefixes, for which a block first finds where its threads start. What a fused map lifts is computed
twice, in the first launch and in the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.blocks import bounds
from tapeless.passes.lower.blocks.copies import new_array
from tapeless.passes.lower.grid.blocks import (
    THREADS_PER_BLOCK,
    combine_in_block,
    launch_blocks,
    number_of_launch,
    on_threads,
    shared_memory,
    without_overflow,
)
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import bind_elements, combine, end_region, scalars
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.schedule.forms import Tiles

PER_THREAD = 8
TILE = THREADS_PER_BLOCK * PER_THREAD

Numbers = list[ir.Value]
# Does something with the elements between two steps.
Work = Callable[[Index, Index], Numbers]


@dataclass(frozen=True)
class Steps:
    """What a scan does: its operator on tuples in the order of steps, a step that joins, a run that leaves prefixes."""

    emitter: Emitter
    width: Index
    neutral: Numbers
    join: Callable[[Sequence[ir.Value], Sequence[ir.Value]], Numbers]
    take_in: Callable[[Index, Sequence[ir.Value]], Numbers]
    leave: Callable[[Index, Index, Sequence[ir.Value]], Numbers]
    sums: Sequence[ir.Value] = ()
    join_sums: Callable[[Sequence[ir.Value], Sequence[ir.Value]], Numbers] | None = None


def scan_by_tiles(scan: Scan, _: Tiles) -> None:
    """A scan of scalars."""
    emitter, neutral = scan.emitter, scalars(scan.running)

    def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> Numbers:
        emitter.forget(scan.node)
        return scalars(scan.join(left, right, left))

    def take_in(step: Index, running: Sequence[ir.Value]) -> Numbers:
        return join(running, scan.elements(step))

    def leave(low: Index, high: Index, starts: Sequence[ir.Value]) -> Numbers:
        emitter.forget(scan.node)
        loop = emitter.builder.begin_for(low, high, starts=starts)
        end_region(emitter, scalars(scan.advance(loop.carried, loop.variable, loop.carried)))
        return []

    _scan(Steps(emitter, scan.width, neutral, join, take_in, leave))


def fused_scan_by_tiles(opened: Reduction, _: Tiles) -> Numbers:
    """A scan fused with a map and reductions; gives the reduced scalars, then prefixes that nobody reads."""
    emitter, node = opened.emitter, opened.node
    reduced, scanned = len(opened.running), len(opened.prefixes)
    neutral = opened.starts[reduced:]

    def join(region: int) -> Callable[[Sequence[ir.Value], Sequence[ir.Value]], Numbers]:
        def combined(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> Numbers:
            emitter.forget(node)
            return scalars(combine(emitter, node, region, left, right, left))

        return combined

    def take_in(step: Index, running: Sequence[ir.Value]) -> Numbers:
        emitter.forget(node)
        index, *arguments = node.arguments()
        emitter.env[index] = emitter.builder.as_value(step)
        bind_elements(emitter, arguments, list(node.op.inputs), step)
        emitter.emit_block(node.regions[0])
        lifted = [emitter.scalar(value) for value in node.terminator.operands[reduced : reduced + scanned]]
        return scalars(combine(emitter, node, 2, running, lifted, running))

    def leave(low: Index, high: Index, starts: Sequence[ir.Value]) -> Numbers:
        emitter.forget(node)
        return opened.run(low, high, [*opened.starts[:reduced], *starts])[:reduced]

    sums = opened.starts[:reduced]
    results = _scan(Steps(emitter, opened.width, neutral, join(2), take_in, leave, sums, join(1)))
    return [*results, *neutral]


def _scan(steps: Steps) -> Numbers:
    """The three launches, and one more for sums on the way; gives these."""
    emitter, builder = steps.emitter, steps.emitter.builder
    width = builder.arith("arith.maxsi", steps.width, 0)
    tiles = ceil_div(builder, width, TILE)
    tables = [new_array(emitter, [tiles], value.type).base for value in steps.neutral]
    sums = [new_array(emitter, [tiles], value.type).base for value in steps.sums]

    def on_own(block: ir.Value, thread: ir.Value, work: Work, results: Sequence[ir.Value]) -> Numbers:
        """The work of a thread on its elements, whose number LLVM knows but for those at the end."""
        tile = without_overflow(builder, "arith.muli", block, TILE)
        run = without_overflow(builder, "arith.muli", thread, PER_THREAD)
        first = without_overflow(builder, "arith.addi", tile, run)
        end = without_overflow(builder, "arith.addi", first, PER_THREAD)
        last = builder.arith("arith.minsi", first, width)
        types = [value.type for value in results]
        return few_or_many(emitter, end, width, lambda: work(first, end), lambda: work(last, width), types)

    def total(block: ir.Value, thread: ir.Value) -> Numbers:
        def add(low: Index, high: Index) -> Numbers:
            loop = builder.begin_for(low, high, starts=steps.neutral)
            end_region(emitter, steps.take_in(loop.variable, loop.carried))
            return list(loop.op.results)

        return on_own(block, thread, add, steps.neutral)

    def find_total(block: ir.Value) -> None:
        combine_in_block(emitter, lambda thread: total(block, thread), steps.neutral, steps.join, tables, block)

    def leave_prefixes(block: ir.Value) -> None:
        starts = _starts_in_block(steps, lambda thread: total(block, thread))
        tile = [builder.load(table, [block]) for table in tables]

        def run(thread: ir.Value) -> Numbers:
            mine = steps.join(tile, [builder.load(memory, [thread]) for memory in starts])
            return on_own(block, thread, lambda low, high: steps.leave(low, high, mine), steps.sums)

        if steps.join_sums is None or not steps.sums:
            on_threads(emitter, THREADS_PER_BLOCK, run)
        else:
            combine_in_block(emitter, run, list(steps.sums), steps.join_sums, sums, block)

    launch_blocks(emitter, tiles, find_total)
    launch_blocks(emitter, 1, lambda _: _turn_into_starts(steps, tiles, tables))
    launch_blocks(emitter, tiles, leave_prefixes)
    results = _add_up(steps, tiles, sums)
    for table in (*tables, *sums):
        emitter.pool.free_raw(table)
    return results


def _turn_into_starts(steps: Steps, tiles: Index, tables: Sequence[ir.Value]) -> None:
    """One block replaces the total of every tile by the value at which the tile starts."""
    emitter, builder = steps.emitter, steps.emitter.builder
    share = ceil_div(builder, tiles, THREADS_PER_BLOCK)

    def total(thread: ir.Value) -> Numbers:
        loop = builder.begin_for(*bounds(builder, thread, tiles, share), starts=steps.neutral)
        values = [builder.load(table, [loop.variable]) for table in tables]
        end_region(emitter, steps.join(loop.carried, values))
        return list(loop.op.results)

    starts = _starts_in_block(steps, total)

    def write(thread: ir.Value) -> None:
        first = [builder.load(memory, [thread]) for memory in starts]
        loop = builder.begin_for(*bounds(builder, thread, tiles, share), starts=first)
        values = [builder.load(table, [loop.variable]) for table in tables]
        for table, value in zip(tables, loop.carried, strict=True):
            builder.store(value, table, [loop.variable])
        end_region(emitter, steps.join(loop.carried, values))

    on_threads(emitter, THREADS_PER_BLOCK, write)


def _starts_in_block(steps: Steps, total: Callable[[ir.Value], Numbers]) -> list[ir.Value]:
    """Shared memory with what all threads before each one have: totals, each joined with those 1, 2, 4, ... before."""
    emitter, builder = steps.emitter, steps.emitter.builder
    types = [value.type for value in steps.neutral]
    now, other = (shared_memory(builder, THREADS_PER_BLOCK, types) for _ in range(2))

    def begin(thread: ir.Value) -> None:
        """Thread t leaves its total one place further on, where it belongs to the start of thread t + 1."""
        for memory, value, neutral in zip(now, total(thread), steps.neutral, strict=True):
            is_last = _is_equal(builder, thread, THREADS_PER_BLOCK - 1)
            place = _chosen(builder, is_last, 0, builder.add(thread, 1))
            builder.store(_chosen(builder, is_last, neutral, value), memory, [place])

    on_threads(emitter, THREADS_PER_BLOCK, begin)
    distance = 1
    while distance < THREADS_PER_BLOCK:
        on_threads(emitter, THREADS_PER_BLOCK, partial(_join_before, steps, now, other, distance))
        now, other, distance = other, now, distance * 2
    return now


def _join_before(
    steps: Steps, now: Sequence[ir.Value], other: Sequence[ir.Value], distance: int, thread: ir.Value
) -> None:
    """Joins the values of a thread with those of the thread so many before it, if there is one."""
    builder = steps.emitter.builder
    mine = [builder.load(memory, [thread]) for memory in now]
    before = builder.arith("arith.maxsi", builder.sub(thread, distance), 0)
    joined = steps.join([builder.load(memory, [before]) for memory in now], mine)
    is_first = _is_below(builder, thread, distance)
    for memory, old, new in zip(other, mine, joined, strict=True):
        builder.store(_chosen(builder, is_first, old, new), memory, [thread])


def _add_up(steps: Steps, tiles: Index, sums: Sequence[ir.Value]) -> Numbers:
    """What the sums of all tiles come to."""
    if not steps.sums or steps.join_sums is None:
        return []
    emitter, builder, join = steps.emitter, steps.emitter.builder, steps.join_sums
    results = [number_of_launch(builder, value.type) for value in steps.sums]

    def share(thread: ir.Value) -> Numbers:
        part = bounds(builder, thread, tiles, ceil_div(builder, tiles, THREADS_PER_BLOCK))
        loop = builder.begin_for(*part, starts=steps.sums)
        end_region(emitter, join(loop.carried, [builder.load(table, [loop.variable]) for table in sums]))
        return list(loop.op.results)

    launch_blocks(emitter, 1, lambda block: combine_in_block(emitter, share, list(steps.sums), join, results, block))
    return [builder.load(result, [0]) for result in results]


def _is_equal(builder: Builder, left: ir.Value, right: int) -> ir.Value:
    return _compare(builder, arith.CmpIPredicate.eq, left, right)


def _is_below(builder: Builder, left: ir.Value, right: int) -> ir.Value:
    return _compare(builder, arith.CmpIPredicate.slt, left, right)


def _compare(builder: Builder, predicate: arith.CmpIPredicate, left: ir.Value, right: int) -> ir.Value:
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    operands = [left, builder.as_value(right)]
    return builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=attribute)


def _chosen(builder: Builder, condition: ir.Value, one: Index, other: Index) -> ir.Value:
    operands = [builder.as_value(one), builder.as_value(other)]
    return builder.value("arith.select", operands[0].type, [condition, *operands])
