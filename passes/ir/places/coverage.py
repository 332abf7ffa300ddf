"""Places and sizes that are nearly all of others: a fixed number of elements is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tapeless.passes.ir.places.indices import linear
from tapeless.passes.ir.places.places import Extent, Place
from tapeless.passes.ir.sizes.expressions import Computed, Size
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of

# How many elements of an axis a slice may leave out that is summed with others in one loop: those run one by one.
WIDEST_BORDER = 32

SameSize: TypeAlias = Callable[[Size, Size], bool]


def is_nearly_whole(place: Place, are_same: SameSize, most: int = WIDEST_BORDER) -> bool:
    """Whether a place leaves out at most a fixed number of elements along each axis, and more than half of none."""
    if len(place.kept) < len(place.ranges) or any(part.stride != 1 for part in place.ranges):
        return False
    for axis, part in enumerate(place.ranges):
        size, whole = _expression(part.size), size_of(place.array, axis)
        missing = left_out(size, whole, are_same)
        if missing is None or missing > most or not is_nearly(size, whole, are_same):
            return False
    return True


def is_nearly(part: Size, whole: Size, are_same: SameSize) -> bool:
    """Whether a size is another one less a number (at least zero); of two numbers, more than half."""
    if isinstance(part, int) and isinstance(whole, int):
        return 2 * part > whole
    return left_out(part, whole, are_same) is not None


def left_out(part: Size, whole: Size, are_same: SameSize) -> int | None:
    """By how much a size is less than another one, when that is a number."""
    if isinstance(part, int) and isinstance(whole, int):
        return whole - part
    if are_same(part, whole):
        return 0
    if isinstance(part, Computed) and part.name == "arith.maxsi" and isinstance(part.operands[1], int):
        part = part.operands[0]
    shifted = linear(part)
    return -shifted.offset if shifted.base is not None and are_same(shifted.base, whole) else None


def _expression(size: Extent) -> Size:
    return size if isinstance(size, int) else scalar_size(size)
