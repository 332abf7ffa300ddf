"""Reductions in blocks: partial results per block, combined in order.

The blocks depend on the size only, and each is reduced from the neutral element, so the result is the same on any
number of threads, one included.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Blocks, Parts, Search
from tapeless.passes.ir.scopes import outer_values
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.blocks.threads import make_part, run_part
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.loops.builder import Builder, Index, Loop
from tapeless.passes.lower.loops.bulk import combine, end_region, scalars
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.emitter import Emitter, Partials
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.work import MAX_BLOCKS, block_size, ceil_div
from tapeless.passes.marks import EACH_THREAD

EQUAL_OR_UNORDERED = arith.CmpFPredicate.UEQ.value


def reduce_in_blocks(opened: Reduction, schedule: Blocks) -> list[ir.Value]:
    """The reduced scalars of a large operator; where its width may be small, that is asked at run time."""
    if not schedule.asks_first:
        return reduce_by_parts(opened, schedule)
    return few_or_many(
        opened.emitter,
        opened.width,
        schedule.smallest,
        lambda: opened.run(0, opened.width, opened.starts),
        lambda: reduce_by_parts(opened, schedule),
        types=[value.type for value in opened.starts],
        both_emit=opened.node,
    )


def bounds(builder: Builder, number: Index, width: Index, block: Index) -> tuple[Index, Index]:
    """First iteration of a block and the one after its last."""
    low = builder.mul(number, block)
    return low, builder.arith("arith.minsi", builder.add(low, block), width)


def reduce_by_parts(opened: Reduction, schedule: Blocks) -> list[ir.Value]:
    """Blocks leave their results in a small table, which is then combined in order.

    They run in a function of their own on any number of threads, so that every number runs the same machine code.
    """
    emitter, node, neutral = opened.emitter, opened.node, opened.starts
    builder = emitter.builder
    width = builder.arith("arith.maxsi", opened.width, 0)
    block = block_size(builder, width, schedule.smallest)
    blocks = ceil_div(builder, width, block)
    tables = [emitter.pool.table(MAX_BLOCKS, value.type) for value in neutral]
    loop = builder.begin_for(0, blocks, parallel=True, private=True)
    partial = opened.run(*bounds(builder, loop.variable, width, block), neutral)
    for table, value in zip(tables, partial, strict=True):
        builder.store(value, table.value, [loop.variable])
    emit_by_parts(emitter, loop, blocks, 1)
    total = builder.begin_for(0, blocks, starts=neutral)
    total.op.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
    values = [builder.load(table.value, [total.variable]) for table in tables]
    emitter.forget(node)
    end_region(emitter, scalars(combine(emitter, node, opened.region, total.carried, values, values)))
    for number, table in enumerate(tables):
        if number in schedule.keeps:
            emitter.partials[node.results[number]] = Partials(table, blocks, lambda b: bounds(builder, b, width, block))
        else:
            emitter.pool.release(table)
    return list(total.op.results)


def emit_by_parts(emitter: Emitter, loop: Loop, width: Index, grain: Index) -> None:
    """Ends a private parallel loop and moves it into a function that threads can share, or makes it a launch."""
    frame = end_region(emitter)
    if emitter.options.has_launches:
        mark_launch(emitter, loop, frame, EACH_THREAD)
        return
    run_part(emitter, make_part(emitter, loop, frame), width, grain)


def map_in_parts(opened: Map, schedule: Parts) -> None:
    """A function over some iterations of a map without accumulators, which threads share."""
    emitter, width = opened.emitter, opened.width
    loop = opened.begin(0, width, [], private=True)
    emit_by_parts(emitter, loop, width, block_size(emitter.builder, width, schedule.smallest))


def has_extreme(emitter: Emitter, partial: ir.Value, extreme: ir.Value) -> ir.Value:
    """Whether the extreme of all elements is that of a block."""
    bit = ir.IntegerType.get_signless(1)
    return emitter.builder.value("arith.cmpf", bit, [partial, extreme], predicate=_predicate(EQUAL_OR_UNORDERED))


def search_in_blocks(opened: Reduction, _: Search) -> list[ir.Value]:
    """The place found in the first block whose extreme is that of all, read one block after the other."""
    emitter, (start,) = opened.emitter, opened.starts
    value = next(value for value in outer_values(opened.node.op) if value in emitter.partials)
    builder, partials = emitter.builder, emitter.partials.pop(value)
    bit = ir.IntegerType.get_signless(1)
    loop = builder.begin_for(0, partials.blocks, starts=[start])
    extreme, block = emitter.scalar(value), builder.load(partials.table.value, [loop.variable])
    holds = has_extreme(emitter, block, extreme)
    is_open = builder.value("arith.cmpi", bit, [loop.carried[0], start], predicate=_predicate(0))
    wanted = builder.value("arith.andi", bit, [holds, is_open])
    branch = builder.create("scf.if", [start.type], [wanted], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    end_region(emitter, opened.run(*partials.bounds(loop.variable), [start]))
    builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, loop.carried)
    end_region(emitter, list(branch.results))
    emitter.pool.release(partials.table)
    return list(loop.op.results)


def _predicate(number: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
