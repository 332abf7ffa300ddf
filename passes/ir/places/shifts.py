"""Places of the same sizes next to each other: the difference of two boxes, as boxes along the borders.

```
    +------+           `second` is `first` moved by one row and two columns; what is left of `first`
    |  +---|--+        is one row and two columns, which overlap in a corner
    +------+  |
       +------+
```
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.indices import is_not_above
from tapeless.passes.ir.places.places import Extent, Place, Range, same_extent
from tapeless.passes.ir.sizes.sizes import as_value


@dataclass(frozen=True)
class Box:
    """A part of a place: where it lies in the array, how large it is, and where it lies in the place."""

    offsets: list[Extent]
    sizes: list[Extent]
    within: list[Extent]


def are_shifted(first: Place, second: Place) -> bool:
    """Whether two places have the same sizes, neighbours side by side, and it is known which one comes first.

    Along an axis that an index takes away they are the same: nothing of it, or all, would be left.
    """
    return first.kept == second.kept and all(
        _is_shifted(a, b) if axis in first.kept else same_extent(a.offset, b.offset)
        for axis, (a, b) in enumerate(zip(first.ranges, second.ranges, strict=True))
    )


def _is_shifted(first: Range, second: Range) -> bool:
    is_dense = first.stride == 1 and second.stride == 1
    return is_dense and same_extent(first.size, second.size) and _order(first.offset, second.offset) is not None


def is_same_place(first: Place, second: Place) -> bool:
    """Whether a place that is a shifted copy of another one is moved by nothing."""
    return all(same_extent(a.offset, b.offset) for a, b in zip(first.ranges, second.ranges, strict=True))


def leftovers(first: Place, second: Place, at: ir.InsertionPoint) -> list[Box]:
    """Boxes that are all of `first` outside `second`, of which it is a shifted copy; they may overlap."""
    return [
        _leftover(first, second, axis, at)
        for axis, (a, b) in enumerate(zip(first.ranges, second.ranges, strict=True))
        if not same_extent(a.offset, b.offset)
    ]


def _leftover(first: Place, second: Place, axis: int, at: ir.InsertionPoint) -> Box:
    own, other = first.ranges[axis], second.ranges[axis]
    is_low = _order(own.offset, other.offset) == -1
    gap = _minus(other.offset, own.offset, at) if is_low else _minus(own.offset, other.offset, at)
    width = _least(gap, own.size, at)
    start = 0 if is_low else _minus(own.size, width, at)
    offsets, sizes = [part.offset for part in first.ranges], [part.size for part in first.ranges]
    within: list[Extent] = [0] * len(offsets)
    offsets[axis], sizes[axis], within[axis] = _plus(own.offset, start, at), width, start
    return Box(offsets, sizes, within)


def _order(left: Extent, right: Extent) -> int | None:
    """-1 when the first is provably not above the second, 1 the other way round, 0 for the same."""
    if same_extent(left, right):
        return 0
    return -1 if is_not_above(left, right) else 1 if is_not_above(right, left) else None


def _minus(left: Extent, right: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    return left if right == 0 else arith.subi(as_value(left, at), as_value(right, at), ip=at)


def _plus(left: Extent, right: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    return left if right == 0 else arith.addi(as_value(left, at), as_value(right, at), ip=at)


def _least(left: Extent, right: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    return arith.minsi(as_value(left, at), as_value(right, at), ip=at)
