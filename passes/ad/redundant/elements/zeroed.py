"""Additions to slices of adjoints that a write has just zeroed: most of the slice is stored, its border is added."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import add
from tapeless.passes.ir.constants import is_zero_fill
from tapeless.passes.ir.places.places import Place, are_disjoint
from tapeless.passes.ir.places.shifts import Box, are_shifted, is_same_place, leftovers
from tapeless.passes.ir.rows import slice_of, with_slice
from tapeless.passes.soac.simplify.known_writes import LONGEST_CHAIN, write_of


def add_beside_zeros(
    bar: ir.Value, seed: ir.Value, place: Place, written: dict[ir.Value, Place], *, only_there: bool
) -> ir.Value | None:
    """The array with `seed` added to a place; nothing unless a place of zeros beside it is known.

    Where the zeros are the sum is the seed. What the place has outside of them are boxes along its border. With
    `only_there` the zeros have to be at the very place: slices that are nearly all of an array are left to
    `soac-stencil-gather`, which writes every element once. `written` are the places of writes found before.
    """
    zeroed = _zeros_before(bar, place, written)
    if zeroed is None:
        return None
    before, zeros = zeroed.operands[1], written[zeroed.results[0]]
    if only_there and not is_same_place(place, zeros):
        return None
    result = with_slice(bar, seed, *_bounds(place))
    for box in leftovers(place, zeros, ir.InsertionPoint.current):
        total = add(_part(before, box.offsets, box, place), _part_of_seed(seed, box, place))
        result = with_slice(result, total, box.offsets, box.sizes, [1] * len(box.sizes))
    return result


def _zeros_before(bar: ir.Value, place: Place, written: dict[ir.Value, Place]) -> ir.OpView | None:
    """The write of zeros beside a place, when all writes after it are elsewhere."""
    for _ in range(LONGEST_CHAIN):
        if (write := write_of(bar)) is None:
            return None
        if bar not in written:
            written[bar] = Place.of(write)
        if not are_disjoint(written[bar], place):
            return write if is_zero_fill(write.operands[0]) and are_shifted(place, written[bar]) else None
        bar = write.operands[1]
    return None


def _bounds(place: Place) -> tuple[list, list, list]:
    ranges = place.ranges
    return [part.offset for part in ranges], [part.size for part in ranges], [1] * len(ranges)


def _part(array: ir.Value, offsets: list, box: Box, place: Place) -> ir.Value:
    shape = [_static(box.sizes[axis]) for axis in place.kept]
    type_ = ir.RankedTensorType.get(shape, array.type.element_type)
    return slice_of(array, offsets, box.sizes, [1] * len(offsets), type_)


def _part_of_seed(seed: ir.Value, box: Box, place: Place) -> ir.Value:
    sizes, offsets = [box.sizes[axis] for axis in place.kept], [box.within[axis] for axis in place.kept]
    type_ = ir.RankedTensorType.get([_static(size) for size in sizes], seed.type.element_type)
    return slice_of(seed, offsets, sizes, [1] * len(sizes), type_)


def _static(size: ir.Value | int) -> int:
    return size if isinstance(size, int) else DYNAMIC
