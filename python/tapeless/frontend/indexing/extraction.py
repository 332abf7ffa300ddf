"""Parts of arrays: elements, rows, slices, new axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless.frontend.arrays import axes
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import as_pending
from tapeless.frontend.indexing import computed_steps, slices
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Leaf, Number, Pending, Scalar

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def select(t: Translator, array: Array, selected: Selection) -> Number:
    """The part of an array that a selection names."""
    spans = selected.spans
    if all(span.dropped for span in spans) and not selected.new_axes:
        return element_at(t, array, [span.offset for span in spans])
    value: Number = array
    if not all(span.is_whole_of(size) for span, size in zip(spans, array.dims, strict=True)):
        value = _slice(t, array, spans)
    if isinstance(value, Array):
        kept = [span for span in spans if not span.dropped]
        for axis, span in enumerate(kept):
            if span.is_reversed:
                value = axes.reversed_axis(t, value, axis)
            elif span.steps is not None:
                value = computed_steps.taken(t, value, axis, span.steps)
    return with_new_axes(t, value, selected.new_axes) if selected.new_axes else value


def _slice(t: Translator, array: Array, spans: Sequence[Span]) -> Number:
    if all(span.dropped for span in spans):
        return element_at(t, array, [span.offset for span in spans])
    dropped = {axis for axis, span in enumerate(spans) if span.dropped}
    ssa = broadcasting.extract_slice(
        t,
        array.ssa,
        [span.offset for span in spans],
        [span.size for span in spans],
        [span.step for span in spans],
        dropped,
    )
    return Array(array.dtype, tuple(span.size for span in spans if not span.dropped), ssa)


def element_at(t: Translator, array: Array, positions: Sequence[Affine]) -> Scalar:
    """One element, at positions known to be in range."""
    operands = [array.ssa, *(integers.index_value(t.builder, each) for each in positions)]
    value = t.builder.value("tensor.extract", t.builder.types.scalars[array.dtype], operands)
    return promotion.from_ssa(t.builder, value, array.dtype)


def element(t: Translator, array: Array, index: Affine) -> Scalar | Array:
    """The element, or row, of the leading axis at a position known to be in range."""
    if array.rank == 1:
        return element_at(t, array, [index])
    spans = [Span(index, Affine(1), 1, dropped=True), *(slices.whole(size) for size in array.dims[1:])]
    return _slice(t, array, spans)


def with_new_axes(t: Translator, value: Number, new_axes: Sequence[int]) -> Pending:
    """New axes of size 1 at some positions of the result; nothing is computed yet."""
    if isinstance(value, Scalar):
        ssa = promotion.ssa(t.builder, value)
        return Pending(value.dtype, (Affine(1),) * len(new_axes), (), lambda elements: ssa)
    pending = as_pending(value)
    rank = pending.rank + len(new_axes)
    old_axes = [axis for axis in range(rank) if axis not in new_axes]
    dims = [Affine(1)] * rank
    for axis, size in zip(old_axes, pending.dims, strict=True):
        dims[axis] = size
    renamed = {leaf: Leaf(leaf.ssa, tuple(old_axes[axis] for axis in leaf.axes)) for leaf in pending.leaves}
    build = pending.build
    return Pending(
        pending.dtype,
        tuple(dims),
        tuple(renamed.values()),
        lambda elements: build({old: elements[new] for old, new in renamed.items()}),
    )
