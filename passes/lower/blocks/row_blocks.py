"""Reductions to arrays in blocks: each block builds up copies of its own, which are combined in order.

The blocks depend on sizes only (`cuts.py`), and each starts from the neutral element, so the result is the same on any
number of threads, one included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.blocks import Pass, begin_if_small, bounds, emit_by_parts
from tapeless.passes.lower.blocks.copies import table_of_copies
from tapeless.passes.lower.blocks.cuts import MOST_COPIES, Cut, cut_for_copies
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import Lowered, combine, end_region, scalars, with_scalars
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, row
from tapeless.passes.lower.storage.tree import Node

# The loop of a reduction whose arrays are built up in the given places.
Passes = Callable[[Sequence[Lowered]], Pass]


def reduce_rows_in_blocks(
    emitter: Emitter, node: Node, region: int, width: Index, running: Sequence[Lowered], passes: Passes
) -> list[ir.Value]:
    """The reduced scalars of an operator that also reduces to arrays, which end in the places of `running`."""
    builder, starts = emitter.builder, scalars(running)
    cut = cut_for_copies(emitter, node, width, arrays_of(running)) if emitter.is_outermost else Cut(1, width)
    if isinstance(cut.blocks, int) and cut.blocks == 1:
        return passes(running)(0, width, starts)
    branch = begin_if_small(emitter, cut.blocks, 1, [value.type for value in starts])
    end_region(emitter, passes(running)(0, width, starts))
    emitter.forget(node)
    builder.push(branch, 1, [], is_branch=True)
    end_region(emitter, reduce_by_copies(emitter, node, region, (width, cut), running, passes))
    return list(branch.results)


def arrays_of(values: Sequence[Lowered]) -> list[View]:
    """The values that a reduction keeps in memory."""
    return [value for value in values if isinstance(value, View)]


def reduce_by_copies(
    emitter: Emitter,
    node: Node,
    region: int,
    sizes: tuple[Index, Cut],
    running: Sequence[Lowered],
    passes: Passes,
) -> list[ir.Value]:
    """Blocks leave arrays and scalars in tables; the places of `running`, still neutral, are combined with those."""
    builder, (width, cut) = emitter.builder, sizes
    starts, arrays = scalars(running), arrays_of(running)
    tables = [table_of_copies(emitter, cut.blocks, view) for view in arrays]
    numbers = [emitter.pool.table(MOST_COPIES, value.type) for value in starts]
    loop = builder.begin_for(0, cut.blocks, parallel=True, private=True)
    rows = [row(builder, table, loop.variable) for table in tables]
    for view, own in zip(arrays, rows, strict=True):
        copy(builder, view, own)
    own_running = in_order(running, rows, starts)
    partial = passes(own_running)(*bounds(builder, loop.variable, width, cut.size), starts)
    for number, value in zip(numbers, partial, strict=True):
        builder.store(value, number.value, [loop.variable])
    emit_by_parts(emitter, loop, cut.blocks, 1)
    emitter.forget(node)
    total = builder.begin_for(0, cut.blocks, starts=starts)
    rows = [row(builder, table, total.variable) for table in tables]
    right = in_order(running, rows, [builder.load(number.value, [total.variable]) for number in numbers])
    combined = combine(emitter, node, region, with_scalars(running, total.carried), right, running)
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
