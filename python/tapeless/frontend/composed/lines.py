"""Elements and functions along an axis: `take_along_axis`, `apply_along_axis`, windows, quarter turns."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.moving import flip, moveaxis, ravel, swapaxes
from tapeless.frontend.composed.searching import take
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.indexing import gathers
from tapeless.frontend.operators import mapping
from tapeless.frontend.values import bounds
from tapeless.frontend.values.value import Array, Value


def take_along_axis(tl: Language, x: Any, places: Any, axis: Any) -> Term:
    """Of each line along an axis the elements at positions of its own; other axes of size 1 are repeated."""
    array, chosen = tl.array(x), tl.array(tl.listed(places))
    if axis is None:
        return take(tl, ravel(tl, array), chosen, 0)
    indices = [tl.t.array(part.value) for part in places_along(tl, array, chosen, axis)]
    return Term(tl.t, gathers.gather(tl.t, tl.t.array(array.value), indices))


def places_along(tl: Language, array: Term, chosen: Term, axis: Any) -> list[Term]:
    """The index arrays that name, in every line along an axis, positions of its own."""
    if array.rank != chosen.rank:
        raise tl.t.error(
            f"positions of rank {chosen.rank} for an array of rank {array.rank}",
            "give as many axes to both, or write tl.take(x, indices, axis)",
            ShapeMismatch,
        )
    along = array_arguments.axis(tl.t, as_value(axis), array.rank)
    parts = []
    for each in range(array.rank):
        others = tuple(other for other in range(array.rank) if other != each)
        parts.append(chosen if each == along else tl.iota(array.size(each)).with_axes(others))
    return parts


def apply_along_axis(tl: Language, func1d: Any, axis: Any, x: Any, *arguments: Any) -> Term:
    """A function of every line along an axis; the axes of its result stand in the place of that one."""
    array = tl.array(x)
    along = array_arguments.axis(tl.t, as_value(axis), array.rank)
    others = [as_value(each) for each in arguments]

    def applied(line: Array) -> Value:
        return tl.t.number(tl.t.call(func1d, [line, *others]), "the result of the function")

    found = tl.number(mapping.along_axis(tl.t, tl.t.array(array.value), along, applied))
    outside = array.rank - 1
    inside = tuple(range(outside, found.rank))
    order = (*range(along), *inside, *range(along, outside))
    return tl.transpose(found, order) if found.rank > 1 else found


def sliding_window_view(tl: Language, x: Any, window_shape: Any, axis: Any) -> Term:
    """All windows of a size along axes; the positions within a window are new axes at the end."""
    array = tl.array(x)
    sizes = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    axes = tuple(range(array.rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if len(sizes) != len(axes):
        raise tl.t.error(
            f"{len(sizes)} sizes of windows for {len(axes)} axes", "give one size for each axis", ShapeMismatch
        )
    rank = array.rank
    for size, each in zip(sizes, axes, strict=True):
        along = array_arguments.axis(tl.t, as_value(each), rank)
        array = moveaxis(tl, _windows(tl, tl.array(moveaxis(tl, array, along, 0)), size), (0, 1), (along, -1))
    return array


def _windows(tl: Language, x: Term, size: Any) -> Term:
    """The windows of the first axis, and in the second the positions within one."""
    width = array_arguments.size(tl.t, as_value(size))
    tl.require(tl.number(width) <= x.size(0), "a window is larger than its axis; use a smaller one", "ShapeMismatch")
    count = bounds.maximum_with_zero(tl.t.builder, x.dims[0] - width + 1)
    starts = tl.t.array(tl.iota(count).value)

    def window(start: list[Value]) -> Value:
        place = array_arguments.integer_argument(tl.t, start[0], "a place")
        return tl.t.array(x.part(0, place, width).value)

    return tl.number(mapping.map_rows(tl.t, [starts], window))


def rot90(tl: Language, x: Any, k: Any, axes: Any) -> Term:
    """Turned by quarters from the first axis towards the second."""
    array = tl.array(x)
    turns = tl.constant(k, "the number of turns") % 4
    pair = array_arguments.axes(tl.t, as_value(axes), array.rank)
    if len(pair) != 2:
        raise tl.t.error(f"a turn of {len(pair)} axes", "name two axes, as in axes=(0, 1)", ShapeMismatch)
    if turns in (1, 2):
        array = tl.array(flip(tl, array, pair[1]))
    if turns == 2:
        return flip(tl, array, pair[0])
    if turns:
        array = tl.array(swapaxes(tl, array, *pair))
    return flip(tl, array, pair[1]) if turns == 3 else array
