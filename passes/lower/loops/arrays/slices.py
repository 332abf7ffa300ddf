"""Slices and concatenations: reading is a view; writing is in place, or copies only what the slice leaves alone."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.lower.loops.arrays.extents import size_here, sizes_here
from tapeless.passes.lower.loops.arrays.oddities import check_strides
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import destination, storage_view, temporary
from tapeless.passes.lower.loops.views import View, sliced, transposed
from tapeless.passes.lower.storage.aliases.coverage import covers_nearly_all
from tapeless.passes.lower.storage.aliases.slabs import Slabs
from tapeless.passes.lower.storage.tree import Node


def slice_bounds(emitter: Emitter, node: Node) -> tuple[list[Index], list[Index], list[Index]]:
    """Offsets, sizes and strides of a slice operation."""

    def lowered(values: list[ir.Value | int]) -> list[Index]:
        return [value if isinstance(value, int) else emitter.index(value) for value in values]

    op, strides = node.op, lowered(slice_strides(node.op))
    check_strides(node, strides)
    return lowered(slice_offsets(op)), lowered(slice_sizes(op)), strides


def slice_view(emitter: Emitter, node: Node, view: View) -> View:
    """The part of `view` that a slice operation names."""
    return sliced(emitter.builder, view, *slice_bounds(emitter, node), remaining_axes(node.op))


def emit_extract_slice(emitter: Emitter, node: Node) -> None:
    emitter.env[node.results[0]] = slice_view(emitter, node, emitter.view(node.operands[0]))


def emit_insert_slice(emitter: Emitter, node: Node) -> None:
    """Writes a slice; a source that shares the target's memory is set aside first."""
    part, target = node.operands[:2]
    source, before = emitter.view(part), emitter.view(target)
    view = destination(emitter, node.results[0])
    if node in emitter.plan.slabs:
        copy_around_slabs(emitter, emitter.plan.slabs[node], before, view)
    elif view is not before:
        copy_around(emitter, node, before, view)
    if (node, 0) in emitter.built_parts:
        return
    storages = emitter.plan.storages
    if before is view and storages.of(part) is storages.of(target):
        aside = temporary(emitter, part)
        copy(emitter, source, aside)
        source = aside
    copy(emitter, source, slice_view(emitter, node, view))


def copy_around_slabs(emitter: Emitter, slabs: Slabs, source: View, target: View) -> None:
    """Copies what slices that fill an array slab by slab leave alone; all at once when they leave the same."""
    axis = slabs.axis
    bounds = [slice_bounds(emitter, write)[:2] for write in slabs.writes]
    others = [[part for each in both for part in (*each[:axis], *each[axis + 1 :])] for both in bounds]
    if all(rest == others[0] for rest in others):
        copy_around(emitter, slabs.writes[0], source, target, Slab(axis, 0, source.sizes[axis]))
        return
    for write, (offsets, sizes) in zip(slabs.writes, bounds, strict=True):
        copy_around(emitter, write, source, target, Slab(axis, offsets[axis], sizes[axis]))


@dataclass(frozen=True)
class Slab:
    """Some indices of one axis."""

    axis: int
    offset: Index
    size: Index


def copy_around(emitter: Emitter, node: Node, source: View, target: View, within: Slab | None = None) -> None:
    """Copies what a slice operation leaves alone: box by box around the slice, or everything when it has strides.

    With a slab `within`, only what lies in it; the slice is taken to be all of its indices.
    """
    builder = emitter.builder
    offsets, sizes, strides = slice_bounds(emitter, node)
    if any(stride != 1 for stride in strides):
        copy(emitter, source, target)
        return
    axes, ones = list(range(source.rank)), [1] * source.rank
    low, extent = [0] * source.rank, list(source.sizes)
    is_thin = within is not None or covers_nearly_all(emitter.plan, node)

    def order(axis: int) -> list[int]:
        """The loops of a box: over an axis with few elements first, so that inner loops have something to do."""
        return [axis, *axes[:axis], *axes[axis + 1 :]] if is_thin else axes

    if within is not None:
        low[within.axis], extent[within.axis] = within.offset, within.size
    for axis in axes:
        if within is not None and axis == within.axis:
            continue
        end = builder.add(offsets[axis], sizes[axis])
        for first, size in ((0, offsets[axis]), (end, builder.sub(extent[axis], end))):
            if (isinstance(size, int) and size == 0) or sizes[axis] == extent[axis]:
                continue
            starts = [*low[:axis], first, *low[axis + 1 :]]
            counts = [*extent[:axis], size, *extent[axis + 1 :]]
            boxes = [sliced(builder, view, starts, counts, ones, axes) for view in (source, target)]
            copy(emitter, *(transposed(box, order(axis)) for box in boxes))
        low[axis], extent[axis] = offsets[axis], sizes[axis]


def part_of_slice(emitter: Emitter, node: Node, number: int) -> View:
    """Where the source of `tensor.insert_slice` ends in its target."""
    result = node.results[0]
    whole = storage_view(emitter, emitter.plan.storages.memory(result), result)
    view = slice_view(emitter, node, whole)
    emitter.built_parts.add((node, number))
    return view


def emit_concat(emitter: Emitter, node: Node) -> None:
    destination(emitter, node.results[0])
    for number, part in enumerate(node.operands):
        if (node, number) not in emitter.built_parts:
            copy(emitter, emitter.view(part), concat_slice(emitter, node, number))


def concat_slice(emitter: Emitter, node: Node, number: int) -> View:
    """Where operand `number` lies in the result of a concatenation."""
    builder, result = emitter.builder, node.results[0]
    whole = storage_view(emitter, emitter.plan.storages.memory(result), result)
    axis = ir.IntegerAttr(node.op.attributes["dim"]).value
    offset: Index = 0
    for part in node.operands[:number]:
        offset = builder.add(offset, size_here(emitter, emitter.plan.size(part, axis)))
    offsets: list[Index] = [0] * whole.rank
    offsets[axis] = offset
    return sliced(
        builder, whole, offsets, sizes_here(emitter, node.operands[number]), [1] * whole.rank, list(range(whole.rank))
    )


def part_of_concat(emitter: Emitter, node: Node, number: int) -> View:
    view = concat_slice(emitter, node, number)
    emitter.built_parts.add((node, number))
    return view
