"""Slices of an array at places that are known when running."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.imports.emit.elementwise import elementwise
from tapeless.passes.imports.emit.lazy import (
    Lazy,
    Value,
    element_of,
    in_memory,
    lazy,
    nest,
    remapped,
    section,
    shape_of,
)
from tapeless.passes.imports.emit.open_sizes import Shape, Size, agreed, minus, require_at_most
from tapeless.passes.imports.emit.shapes import cut, transpose
from tapeless.passes.ir.build import index, number

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Gather:
    """How the indices of a result become those of the operand.

    `sizes` are those of the slices; the axes `offsets` of the result run through a slice, whose axes `collapsed` and
    `batching` have gone. Component k of a vector of starts is for axis `starts[k]` of the operand, and in `bounds[k]`.
    """

    sizes: Shape
    offsets: Sequence[int]
    collapsed: Sequence[int]
    starts: Sequence[int]
    batching: Sequence[int] = ()
    start_batching: Sequence[int] = ()
    bounds: Sequence[Bounds | None] = ()


def components(starts: Value, vector_axis: int) -> list[Value]:
    """The components of an array of vectors of starts; the vectors may have no axis if they have one component."""
    shape = shape_of(starts)
    if vector_axis == len(shape):
        return [starts]
    count, rest = shape[vector_axis], [size for axis, size in enumerate(shape) if axis != vector_axis]
    if count == 1:
        return [_without_axis(starts, vector_axis, rest)]
    parts = []
    for k in range(count):
        first = [k if axis == vector_axis else 0 for axis in range(len(shape))]
        sizes = [1 if axis == vector_axis else size for axis, size in enumerate(shape)]
        parts.append(_without_axis(cut(starts, first, sizes, [1] * len(shape)), vector_axis, rest))
    return parts


def _without_axis(value: Value, axis: int, rest: Shape) -> Value:
    places = [None if k == axis else k - (k > axis) for k in range(len(rest) + 1)]
    squeezed = remapped(value, rest, places)
    return squeezed if rest else in_memory(squeezed)


def gather(operand: Value, starts: Sequence[Value], how: Gather) -> Value:
    """Slices at places, each moved as far as it takes to be inside of the operand."""
    array, shape = in_memory(operand), shape_of(operand)
    gone = sorted([*how.collapsed, *how.batching])
    batch = agreed([shape_of(start) for start in starts]) if starts else ()
    for size, whole in zip(how.sizes, shape, strict=True):
        require_at_most(size, whole, "slices of size {} are read of an axis of size {}")

    def slice_at(*places: ir.Value) -> ir.Value:
        moved: list[Size] = [0] * len(shape)
        for axis, place in zip([*how.starts, *how.batching], places, strict=True):
            moved[axis] = place
        return section(array, moved, how.sizes, [1] * len(shape), gone)

    bounds = how.bounds or [None] * len(starts)
    places = [
        clamped(start, minus(shape[axis], how.sizes[axis]), known)
        for start, axis, known in zip(starts, how.starts, bounds, strict=True)
    ]
    places += [_own_index(batch, axis) for axis in how.start_batching]
    if not batch:
        return slice_at(*[in_memory(place) for place in places])
    slices = elementwise(slice_at, element_of(operand), *places)
    if len(gone) == len(shape):
        return slices
    rows = in_memory_rows(slices)
    return transpose(rows, _order(rows.type.rank, how.offsets))


def in_memory_rows(array: Value) -> ir.Value:
    """An array whose elements are rows, in memory."""
    return nest(lazy(array))


def _order(rank: int, offsets: Sequence[int]) -> list[int]:
    """Which axis each axis of the result is, when those of slices come last."""
    batch = [axis for axis in range(rank) if axis not in offsets]
    return [offsets.index(axis) + len(batch) if axis in offsets else batch.index(axis) for axis in range(rank)]


def _own_index(shape: Shape, axis: int) -> Lazy:
    return Lazy(tuple(shape), ir.IndexType.get(), (), lambda _, indices: indices[axis])


def clamped(start: Value, largest: Size, bounds: Bounds | None) -> Value:
    """Starts as `index`, at least 0 and at most the largest that fits."""
    if largest == 0:
        zero = index(0)
        return remapped(zero, shape_of(start), ()) if shape_of(start) else zero
    return elementwise(lambda value: clamped_scalar(value, largest, bounds), ir.IndexType.get(), start)


def clamped_scalar(value: ir.Value, largest: Size, bounds: Bounds | None) -> ir.Value:
    """A start as `index`, at least 0 and at most the largest that fits; nothing is compared that is known."""
    if not isinstance(largest, int):
        return _clamped_when_running(value, largest, bounds)
    if bounds is not None and bounds[0] >= 0 and bounds[1] <= largest:
        return as_index(value)
    limit = min(largest, 2 ** (value.type.width - 1) - 1)
    above = value if bounds is not None and bounds[0] >= 0 else arith.MaxSIOp(value, number(value.type, 0)).result
    inside = arith.MinSIOp(above, number(value.type, limit)).result
    return arith.IndexCastOp(ir.IndexType.get(), inside).result


def _clamped_when_running(value: ir.Value, largest: ir.Value, bounds: Bounds | None) -> ir.Value:
    start = arith.IndexCastOp(ir.IndexType.get(), value).result
    above = start if bounds is not None and bounds[0] >= 0 else arith.MaxSIOp(start, index(0)).result
    return arith.MinSIOp(above, largest).result


def as_index(value: ir.Value) -> ir.Value:
    """An integer that is known not to overflow as an `index`, computed in `index` from its operands."""
    owner = None if isinstance(value, ir.BlockArgument) else value.owner.operation
    name = owner.name if owner else ""
    if owner and name == "arith.constant":
        return index(ir.IntegerAttr(owner.attributes["value"]).value)
    if owner and name == "arith.index_cast":
        return owner.operands[0]
    if owner and name in ("arith.addi", "arith.subi", "arith.muli"):
        return ir.Operation.create(name, [ir.IndexType.get()], [as_index(each) for each in owner.operands]).result
    return arith.IndexCastOp(ir.IndexType.get(), value).result
