"""Places in an array: the elements that a read or a write names, and how two places overlap.

Answers are proofs: offsets and sizes are compared as expressions, and what cannot be shown counts as unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.computed_once import computed_once
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.indices import Linear, highs, is_at_most, linear, lows
from tapeless.passes.ir.places.slices import remaining_axes, slice_fields
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import constant_int

Extent: TypeAlias = ir.Value | int
WRITES = ("tensor.insert", "tensor.insert_slice")
COUNTING = frozenset({"soac.map", "soac.fused", "scf.for"})
FUNCTION = "func.func"
READ = "tensor.extract"


@dataclass(frozen=True)
class Range:
    """The elements of one axis: `size` of them from `offset` on, `stride` apart.

    What is asked of a range when it is compared with others is found once. It holds as long as the program is the same.
    """

    offset: Extent
    size: Extent
    stride: Extent

    @property
    def step(self) -> Extent:
        """The distance of neighbours; none for a single element."""
        return 0 if self.size == 1 else self.stride

    @computed_once
    def is_known(self) -> bool:
        """Whether all of it is numbers."""
        return isinstance(self.offset, int) and isinstance(self.size, int) and isinstance(self.stride, int)

    @property
    def known_end(self) -> int | None:
        """The first index after the range, when all of it is known."""
        if not self.is_known:
            return None
        return self.offset + (max(self.size - 1, 0) * self.stride) + 1

    @computed_once
    def offset_expression(self) -> Size:
        """The offset, to be compared with others."""
        return _expression(self.offset)

    @computed_once
    def size_expression(self) -> Size:
        """The size, to be compared with others."""
        return _expression(self.size)

    @computed_once
    def starts(self) -> list[Linear]:
        """Lower bounds of the first index."""
        return _bounds(self.offset, lows)

    @computed_once
    def ends(self) -> list[Linear]:
        """Upper bounds of the first index after the range."""
        if isinstance(self.size, int) and isinstance(self.step, int):
            length = max(self.size - 1, 0) * self.step + 1
            return [high.plus(length) for high in _bounds(self.offset, highs)]
        if self.step == 1 and isinstance(self.offset, int):
            return [high.plus(self.offset) for high in _bounds(self.size, highs)]
        return []

    @computed_once
    def linear_offset(self) -> Linear:
        """The offset with its constant part taken off."""
        return linear(self.offset_expression)


@dataclass(frozen=True)
class Place:
    """One range per axis of an array, and the axes that the part read or written keeps."""

    array: ir.Value
    ranges: list[Range]
    kept: list[int]

    @staticmethod
    def of(op: ir.OpView) -> Place:
        """Where a `tensor` operation (extract, insert and their slices) reads or writes."""
        array = op.operands[1 if is_write(op) else 0]
        if op.operation.name in ("tensor.extract", "tensor.insert"):
            indices = list(op.operands)[2 if is_write(op) else 1 :]
            return Place(array, [Range(_folded(index), 1, 1) for index in indices], [])
        parts = zip(*slice_fields(op), strict=True)
        return Place(array, [Range(*map(_folded, part)) for part in parts], remaining_axes(op))

    def is_whole_along(self, axis: int) -> bool:
        """Whether every index of an axis is in the place."""
        return self._whole[axis]

    @computed_once
    def _whole(self) -> list[bool]:
        return [
            part.offset == 0 and part.stride == 1 and part.size_expression == size_of(self.array, axis)
            for axis, part in enumerate(self.ranges)
        ]


def is_write(op: ir.OpView) -> bool:
    """Whether an operation gives an array with one place overwritten."""
    return op.operation.name in WRITES


def is_read(op: ir.OpView) -> bool:
    """Whether an operation reads one place of an array."""
    return op.operation.name in ("tensor.extract", "tensor.extract_slice")


def are_disjoint(left: Place, right: Place) -> bool:
    """Whether no element is in both places: along one axis the ranges have nothing in common.

    Ranges that are known are compared first, since that takes no expressions.
    """
    pairs = list(zip(left.ranges, right.ranges, strict=True))
    known = [a.is_known and b.is_known for a, b in pairs]
    if any(both and _are_apart(a, b) for both, (a, b) in zip(known, pairs, strict=True)):
        return True
    return any(not both and _are_apart(a, b) for both, (a, b) in zip(known, pairs, strict=True))


def _are_apart(left: Range, right: Range) -> bool:
    """Whether two ranges of an axis have nothing in common; those that start at the same number do, unless empty."""
    if isinstance(left.offset, int) and left.offset == right.offset:
        return False
    return _is_before(left, right) or _is_before(right, left) or _interleave(left, right)


def offsets_within(inner: Place, outer: Place) -> list[Extent] | None:
    """Where `inner` starts in the part that `outer` names, per axis; `None` unless it provably lies in it."""
    found: list[Extent] = []
    for axis, (part, whole) in enumerate(zip(inner.ranges, outer.ranges, strict=True)):
        offset = part.offset if outer.is_whole_along(axis) else _offset_within(part, whole)
        if offset is None:
            return None
        found.append(offset)
    return found


def is_whole(inner: Place, outer: Place, offsets: list[Extent]) -> bool:
    """Whether a place that starts at these offsets in another one is all of it, with the same axes kept."""
    sizes = all(same_extent(a.size, b.size) for a, b in zip(inner.ranges, outer.ranges, strict=True))
    return sizes and inner.kept == outer.kept and not any(isinstance(at, ir.Value) or at for at in offsets)


def _offset_within(part: Range, whole: Range) -> Extent | None:
    if isinstance(part.offset, int) and isinstance(whole.offset, int) and part.offset < whole.offset:
        return None
    if part.offset == whole.offset or part.offset_expression == whole.offset_expression:
        steps = part.size == 1 or same_extent(part.stride, whole.stride)
        return 0 if steps and is_at_most(linear(part.size_expression), linear(whole.size_expression)) else None
    if whole.stride != 1 or not isinstance(part.offset, int) or not isinstance(whole.offset, int):
        return None
    return part.offset - whole.offset if _ends_before(part, whole) else None


def _ends_before(part: Range, whole: Range) -> bool:
    """Whether a range of known offset does not reach beyond another one of known offset and stride 1."""
    if part.step in (0, 1):
        if isinstance(part.size, int) and isinstance(whole.size, int):
            return part.offset + part.size <= whole.offset + whole.size
        end = _linear(part.size).plus(part.offset)
    elif isinstance(part.size, int) and isinstance(part.stride, int):
        end = Linear(None, part.offset + (part.size - 1) * part.stride + 1)
    else:
        return False
    return is_at_most(end, _linear(whole.size).plus(whole.offset))


def _is_before(first: Range, second: Range) -> bool:
    """Whether one range ends where another one starts, or earlier."""
    if isinstance(second.offset, int) and (known := first.known_end) is not None:
        return known <= second.offset
    return any(is_at_most(end, start) for end in first.ends for start in second.starts)


def _interleave(left: Range, right: Range) -> bool:
    """Whether two ranges with known strides never meet, as even and odd places do not."""
    if not isinstance(left.step, int) or not isinstance(right.step, int):
        return False
    distance, step = _distance(left, right), gcd(left.step, right.step)
    if distance is None:
        return False
    return distance % step != 0 if step else distance != 0


def _distance(left: Range, right: Range) -> int | None:
    """How far two ranges start apart, when that is a number."""
    if isinstance(left.offset, int) and isinstance(right.offset, int):
        return left.offset - right.offset
    a, b = left.linear_offset, right.linear_offset
    same_base = b.base is None if a.base is None else b.base is not None and a.base == b.base
    return a.offset - b.offset if same_base else None


def _bounds(extent: Extent, of: Callable[[ir.Value], list[Linear]]) -> list[Linear]:
    return [Linear(None, extent)] if isinstance(extent, int) else [_linear(extent), *of(extent)]


def _folded(extent: Extent) -> Extent:
    """A constant as a number."""
    number = extent if isinstance(extent, int) else constant_int(extent)
    return extent if number is None else number


def _linear(extent: Extent) -> Linear:
    return linear(_expression(extent))


def _expression(extent: Extent) -> Size:
    return extent if isinstance(extent, int) else scalar_size(extent)


def same_extent(left: Extent, right: Extent) -> bool:
    """Whether two offsets or sizes are the same expression."""
    return left == right or _expression(left) == _expression(right)


def is_data(place: ir.Value) -> bool:
    """Whether an index depends on an element of an array, or on anything else that only running a loop tells."""
    pending, seen = [place], {place}
    while pending:
        value = pending.pop()
        if isinstance(value, ir.BlockArgument):
            if not _is_counted(value):
                return True
        elif value.owner.operation.name == READ or len(value.owner.regions):
            return True
        elif value.owner.operation.name != "tensor.dim":
            pending.extend(operand for operand in value.owner.operands if operand not in seen)
            seen.update(value.owner.operands)
    return False


def _is_counted(argument: ir.BlockArgument) -> bool:
    """Whether a block argument is the index of a loop or an argument of the function."""
    holder = argument.owner.owner.operation
    return holder.name == FUNCTION or (holder.name in COUNTING and argument.arg_number == 0)
