"""Arrays that are known but for some places: all but one element that was overwritten, or nothing but a slice."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ir.places.places import Extent, Place, are_disjoint, offsets_within, same_extent
from tapeless.passes.ir.places.slices import slice_fields, slice_part
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.scopes import is_defined_outside

ELEMENTS = ("tensor.extract", "tensor.insert")


@dataclass(frozen=True, eq=False)
class Hole:
    """The unknown part of an array: the place that `op` reads or writes, or all but it (`around`)."""

    op: ir.OpView
    around: bool = False

    @property
    def place(self) -> Place:
        """The elements that are not known, or those that are."""
        return Place.of(self.op)

    def spares(self, place: Place) -> bool:
        """Whether everything at a place is known."""
        if self.around:
            return offsets_within(place, self.place) is not None
        return are_disjoint(place, self.place)

    def is_same(self, other: Hole) -> bool:
        """Whether two holes are the same elements."""
        return self.around == other.around and is_same_place(self.place, other.place)

    def lasts(self, loop: ir.OpView) -> bool:
        """Whether it is the same hole in all iterations of a loop."""
        extents = [extent for part in self.place.ranges for extent in (part.offset, part.size, part.stride)]
        return all(isinstance(e, int) or is_defined_outside(e, loop.operation) for e in extents)


def is_same_place(left: Place, right: Place) -> bool:
    """Whether two places have the same elements and keep the same axes."""
    return left.kept == right.kept and all(
        same_extent(a.offset, b.offset) and same_extent(a.size, b.size) and same_extent(a.stride, b.stride)
        for a, b in zip(left.ranges, right.ranges, strict=True)
    )


def same_holes(left: Sequence[Hole], right: Sequence[Hole]) -> bool:
    """Whether the same places are missing, in the same order."""
    return len(left) == len(right) and all(a.is_same(b) for a, b in zip(left, right, strict=True))


def place_values(op: ir.OpView) -> list[ir.Value]:
    """The values that say where an operation reads or writes."""
    return [e for e in _flat(op) if isinstance(e, ir.Value)]


def read_at(undoing: Undoing, array: ir.Value, op: ir.OpView) -> ir.Value:
    """The contents of `array` at the place that `op` reads or writes."""
    if op.operation.name in ELEMENTS:
        return tensor.ExtractOp(array, undoing.values(_indices(op))).result
    offsets, sizes, strides = _fields(undoing, op)
    return slice_of(array, offsets, sizes, strides, slice_part(op).type)


def write_at(undoing: Undoing, array: ir.Value, op: ir.OpView, part: ir.Value) -> ir.Value:
    """`array` with another part at the place that `op` reads or writes."""
    if op.operation.name in ELEMENTS:
        return tensor.InsertOp(part, array, undoing.values(_indices(op))).result
    offsets, sizes, strides = _fields(undoing, op)
    return with_slice(array, part, offsets, sizes, strides)


def _indices(op: ir.OpView) -> list[ir.Value]:
    return list(op.operation.operands)[2 if op.operation.name == "tensor.insert" else 1 :]


def _flat(op: ir.OpView) -> list[Extent]:
    if op.operation.name in ELEMENTS:
        return list(_indices(op))
    return [extent for field in slice_fields(op) for extent in field]


def _fields(undoing: Undoing, op: ir.OpView) -> list[list[Extent]]:
    return [[e if isinstance(e, int) else undoing.value(e) for e in field] for field in slice_fields(op)]
