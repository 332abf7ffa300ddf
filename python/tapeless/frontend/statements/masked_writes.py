"""Writes of one value where a mask holds: `x[mask] = v`, `x[mask] += v`; elsewhere nothing is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless import lang
from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays.whole_arrays import broadcast_to, converted
from tapeless.frontend.control import choices
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.indexing.insertion import check_storable
from tapeless.frontend.operators import mapping
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Number, Scalar, Value, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

New = Callable[[Number], Number]


def is_for_all_places(array: Array, mask: Array, value: Number) -> bool:
    """Whether a value is the same for all places where a mask holds; else it has one part for each of them."""
    return isinstance(value, Scalar) or value.rank <= array.rank - mask.rank or mask.rank > array.rank


def stored(t: Translator, array: Array, mask: Array, value: Number) -> Array:
    """The array with one number wherever the mask holds."""
    return written(t, array, mask, lambda old: value)


def written(t: Translator, array: Array, mask: Array, new: New) -> Array:
    """The array with `new(old)` for each element, or row, where the mask holds."""
    if mask.rank > array.rank:
        raise t.error(
            f"a mask of rank {mask.rank} for an array of rank {array.rank}",
            "use a mask with at most as many axes as the array",
            ShapeMismatch,
        )
    for axis in range(mask.rank):
        broadcasting.same_size(t, array.dims[axis], mask.dims[axis], axis)
    return t.array(_rows(t, mask, array, new))


def replaced(t: Translator, array: Array, mask: Array, rows: Number) -> Array:
    """The array with the same row, or part of more axes, wherever the mask holds."""
    check_storable(t, rows, array)
    for axis in range(mask.rank):
        broadcasting.same_size(t, array.dims[axis], mask.dims[axis], axis)
    places: Value = mask
    for _ in range(array.rank - mask.rank):
        places = t.call(lang.OPERATORS["expand_dims"], [places, literal(-1)])
    new = broadcast_to(t, rows, array.dims[mask.rank :], array.dtype)
    return t.array(t.call(lang.OPERATORS["where"], [places, converted(t, new, array.dtype), array]))


def _rows(t: Translator, mask: Array, array: Array, new: New) -> Value:
    return mapping.map_rows(t, [mask, array], lambda pair: _row(t, pair[0], pair[1], new))


def _row(t: Translator, holds: Value, old: Value, new: New) -> Value:
    if isinstance(holds, Array):
        return _rows(t, holds, old, new)
    condition = promotion.ssa(t.builder, holds)
    return choices.choose(t, condition, lambda: _stored(t, new(old), old), lambda: old)


def _stored(t: Translator, value: Number, old: Scalar | Array) -> Scalar | Array:
    """A value in the type and the sizes of the part that it replaces."""
    check_storable(t, value, old)
    if isinstance(old, Scalar):
        return promotion.from_ssa(t.builder, promotion.ssa(t.builder, value, old.dtype), old.dtype)
    return force(t, converted(t, broadcast_to(t, value, old.dims, old.dtype), old.dtype))
