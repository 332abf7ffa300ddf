"""Histograms of smallest or largest numbers, with their first places or without, as words that threads update.

The best word is the smallest (`words.py`), which an atomic update leaves in whichever order threads come. A thread
looks first whether its word is better than that of the bin, which is rare once many have been there. What it sees may
be old, and so too bad, never too good. Words are in the shared memory of blocks that have a run of values each, or,
with more bins than fit there, in one array.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects.soac.schedules import Best
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.counting import joined_bins, lifted
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.blocks.in_blocks import bounds
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.block_launches import launch_blocks, on_threads, shared_table, without_overflow
from tapeless.passes.lower.grid.copies import bring_together
from tapeless.passes.lower.grid.counting.columns import PROCESSORS, SHARED_BYTES, by_size
from tapeless.passes.lower.grid.counting.streams import GROUP, MOST_OPERATIONS, bin_of
from tapeless.passes.lower.grid.counting.words import PLACES_OF_WORD, Floats, Integers, PlacedFloats
from tapeless.passes.lower.grid.exact.fixed_point import here, update
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.work import cost
from tapeless.passes.marks import EACH_THREAD

# Threads of a block, of which a processor has one: the more values meet in a table, the fewer are better than the last.
THREADS = 1024
# Groups of neighbours that a thread reads at a time; fewer values per thread are not worth a block.
GROUPS, PER_THREAD, PER_BIN = 2, 8, 4
ATOMIC_MIN = arith.AtomicRMWKind.mins

Words = Integers | Floats | PlacedFloats


def keep_best(opened: Histogram, schedule: Best) -> None:
    """In shared memory if there are few bins."""
    words = words_of(opened, schedule)
    most = SHARED_BYTES // (words.type.width // 8) - 1
    by_size(opened, most, lambda: _in_blocks(opened, words), lambda: _in_memory(opened, words))


def words_of(opened: Histogram, schedule: Best) -> Words:
    """How the bins of a histogram are words."""
    builder, element = opened.emitter.builder, element_type(opened.targets[0])
    if schedule.has_places:
        return PlacedFloats(builder, schedule.are_largest)
    if isinstance(element, ir.IntegerType):
        return Integers(builder, element, schedule.are_largest)
    return Floats(builder, element, schedule.are_largest)


def _in_blocks(opened: Histogram, words: Words) -> None:
    """A launch of blocks with words in shared memory, and launches that bring their bins together."""
    emitter, node, targets = opened.emitter, opened.node, opened.targets
    builder = emitter.builder
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    width, bins = builder.arith("arith.maxsi", opened.width, 0), targets[0].sizes[0]
    least = builder.arith("arith.maxsi", THREADS * PER_THREAD, builder.mul(bins, PER_BIN))
    wanted = builder.arith("arith.minsi", builder.arith("arith.divui", width, least), PROCESSORS)
    blocks = builder.arith("arith.maxsi", wanted, 1)
    groups = ceil_div(builder, ceil_div(builder, width, GROUP), blocks)
    partial = [new_array(emitter, [bins, blocks], element_type(target)) for target in targets]

    def count(block: ir.Value) -> None:
        table = shared_table(builder, [builder.add(bins, 1)], words.type)
        first, last = bounds(builder, block, width, builder.mul(groups, GROUP))
        nothing = words.nothing

        def clear(thread: ir.Value) -> None:
            mine = builder.begin_for(thread, table.sizes[0], THREADS)
            store(builder, nothing, table, [mine.variable])
            end_region(emitter)

        def leave(thread: ir.Value) -> None:
            mine = builder.begin_for(thread, bins, THREADS)
            word = load(builder, table, [mine.variable])
            for part, value in zip(partial, words.values(word, neutral, builder.as_value(first)), strict=True):
                store(builder, value, part, [mine.variable, block])
            end_region(emitter)

        on_threads(emitter, THREADS, clear)
        on_threads(emitter, THREADS, lambda thread: _sweep(opened, words, table, (first, last), thread))
        on_threads(emitter, THREADS, leave)

    launch_blocks(emitter, blocks, count, resident=1)
    bring_together(emitter, blocks, partial, targets, neutral, lambda *pair: joined_bins(emitter, node, *pair))
    for table in partial:
        emitter.pool.free_raw(table.base)


def _sweep(opened: Histogram, words: Words, table: View, run: tuple[Index, Index], thread: ir.Value) -> None:
    """The updates of a table by a thread of a block: groups of neighbours, which LLVM loads together, then the rest."""
    emitter, node, builder = opened.emitter, opened.node, opened.emitter.builder
    first, last = run

    def read(index: Index) -> tuple[ir.Value, ir.Value]:
        """Bin and word of a value."""
        key, values = lifted(emitter, node, index)
        place = builder.as_value(builder.sub(index, first))
        bin_, word = bin_of(opened, key), words.word(scalars(values), place)
        emitter.forget(node)
        return bin_, word

    def put(found: Sequence[tuple[ir.Value, ir.Value]]) -> None:
        present = [load(builder, table, [bin_]) for bin_, _ in found]
        for (bin_, word), old in zip(found, present, strict=True):
            _improve(opened, table, bin_, word, old)

    def one_by_one(start: Index) -> None:
        loop = builder.begin_for(start, last, THREADS)
        put([read(loop.variable)])
        end_region(emitter)

    bodies = [inner for region in node.regions[:-1] for inner in region]
    if cost(bodies) > MOST_OPERATIONS or any(inner.regions for inner in bodies):
        one_by_one(builder.add(first, thread))
        return

    def in_groups(low: Index, high: Index, at_once: int) -> None:
        """Groups from one to another, so many of them at a time."""
        loop = builder.begin_for(low, high, THREADS * at_once)
        found = []
        for number in range(at_once):
            group = builder.as_value(builder.add(loop.variable, number * THREADS))
            start = without_overflow(builder, "arith.muli", group, GROUP)
            found += [read(builder.add(start, offset)) for offset in range(GROUP)]
        put(found)
        end_region(emitter)

    low, high = (builder.arith("arith.divui", bound, GROUP) for bound in run)
    number = builder.arith("arith.maxsi", builder.sub(high, low), 0)
    rounds = builder.arith("arith.divui", number, THREADS * GROUPS)
    between = builder.add(low, builder.mul(rounds, THREADS * GROUPS))
    in_groups(builder.add(low, thread), between, GROUPS)
    in_groups(builder.add(between, thread), high, 1)
    rest = builder.arith("arith.maxsi", builder.mul(high, GROUP), first)
    one_by_one(builder.add(rest, thread))


def _improve(opened: Histogram, table: View, bin_: ir.Value, word: ir.Value, present: ir.Value) -> None:
    """Updates a bin if a word is better than the old one."""
    with here(opened.emitter.builder):
        branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.slt, word, present))
        with ir.InsertionPoint(branch.then_block):
            update(ATOMIC_MIN, word, table.base, [bin_])
            scf.YieldOp([])


def _in_memory(opened: Histogram, words: Words) -> None:
    """Words for all bins in one array, which a launch with a thread for each value updates; so many as have places."""
    emitter, builder = opened.emitter, opened.emitter.builder
    if not isinstance(words, PlacedFloats):
        _in_one_array(opened, words, 0, opened.width)
        return

    def by_parts() -> None:
        loop = builder.begin_for(0, opened.width, PLACES_OF_WORD)
        end = builder.arith("arith.minsi", builder.add(loop.variable, PLACES_OF_WORD), opened.width)
        _in_one_array(opened, words, loop.variable, end)
        end_region(emitter)

    few_or_many(
        emitter,
        opened.width,
        PLACES_OF_WORD,
        lambda: _in_one_array(opened, words, 0, opened.width),
        by_parts,
        both_emit=opened.node,
    )


def _in_one_array(opened: Histogram, words: Words, first: Index, last: Index) -> None:
    """The values from one place to another, with words that start with nothing and end in the bins."""
    emitter, node, targets = opened.emitter, opened.node, opened.targets
    builder = emitter.builder
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    table = new_array(emitter, [targets[0].sizes[0]], words.type)
    fill(builder, words.nothing, table)
    loop = builder.begin_for(first, last, private=True)
    key, values = lifted(emitter, node, loop.variable)
    word = words.word(scalars(values), builder.as_value(builder.sub(loop.variable, first)))
    begin_if_inside(builder, [key], table.sizes)
    _improve(opened, table, key, word, load(builder, table, [key]))
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
    emitter.forget(node)
    loop = builder.begin_for(0, table.sizes[0], parallel=True, private=True)
    found = words.values(load(builder, table, [loop.variable]), neutral, builder.as_value(first))
    old = [load(builder, target, [loop.variable]) for target in targets]
    for target, value in zip(targets, joined_bins(emitter, node, old, found), strict=True):
        store(builder, value, target, [loop.variable])
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
    emitter.pool.free_raw(table.base)
