"""Rows that are added to arrays of many places: a thread for each of their elements."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.row_columns.found import Columns
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.views import View
from tapeless.passes.marks import EACH_THREAD


def launch_columns(columns: Columns, sums: Sequence[View]) -> None:
    """A launch of a nest of two loops, over iterations and over the elements of rows, which the memory adds together.

    Additions of several threads to one element must be made in a way that allows for it.
    """
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    loop = builder.begin_for(0, columns.opened.width, parallel=True, private=True)
    inner = builder.begin_for(0, columns.count, parallel=True)
    columns.run(loop.variable, inner.variable, sums)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
