"""Loops over all elements of arrays: copies, fills, and general nests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.schedule.forms import InOrder, Schedule, Whole
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
    """Copies an array; the two do not overlap, or are the very same place."""
    if source is target:
        return
    is_whole = source.covers_base and target.covers_base and source.base.type == target.base.type
    builder = emitter.builder
    is_between_launches = builder.has_launches and not builder.is_private
    schedule = emitter.scheduler.copy(is_whole=is_whole, depth=0 if is_between_launches else builder.depth)
    COPIES[type(schedule)](emitter.builder, source, target)


def copy_elements(builder: Builder, source: View, target: View) -> None:
    """A nest of loops."""
    for_each(builder, target.sizes, lambda at: store(builder, load(builder, source, at), target, at))


def copy_buffer(builder: Builder, source: View, target: View) -> None:
    """One operation on whole buffers."""
    builder.create("memref.copy", [], [source.base, target.base])


# How a copy is emitted in each form that a scheduler may choose.
COPIES: dict[type[Schedule], Callable[[Builder, View, View], None]] = {InOrder: copy_elements, Whole: copy_buffer}


def fill(builder: Builder, value: ir.Value, target: View) -> None:
    """Sets every element."""
    for_each(builder, target.sizes, lambda at: store(builder, value, target, at))
