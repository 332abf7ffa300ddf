"""Histograms as launches: threads with histograms of their own, which are combined in order."""

from __future__ import annotations

from tapeless.passes.lower.blocks.counting import count_values, joined_bins
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.grid.copies import bring_together, copy_of, make_copies, number_of_copies, share_of
from tapeless.passes.lower.grid.launching import mark_launch
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.schedule.forms import OwnCopies
from tapeless.passes.marks import EACH_THREAD


def count_into_copies(opened: Histogram, schedule: OwnCopies) -> None:
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
