"""Operands that are read at sums of dimensions, as those of convolutions: their elements put along the dimensions.

A window of few places, whose other dimension is a slice, is made of slices, one for each place of the window: the
matrix that products of convolutions read. All others are gathered, element by element.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

from tapeless._mlir import ir, tensor
from tapeless.passes.imports.emit.layout import transposed
from tapeless.passes.imports.linalg.arrays import Size, as_value, part, reshaped, typed
from tapeless.passes.imports.linalg.indexing_maps import Linear, used
from tapeless.passes.ir.build import map_ as soac_map

MOST_SLICES = 128
Gathered = tuple[ir.Value, tuple[int, ...]]


def gathered(array: ir.Value, map_: Sequence[Linear], sizes: Sequence[Size], parallel: Sequence[int]) -> Gathered:
    """The elements of an array at the indices of a map along its dimensions, and these."""
    sliced = _sliced(map_, sizes, parallel)
    if sliced is not None:
        return _by_slices(array, map_, sizes, sliced, parallel)
    dims = used(map_)
    return _one_by_one(array, map_, sizes, dims, {}), tuple(dims)


def _sliced(map_: Sequence[Linear], sizes: Sequence[Size], parallel: Sequence[int]) -> list[int | None] | None:
    """The dimension along which each axis is cut, if the others have few places in all; None if that cannot be."""
    chosen: list[int | None] = []
    for axis, expression in enumerate(map_):
        others = {each for at, other in enumerate(map_) if at != axis for each in other.terms}
        free = [each for each, by in expression.terms.items() if by > 0 and each not in others]
        preferred = [each for each in free if each in parallel] or [each for each in free if len(expression.terms) == 1]
        chosen.append(preferred[0] if preferred else None)
    offsets = [sizes[each] for each in used(map_) if each not in chosen]
    are_known = all(isinstance(size, int) for size in offsets)
    if not are_known or all(each is None for each in chosen):
        return None
    return chosen if 0 < math.prod(size for size in offsets if isinstance(size, int)) <= MOST_SLICES else None


def _by_slices(
    array: ir.Value,
    map_: Sequence[Linear],
    sizes: Sequence[Size],
    sliced: Sequence[int | None],
    parallel: Sequence[int],
) -> Gathered:
    """Slices beside each other, before the axes reduced with the window: rows of a matrix of windows (im2col)."""
    order = sorted(range(len(map_)), key=lambda axis: _rank(sliced[axis], parallel))
    array, map_, sliced = transposed(array, order), [map_[axis] for axis in order], [sliced[axis] for axis in order]
    kept = [each for each in sliced if each is not None]
    offsets = [each for each in used(map_) if each not in kept]
    counts = [sizes[each] for each in offsets]
    dropped = [axis for axis, each in enumerate(sliced) if each is None]
    lengths = [1 if each is None else sizes[each] for each in sliced]
    steps = [1 if each is None else expression.terms[each] for each, expression in zip(sliced, map_, strict=True)]
    places = product(*(range(count) for count in counts if isinstance(count, int)))
    pieces = [
        part(array, [_start(each, dict(zip(offsets, place, strict=True))) for each in map_], lengths, steps, dropped)
        for place in places
    ]
    before = [each for each in kept if each in parallel]
    axis = len(before) if len(before) < len(kept) else 0
    dims = [*kept[:axis], *offsets, *kept[axis:]]
    return reshaped(_joined(pieces, axis), [sizes[each] for each in dims]), tuple(dims)


def _rank(dimension: int | None, parallel: Sequence[int]) -> tuple[bool, int]:
    """Axes along dimensions of results come first, in their order."""
    return (dimension not in parallel, -1 if dimension is None else dimension)


def _start(expression: Linear, place: Mapping[int, int]) -> int:
    return expression.constant + sum(by * place[each] for each, by in expression.terms.items() if each in place)


def _joined(pieces: Sequence[ir.Value], axis: int) -> ir.Value:
    if len(pieces) == 1:
        return pieces[0]
    first = pieces[0].type
    shape = list(first.shape)
    if not first.is_dynamic_dim(axis):
        shape[axis] *= len(pieces)
    return tensor.ConcatOp(typed(shape, first.element_type), axis, list(pieces)).result


def _one_by_one(
    array: ir.Value, map_: Sequence[Linear], sizes: Sequence[Size], dims: Sequence[int], indices: dict[int, ir.Value]
) -> ir.Value:
    if not dims:
        return tensor.ExtractOp(array, [expression.value(indices) for expression in map_]).result

    def body(position: ir.Value, _: Sequence[ir.Value], __: Sequence[ir.Value]) -> tuple[list[ir.Value], list]:
        return [_one_by_one(array, map_, sizes, dims[1:], indices | {dims[0]: position})], []

    return soac_map(as_value(sizes[dims[0]]), [], [], body)[0][0]
