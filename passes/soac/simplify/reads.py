"""Folds element reads through the producers of arrays, so that views and fills need not exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.passes.ir.array_loops import operand_groups
from tapeless.passes.ir.costs import has_check
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.ir.rebuild import body_at
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.sizes.shapes import dim_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.soac.simplify.known_writes import replace_read

Read = tuple[ir.Value, list[ir.Value]]


def read_through_producer(op: ir.OpView) -> ir.OpView | None:
    """`tensor.extract` of a fill is the filled value; of a view, an element of the array behind it."""
    source, *indices = op.operands
    if isinstance(source, ir.BlockArgument):
        return op
    producer = source.owner
    if producer.operation.name == "tensor.splat":
        replace_read(op, producer.operands[0])
        return None
    view = VIEWS.get(producer.operation.name)
    read = view(producer, indices, op) if view else None
    if read is None:
        return op
    made = tensor.ExtractOp(read[0], read[1], loc=op.location, ip=ir.InsertionPoint(op))
    replace_read(op, made.result)
    return made


def element_of_map(op: ir.OpView) -> ir.OpView | None:
    """The one element that is read of what a map makes is computed where it is read, and the others are not."""
    source, *indices = op.operands
    if isinstance(source, ir.BlockArgument) or not _is_read_alone(source.owner, op):
        return op
    producer = source.owner
    with op.location, ir.InsertionPoint(op):
        rows = [row_at(array, indices[0]) for array in operand_groups(producer)[1]]
    element = body_at(producer, indices[0], rows, op)[source.result_number]
    made = None
    if len(indices) > 1:
        made = tensor.ExtractOp(element, indices[1:], loc=op.location, ip=ir.InsertionPoint(op))
        element = made.result
    replace_read(op, element)
    producer.operation.erase()
    return made


def _is_read_alone(producer: ir.OpView, read: ir.OpView) -> bool:
    """Whether a map makes arrays of which nothing is used but this element, as often as the map runs."""
    if producer.operation.name != "soac.map" or len(producer.accs) or producer.operation.block != read.operation.block:
        return False
    uses = [use.owner for result in producer.results for use in result.uses]
    return len(uses) == 1 and not has_check(producer.regions[0].blocks[0])


def slice_of_fill(op: ir.OpView) -> ir.OpView | None:
    """`tensor.extract_slice` of a fill is a smaller fill."""
    source = op.operands[0]
    if isinstance(source, ir.BlockArgument) or source.owner.operation.name != "tensor.splat":
        return op
    sizes = slice_sizes(op)
    dynamic = [sizes[axis] for axis in remaining_axes(op) if not isinstance(sizes[axis], int)]
    value = source.owner.operands[0]
    fill = tensor.SplatOp(op.results[0].type, value, dynamic, loc=op.location, ip=ir.InsertionPoint(op))
    replace_read(op, fill.result)
    return None


def _cast(producer: ir.OpView, indices: Sequence[ir.Value], op: ir.OpView) -> Read:
    return producer.operands[0], list(indices)


def _slice(producer: ir.OpView, indices: Sequence[ir.Value], op: ir.OpView) -> Read:
    at = ir.InsertionPoint(op)
    inner = dict(zip(remaining_axes(producer), indices, strict=True))
    offsets, strides = slice_offsets(producer), slice_strides(producer)
    places = []
    for axis, offset in enumerate(offsets):
        if axis in inner:
            places.append(_add(_times(inner[axis], strides[axis], at), offset, at))
        else:
            places.append(as_value(offset, at))
    return producer.operands[0], places


def _transpose(producer: ir.OpView, indices: Sequence[ir.Value], op: ir.OpView) -> Read:
    axes = [axis.value for axis in producer.attributes["permutation"]]
    return producer.operands[0], [indices[axes.index(axis)] for axis in range(len(axes))]


def _reverse(producer: ir.OpView, indices: Sequence[ir.Value], op: ir.OpView) -> Read | None:
    at = ir.InsertionPoint(op)
    axis = producer.attributes["axis"].value
    size = dim_of(producer.operands[0], axis, at)
    if size is None:
        return None
    last = arith.subi(as_value(size, at), as_value(1, at), loc=op.location, ip=at)
    mirrored = arith.subi(last, indices[axis], loc=op.location, ip=at)
    return producer.operands[0], [*indices[:axis], mirrored, *indices[axis + 1 :]]


def _times(index: ir.Value, stride: ir.Value | int, at: ir.InsertionPoint) -> ir.Value:
    if stride == 1:
        return index
    return arith.muli(index, as_value(stride, at), loc=index.location, ip=at)


def _add(index: ir.Value, offset: ir.Value | int, at: ir.InsertionPoint) -> ir.Value:
    if isinstance(offset, int) and offset == 0:
        return index
    return arith.addi(index, as_value(offset, at), loc=index.location, ip=at)


VIEWS: dict[str, Callable[[ir.OpView, Sequence[ir.Value], ir.OpView], Read | None]] = {
    "tensor.cast": _cast,
    "soac.widen": _cast,
    "tensor.extract_slice": _slice,
    "soac.transpose": _transpose,
    "soac.reverse": _reverse,
}
