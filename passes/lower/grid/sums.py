"""Maps with accumulators as launches: threads sum into copies of their own, which are added up in order.

How many threads there are depends on sizes only. Where the order of sums is free, all threads add to the accumulators
themselves, atomically, a thread for each iteration.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.blocks import bounds
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.cuts import product, sum_of, work_of_iteration
from tapeless.passes.lower.grid.launching import mark_launch
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill, for_each
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View, load, row, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.forms import OwnSums
from tapeless.passes.marks import EACH_THREAD

# What an element of a copy has to be worth in operations, and how many elements all copies may have.
WORK_PER_ELEMENT = 16
MOST_ELEMENTS = 1 << 26


def launch_sums(opened: Map, schedule: OwnSums) -> None:
    """A launch that adds to the accumulators themselves, or one that sums into copies, and one that adds these."""
    if schedule.is_shared:
        _add_atomically(opened)
        return
    emitter, sums = opened.emitter, opened.sums
    builder = emitter.builder
    width = builder.arith("arith.maxsi", opened.width, 0)
    copies = _number_of_copies(opened, width, schedule.most)
    tables = [new_array(emitter, [copies, *view.sizes], element_type(view)) for view in sums]
    for table in tables:
        fill(builder, zero_of(builder, table), table)
    size = ceil_div(builder, width, copies)
    loop = builder.begin_for(0, copies, private=True)
    own = [row(builder, table, loop.variable) for table in tables]
    opened.begin(*bounds(builder, loop.variable, width, size), own)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
    for view, table in zip(sums, tables, strict=True):
        _add_copies(builder, copies, table, view)
        emitter.pool.free_raw(table.base)


def _add_atomically(opened: Map) -> None:
    emitter = opened.emitter
    shared = {view.base for view in opened.sums}
    emitter.shared_sums |= shared
    loop = opened.begin(0, opened.width, opened.sums, private=True)
    emitter.shared_sums -= shared
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)


def _number_of_copies(opened: Map, width: Index, most: int) -> Index:
    """So many that clearing and adding them is little work beside the iterations, and that they fit into memory."""
    builder = opened.emitter.builder
    each = builder.arith("arith.maxsi", sum_of(builder, [product(builder, view.sizes) for view in opened.sums]), 1)
    work = builder.mul(width, work_of_iteration(opened.emitter, opened.node))
    worth = builder.arith("arith.divui", work, builder.mul(each, WORK_PER_ELEMENT))
    fitting = builder.arith("arith.divui", MOST_ELEMENTS, each)
    wanted = builder.arith("arith.minsi", builder.arith("arith.minsi", worth, fitting), most)
    return builder.arith("arith.maxsi", builder.arith("arith.minsi", wanted, width), 1)


def _add_copies(builder: Builder, copies: Index, table: View, target: View) -> None:
    """Adds to every element what the copies have, in order; a thread for each element."""
    element = element_type(target)
    name = "arith.addi" if isinstance(element, (ir.IntegerType, ir.IndexType)) else "arith.addf"

    def add(at: Sequence[Index]) -> None:
        loop = builder.begin_for(0, copies, starts=[load(builder, target, at)])
        total = builder.value(name, element, [loop.carried[0], load(builder, table, [loop.variable, *at])])
        builder.yield_values([total])
        builder.pop()
        store(builder, loop.op.results[0], target, at)

    for_each(builder, target.sizes, add)
