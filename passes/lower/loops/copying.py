"""Loops over all elements of arrays: copies, fills, and general nests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.views import View, load, store


def for_each(builder: Builder, sizes: Sequence[Index], body: Callable[[list[Index]], None]) -> None:
    """A nest of independent loops with `body` inside, called with one index per loop."""
    indices: list[Index] = []
    for size in sizes:
        indices.append(builder.begin_for(0, size, parallel=True).variable)
    body(indices)
    for _ in sizes:
        builder.yield_values()
        builder.pop()


def copy(builder: Builder, source: View, target: View) -> None:
    """Copies an array; the two do not overlap, or are the very same place."""
    if source is target:
        return
    if source.covers_base and target.covers_base and source.base.type == target.base.type and builder.depth == 0:
        builder.create("memref.copy", [], [source.base, target.base])
        return
    for_each(builder, target.sizes, lambda at: store(builder, load(builder, source, at), target, at))


def fill(builder: Builder, value: ir.Value, target: View) -> None:
    """Sets every element."""
    for_each(builder, target.sizes, lambda at: store(builder, value, target, at))
