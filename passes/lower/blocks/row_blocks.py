"""Reductions to arrays in blocks: each block builds up copies of its own, which are combined in order.

The blocks depend on sizes only (`cuts.py`), and each starts from the neutral element, so the result is the same on any
number of threads, one included.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Copies
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import table_of_copies
from tapeless.passes.lower.blocks.cuts import Cut, cut_for_copies
from tapeless.passes.lower.blocks.in_blocks import bounds, emit_by_parts
from tapeless.passes.lower.loops.bulk import Lowered, combine, end_region, scalars, with_scalars
from tapeless.passes.lower.loops.combinators import Reduction
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.views import View, row
from tapeless.passes.lower.schedule.work import MOST_COPIES


def reduce_rows_in_blocks(opened: Reduction, schedule: Copies) -> list[ir.Value]:
    """The reduced scalars of an operator that also reduces to arrays, which end in the places of its running values."""
    width, starts = opened.width, opened.starts
    cut = cut_for_copies(opened.emitter, opened.node, width, arrays_of(opened.running), schedule)
    if cut.is_whole:
        return opened.run(0, width, starts)
    return few_or_many(
        opened.emitter,
        cut.blocks,
        1,
        lambda: opened.run(0, width, starts),
        lambda: reduce_by_copies(opened, cut),
        types=[value.type for value in starts],
        both_emit=opened.node,
    )


def arrays_of(values: Sequence[Lowered]) -> list[View]:
    """The values that a reduction keeps in memory."""
    return [value for value in values if isinstance(value, View)]


def reduce_by_copies(opened: Reduction, cut: Cut) -> list[ir.Value]:
    """Blocks leave arrays and scalars in tables; the running values, still neutral, are combined with those."""
    emitter, node, running = opened.emitter, opened.node, opened.running
    builder, starts, arrays = emitter.builder, opened.starts, arrays_of(opened.running)
    tables = [table_of_copies(emitter, cut.blocks, view) for view in arrays]
    numbers = [emitter.pool.table(MOST_COPIES, value.type) for value in starts]
    loop = builder.begin_for(0, cut.blocks, parallel=True, private=True)
    rows = [row(builder, table, loop.variable) for table in tables]
    for view, own in zip(arrays, rows, strict=True):
        copy(emitter, view, own)
    run = opened.passes(in_order(running, rows, starts))
    partial = run(*bounds(builder, loop.variable, opened.width, cut.size), starts)
    for number, value in zip(numbers, partial, strict=True):
        builder.store(value, number.value, [loop.variable])
    emit_by_parts(emitter, loop, cut.blocks, 1)
    emitter.forget(node)
    total = builder.begin_for(0, cut.blocks, starts=starts)
    rows = [row(builder, table, total.variable) for table in tables]
    right = in_order(running, rows, [builder.load(number.value, [total.variable]) for number in numbers])
    combined = combine(emitter, node, opened.region, with_scalars(running, total.carried), right, running)
    end_region(emitter, scalars(combined))
    for table in tables:
        emitter.pool.free_raw(table.base)
    for number in numbers:
        emitter.pool.release(number)
    return list(total.op.results)


def in_order(model: Sequence[Lowered], arrays: Sequence[View], numbers: Sequence[ir.Value]) -> list[Lowered]:
    """Arrays and scalars in the order in which `model` has them."""
    following, counted = iter(arrays), iter(numbers)
    return [next(following) if isinstance(value, View) else next(counted) for value in model]
