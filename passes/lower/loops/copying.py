"""Loops over all elements of arrays: copies, fills, and general nests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.marks import EACH_THREAD, LAUNCH


def for_each(builder: Builder, sizes: Sequence[Index], body: Callable[[list[Index]], None]) -> None:
    """A nest of independent loops with `body` inside, called with one index per loop; a launch where there are such."""
    indices: list[Index] = []
    for size in sizes:
        loop = builder.begin_for(0, size, parallel=True)
        if builder.has_launches and not indices and not builder.is_private:
            loop.op.attributes[LAUNCH] = ir.StringAttr.get(EACH_THREAD)
        indices.append(loop.variable)
    body(indices)
    for _ in sizes:
        builder.yield_values()
        builder.pop()


def copy(emitter: Emitter, source: View, target: View) -> None:
    """Copies an array; the two do not overlap, or are the very same place.

    Whole buffers outside of all loops and branches, or between launches, are copied by one operation.
    """
    if source is target:
        return
    builder = emitter.builder
    is_whole = source.covers_base and target.covers_base and source.base.type == target.base.type
    is_outside = builder.depth == 0 or (builder.has_launches and not builder.is_private)
    if is_whole and is_outside:
        builder.create("memref.copy", [], [source.base, target.base])
    else:
        for_each(builder, target.sizes, lambda at: store(builder, load(builder, source, at), target, at))


def fill(builder: Builder, value: ir.Value, target: View) -> None:
    """Sets every element."""
    for_each(builder, target.sizes, lambda at: store(builder, value, target, at))


def write_starts(emitter: Emitter, sums: Sequence[View]) -> None:
    """Fills the arrays that launches add to which do not know where sums start."""
    for view in sums:
        if view in emitter.starts:
            fill(emitter.builder, emitter.starts[view], view)
