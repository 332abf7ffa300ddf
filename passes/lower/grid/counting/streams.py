"""Values on their way into histograms of few threads: read long before they are counted, so that threads need not wait.

A thread takes several groups of neighbours at a time, which LLVM loads together, and reads those of the next round
before it counts those of this one. What is left over is counted group by group, then one by one. Histograms have a bin
more than they need, for keys outside: without branches, several values are on their way at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.counting import count_values, lifted, put_values
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.grid.block_launches import without_overflow
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.work import cost

GROUP = 4
# How many registers a round may take for what it read.
REGISTERS = 96
# Bodies with more operations take registers for each value, and hide the time of accesses.
MOST_OPERATIONS = 16


def count_stream(opened: Histogram, number: Index, width: Index, threads: Index, targets: Sequence[View]) -> None:
    """Counts the values of the thread of this number among so many into histograms."""
    emitter, node, builder = opened.emitter, opened.node, opened.emitter.builder
    bodies = [inner for region in node.regions for inner in region]
    if cost(bodies) > MOST_OPERATIONS or any(inner.regions for inner in bodies):
        count_values(emitter, node, number, width, targets, threads)
        return
    count = _groups(opened)
    at_once = builder.mul(threads, count)
    groups = builder.arith("arith.divui", width, GROUP)
    rounds = builder.arith("arith.divui", groups, at_once)

    def read(first: Index) -> list[ir.Value]:
        """Keys and values of a group."""
        start = without_overflow(builder, "arith.muli", builder.as_value(first), GROUP)
        found: list[ir.Value] = []
        for offset in range(GROUP):
            key, values = lifted(emitter, node, builder.add(start, offset))
            emitter.forget(node)
            found += [key, *scalars(values)]
        return found

    def read_round(which: Index) -> list[ir.Value]:
        first = builder.add(builder.mul(which, at_once), number)
        return [value for group in range(count) for value in read(builder.add(first, builder.mul(group, threads)))]

    def put(found: Sequence[ir.Value]) -> None:
        each = 1 + len(targets)
        for place in range(0, len(found), each):
            key, *values = found[place : place + each]
            bin_ = bin_of(opened, key)
            put_values(emitter, node, bin_, partial(list, values), targets, is_inside=True)
            emitter.forget(node)

    def count_rounds() -> None:
        last = builder.sub(rounds, 1)
        loop = builder.begin_for(0, rounds, starts=read_round(0))
        following = read_round(builder.arith("arith.minsi", builder.add(loop.variable, 1), last))
        put(loop.carried)
        end_region(emitter, following)

    few_or_many(emitter, rounds, 0, lambda: None, count_rounds)
    loop = builder.begin_for(builder.add(builder.mul(rounds, at_once), number), groups, threads)
    put(read(loop.variable))
    end_region(emitter)
    count_values(emitter, node, builder.add(builder.mul(groups, GROUP), number), width, targets, threads)


def _groups(opened: Histogram) -> int:
    """How many groups of keys and values have room in registers."""
    words = sum(max(element_bytes(ir.MemRefType(target.base.type)) // 4, 1) for target in opened.targets)
    return max(REGISTERS // (GROUP * (1 + words)), 1)


def bin_of(opened: Histogram, key: ir.Value) -> ir.Value:
    """The bin of a key; the one behind the last for keys outside."""
    builder, bins = opened.emitter.builder, opened.emitter.builder.as_value(opened.targets[0].sizes[0])
    if IN_BOUNDS in opened.node.op.attributes:
        return key
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.ult.value)
    is_inside = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), [key, bins], predicate=predicate)
    return builder.value("arith.select", builder.index, [is_inside, key, bins])
