"""Writes where a mask holds: `x[mask] = v`, `x[mask] += v`; elsewhere nothing is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays.whole_arrays import broadcast_to, converted
from tapeless.frontend.control import choices
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.indexing.insertion import check_storable
from tapeless.frontend.operators import mapping
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Number, Scalar, Value

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

New = Callable[[Number], Number]


def written(t: Translator, array: Array, mask: Array, value: Number, new: New) -> Array:
    """The array with `new(old)` for each element, or row, where the mask holds; `value` is what `new` reads."""
    if mask.rank > array.rank:
        raise t.error(
            f"a mask of rank {mask.rank} for an array of rank {array.rank}",
            "use a mask with at most as many axes as the array",
            ShapeMismatch,
        )
    for axis in range(mask.rank):
        broadcasting.same_size(t, array.dims[axis], mask.dims[axis], axis)
    if not isinstance(value, Scalar) and value.rank > array.rank - mask.rank:
        raise t.error(
            "the values for a mask must be one for all places where it holds: how many there are is not known",
            "write x = tl.where(mask, values, x) with values for all places",
            ShapeMismatch,
        )
    return t.array(_rows(t, mask, array, new))


def _rows(t: Translator, mask: Array, array: Array, new: New) -> Value:
    return mapping.map_rows(t, [mask, array], lambda pair: _row(t, pair[0], pair[1], new))


def _row(t: Translator, holds: Value, old: Value, new: New) -> Value:
    if isinstance(holds, Array):
        return _rows(t, holds, old, new)
    condition = promotion.ssa(t.builder, holds)
    return choices.choose(t, condition, lambda: _stored(t, new(old), old), lambda: old)


def _stored(t: Translator, value: Number, old: Scalar | Array) -> Scalar | Array:
    """A value in the type and the sizes of what it replaces."""
    check_storable(t, value, old)
    if isinstance(old, Scalar):
        return promotion.from_ssa(t.builder, promotion.ssa(t.builder, value, old.dtype), old.dtype)
    return force(t, converted(t, broadcast_to(t, value, old.dims, old.dtype), old.dtype))
