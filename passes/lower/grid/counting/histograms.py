"""Histograms as launches: in shared memory where they fit, which sizes tell.

Of more bins, sums are made in the histogram itself, and so is what integers are combined to. Other operators have
threads with copies of it, combined in order.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Columns
from tapeless.passes.lower.blocks.counting import count_values, joined_bins, lifted
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.copies import bring_together, copy_of, make_copies, number_of_copies, share_of
from tapeless.passes.lower.grid.counting.columns import FEWEST_COLUMNS, by_size, count_into_columns, most_bins
from tapeless.passes.lower.grid.exact.sums import count_exactly
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.updates import begin_if_inside
from tapeless.passes.lower.loops.views import element_indices
from tapeless.passes.marks import EACH_THREAD

KINDS = {
    "arith.addf": arith.AtomicRMWKind.addf,
    "arith.addi": arith.AtomicRMWKind.addi,
    "arith.minsi": arith.AtomicRMWKind.mins,
    "arith.maxsi": arith.AtomicRMWKind.maxs,
}


def count_by_size(opened: Histogram, schedule: Columns) -> None:
    """In columns if there are few bins."""
    by_size(
        opened,
        most_bins(opened, FEWEST_COLUMNS),
        lambda: count_into_columns(opened, schedule.is_free),
        lambda: _count_many(opened, schedule),
    )


def _count_many(opened: Histogram, schedule: Columns) -> None:
    if schedule.beyond == "copies":
        _count_into_copies(opened, schedule)
    elif schedule.beyond == "atomic":
        _count_atomically(opened)
    else:
        count_exactly(opened)


def _count_atomically(opened: Histogram) -> None:
    """A launch with a thread for each value, which updates its bin."""
    emitter, node, builder = opened.emitter, opened.node, opened.emitter.builder
    makers = {inner.results[0]: inner.name for inner in node.regions[-1][:-1]}
    kinds = [KINDS[makers[value]] for value in node.regions[-1][-1].operands]
    loop = builder.begin_for(0, opened.width, private=True)
    key, values = lifted(emitter, node, loop.variable)
    begin_if_inside(builder, [key], opened.targets[0].sizes)
    for target, value, kind in zip(opened.targets, scalars(values), kinds, strict=True):
        place = [builder.as_value(index) for index in element_indices(builder, target, [key])]
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), kind.value)
        builder.value("memref.atomic_rmw", value.type, [value, target.base, *place], kind=attribute)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)


def _count_into_copies(opened: Histogram, schedule: Columns) -> None:
    """A launch whose threads count for themselves, and launches that bring the histograms together."""
    emitter, node, targets = opened.emitter, opened.node, opened.targets
    builder = emitter.builder
    width = builder.arith("arith.maxsi", opened.width, 0)
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    copies = number_of_copies(emitter, node, width, targets, schedule.most)
    tables = make_copies(emitter, copies, targets, neutral)
    loop = builder.begin_for(0, copies, private=True)
    low, high, step = share_of(builder, loop.variable, width, copies, schedule.is_free)
    count_values(emitter, node, low, high, [copy_of(table, loop.variable) for table in tables], step)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
    bring_together(emitter, copies, tables, targets, neutral, lambda *pair: joined_bins(emitter, node, *pair))
    for table in tables:
        emitter.pool.free_raw(table.base)
