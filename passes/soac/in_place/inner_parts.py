"""Inner parts of arrays: all elements but a fixed number at the ends of every axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import dim, index
from tapeless.passes.ir.places.coverage import is_nearly_whole, left_out
from tapeless.passes.ir.places.places import Extent, Place
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.expressions import Computed, Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.soac.gather.guards import Bounds, Guards, where

Change: TypeAlias = Callable[[ir.Value], ir.Value]


@dataclass(frozen=True)
class InnerPart:
    """How many elements of every axis lie before the part, and how many behind it."""

    before: tuple[int, ...]
    behind: tuple[int, ...]

    @staticmethod
    def whole(rank: int) -> InnerPart:
        return InnerPart((0,) * rank, (0,) * rank)

    @staticmethod
    def of(place: Place, equal: EqualSizes) -> InnerPart | None:
        """A place that leaves out few elements, and how many is known."""
        if not is_nearly_whole(place, equal.are_equal):
            return None
        before, behind = [], []
        for axis, part in enumerate(place.ranges):
            whole, first = size_of(place.array, axis), _first(part.offset)
            missing = left_out(_expression(part.size), whole, equal.are_equal)
            if missing is None or first is None:
                return None
            before.append(first)
            behind.append(missing - first)
        return InnerPart(tuple(before), tuple(behind)) if min(behind) >= 0 else None

    @property
    def is_whole(self) -> bool:
        return not any((*self.before, *self.behind))

    def bounds(self, array: ir.Value) -> list[Bounds]:
        """Where the part of an array begins and ends along every axis, made at the insertion point."""
        return [
            Bounds(index(low) if low else None, _end(array, axis, high) if high else None)
            for axis, (low, high) in enumerate(zip(self.before, self.behind, strict=True))
        ]

    @staticmethod
    def changed_element(
        element: ir.Value, indices: Sequence[ir.Value], bounds: Sequence[Bounds], change: Change
    ) -> ir.Value:
        """An element, changed if it lies in the part."""
        conditions = [each for i, bound in zip(indices, bounds, strict=True) for each in Guards(i).of(bound)]
        return where(conditions, lambda: change(element), element)

    def changed(self, array: ir.Value, change: Change) -> ir.Value:
        """The array with a change made to the part as one array."""
        if self.is_whole:
            return change(array)
        ranges = [_range(array, *each) for each in zip(range(array.type.rank), self.before, self.behind, strict=True)]
        offsets, sizes = zip(*ranges, strict=True)
        shape = [size if isinstance(size, int) else DYNAMIC for size in sizes]
        type_ = ir.RankedTensorType.get(shape, array.type.element_type)
        strides = [1] * len(sizes)
        part = change(slice_of(array, offsets, sizes, strides, type_))
        return with_slice(array, part, offsets, sizes, strides)


def _expression(size: Extent) -> Size:
    return size if isinstance(size, int) else scalar_size(size)


def _first(offset: Extent) -> int | None:
    """Where a slice begins that is not empty: offsets are cut off at the size of an array."""
    first = _expression(offset)
    if isinstance(first, Computed) and first.name == "arith.minsi":
        first = next((operand for operand in first.operands if isinstance(operand, int)), first)
    return first if isinstance(first, int) else None


def _range(array: ir.Value, axis: int, low: int, high: int) -> tuple[Extent, Extent]:
    """Offset and size of a part of an axis, made at the insertion point; of an array too short for it, nothing."""
    size = array.type.shape[axis]
    if size != DYNAMIC:
        return low, size - low - high
    whole = dim(array, axis)
    left = arith.SubIOp(whole, index(low + high)).result
    return arith.MinSIOp(whole, index(low)).result, arith.MaxSIOp(left, index(0)).result


def _end(array: ir.Value, axis: int, missing: int) -> ir.Value:
    """The size of an axis less so many elements."""
    size = array.type.shape[axis]
    if size != DYNAMIC:
        return index(size - missing)
    return arith.SubIOp(dim(array, axis), index(missing)).result
