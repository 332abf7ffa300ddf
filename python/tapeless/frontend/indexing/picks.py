"""Index arrays among the parts of an index, by numpy's rules.

Index arrays, and integers beside them, are stretched to one shape. Its axes take the place of the axes they name when
these are neighbours, and come first otherwise.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.errors import TypeMismatch
from tapeless.frontend.elementwise import stretching
from tapeless.frontend.elementwise.application import as_pending
from tapeless.frontend.indexing import positions, selections
from tapeless.frontend.indexing.selections import Item, Selection
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Opaque, Scalar, describe
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Elements = Mapping[Leaf, ir.Value]


@dataclass(frozen=True)
class Picks:
    """The selection of an index with index arrays, within the part of an array that its slices select."""

    slices: Selection
    axes: tuple[int, ...]
    dims: tuple[Affine, ...]
    place: int
    new_axes: tuple[int, ...]
    leaves: tuple[Leaf, ...]
    positions: Callable[[Elements], list[Affine]]
    """The checked positions, one for each of `axes`, from one element of every leaf."""

    def rest(self, array: Array) -> tuple[int, ...]:
        """The axes that no index array and no integer names."""
        return tuple(axis for axis in range(array.rank) if axis not in self.axes)

    def order(self, rank: int) -> tuple[int, ...]:
        """For each axis of the result, its place when the axes of the index arrays come first."""
        count = len(self.dims)
        inner = tuple(range(count, rank))
        return (*inner[: self.place], *range(count), *inner[self.place :])


def has_index_array(parts: Sequence[Item]) -> bool:
    return any(isinstance(part, Array) for part in parts)


def picks(t: Translator, array: Array, parts: Sequence[Item]) -> Picks:
    """The index arrays and integers of an index, checked to be integers; slices beside them are a selection."""
    parts = selections.without_ellipsis(t, array, parts)
    for part in parts:
        if isinstance(part, (Array, Scalar)) and not part.dtype.is_int:
            raise t.error(
                f"an index is {describe(part)}", "index with integers, slices or an integer array", TypeMismatch
            )
    named = [part for part in parts if not is_new_axis(part)]
    slices = selections.selection(t, array, [part if _is_sliced(part) else ast.Slice() for part in named])
    axes = tuple(axis for axis, part in enumerate(named) if not isinstance(part, ast.Slice))
    arrays = [part for part in named if isinstance(part, Array)]
    dims = stretching.common_dims(t, arrays)
    readers = [_reader(t, named[axis], dims, slices.spans[axis].size, axis) for axis in axes]
    leaves = dict.fromkeys(leaf for _, used in readers for leaf in used)
    return Picks(
        slices,
        axes,
        dims,
        *_places(parts, len(dims)),
        tuple(leaves),
        lambda elements: [read(elements) for read, _ in readers],
    )


def is_new_axis(part: Item) -> bool:
    return isinstance(part, Opaque) and part.value is None


def _is_sliced(part: Item) -> bool:
    return isinstance(part, ast.Slice) or is_new_axis(part)


def _places(parts: Sequence[Item], count: int) -> tuple[int, tuple[int, ...]]:
    """Where the axes of the index arrays come among those of the slices, and where the result has new axes."""
    found = [position for position, part in enumerate(parts) if not _is_sliced(part)]
    are_neighbours = found[-1] - found[0] + 1 == len(found)
    first = found[0] if are_neighbours else 0
    others = [part for part in parts if _is_sliced(part)]
    new = [position for position, part in enumerate(others) if is_new_axis(part)]
    new_axes = tuple(position if position < first else position + count for position in new)
    return first - sum(position < first for position in new), new_axes


def _reader(
    t: Translator, index: Item, dims: tuple[Affine, ...], size: Affine, axis: int
) -> tuple[Callable[[Elements], Affine], tuple[Leaf, ...]]:
    if isinstance(index, Scalar) or not isinstance(index, Array):
        position = positions.position(t, index, size, axis)
        return (lambda elements: position), ()
    location = t.builder.location
    pending = stretching.aligned(t, as_pending(index), dims)

    def read(elements: Elements) -> Affine:
        with t.builder.at(location):
            wide = promotion.convert(t.builder, pending.build(elements), index.dtype, i64)
            return positions.checked_position(t, integers.opaque(t.builder, wide), size, axis)

    return read, pending.leaves
