"""Arrays with a part replaced: `tensor.insert` and `tensor.insert_slice`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import axes
from tapeless.frontend.arrays.whole_arrays import broadcast_to
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.indexing import computed_steps
from tapeless.frontend.indexing.extraction import select
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Scalar

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_KINDS = ("bool", "int", "float")


def written(t: Translator, array: Array, selected: Selection, value: Number) -> Array:
    """The array with the selected part replaced."""
    check_storable(t, value, array)
    if all(span.dropped for span in selected.spans):
        return _with_element(t, array, selected, value)
    if not isinstance(value, Scalar) and value.rank > len(selected.dims):
        raise t.error(
            f"an array of rank {value.rank} cannot be written to a part of rank {len(selected.dims)}",
            "write an array of the shape of the part",
            ShapeMismatch,
        )
    part = force(t, broadcast_to(t, value, selected.dims, array.dtype))
    if Affine(0) in selected.dims:
        return array
    kept = [span for span in selected.spans if not span.dropped]
    places = [(axis, span.steps) for axis, span in enumerate(kept) if span.steps is not None]
    if places:
        part = computed_steps.put(t, _around(t, array, selected), places, part)
    for axis, span in enumerate(kept):
        if span.is_reversed:
            part = axes.reversed_axis(t, part, axis)
    offsets, sizes, steps = zip(*((span.offset, span.size, span.step) for span in selected.spans), strict=True)
    operands, attributes = broadcasting.slice_operands(t, [part.ssa, array.ssa], offsets, sizes, steps)
    ssa = t.builder.value("tensor.insert_slice", array.ssa.type, operands, attributes)
    return Array(array.dtype, array.dims, ssa)


def _around(t: Translator, array: Array, selected: Selection) -> Array:
    """The part of an array that a selection names but for steps that are known when running."""
    spans = tuple(replace(span, steps=None) for span in selected.spans)
    return t.array(select(t, array, Selection(spans, ())))


def _with_element(t: Translator, array: Array, selected: Selection, value: Number) -> Array:
    if not isinstance(value, Scalar):
        raise t.error("an array cannot be written to one element", "write a scalar, or index fewer axes", ShapeMismatch)
    positions = [integers.index_value(t.builder, span.offset) for span in selected.spans]
    element = promotion.ssa(t.builder, value, array.dtype)
    ssa = t.builder.value("tensor.insert", array.ssa.type, [element, array.ssa, *positions])
    return Array(array.dtype, array.dims, ssa)


def check_storable(t: Translator, value: Number, array: Array) -> None:
    """Refuses a value whose kind of number the array cannot hold."""
    if _KINDS.index(value.dtype.kind) > _KINDS.index(array.dtype.kind):
        raise t.error(
            f"a {value.dtype!r} does not fit into an array of {array.dtype!r}",
            "make the array of the wider type, or convert the value with int(x) or tl.astype(x, ...)",
            TypeMismatch,
        )
