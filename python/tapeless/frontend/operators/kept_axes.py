"""Reductions along several axes, and `keepdims=True`: axes that were reduced stay, with size 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless.errors import TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.arrays.axes import permuted
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.indexing.extraction import with_new_axes
from tapeless.frontend.values.value import Array, Number, Opaque, Scalar, Tuple, Value, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Reduction = Callable[..., Number]


def keeping(reduction: Reduction, *, takes_several: bool = True) -> Reduction:
    """The reduction with the keyword `keepdims`, and with tuples of axes if it takes several."""

    def reduced(t: Translator, x: Value, *others: Value, keepdims: Value, **named: Value) -> Number:
        number = t.number(x)
        axis = named["axis"] if named else others[0]
        if isinstance(number, Scalar):
            return reduction(t, x, *others, **named)
        if isinstance(axis, Tuple) and not takes_several:
            raise t.error("this takes one axis, not a tuple of them", "name one axis", TypeMismatch)
        along = _axes(t, axis, number.rank)
        if isinstance(axis, Tuple):
            x, axis = _along_one(t, number, along)
        result = reduction(t, x, *others, axis=axis) if named else reduction(t, x, axis)
        return with_new_axes(t, result, along) if t.flag(keepdims, "keepdims") else result

    return reduced


def or_flat(operator: Reduction) -> Reduction:
    """An operator along an axis that takes all elements in row-major order if the axis is None."""

    def applied(t: Translator, x: Value, axis: Value) -> Number:
        if isinstance(axis, Opaque) and axis.value is None:
            array = t.array(x)
            return operator(t, reshaped(t, array, [product(t, array.dims)]), literal(0))
        return operator(t, x, axis)

    return applied


def _axes(t: Translator, axis: Value, rank: int) -> tuple[int, ...]:
    if isinstance(axis, Opaque) and axis.value is None:
        return tuple(range(rank))
    return array_arguments.axes(t, axis, rank)


def _along_one(t: Translator, number: Number, along: tuple[int, ...]) -> tuple[Number, Value]:
    """An array and the one axis of it that stands for several, or for all."""
    if len(along) == number.rank:
        return number, Opaque(None)
    return merged(t, t.array(number), along), literal(-1)


def merged(t: Translator, array: Array, along: tuple[int, ...]) -> Array:
    """The array with some axes as one, which comes last."""
    kept = tuple(axis for axis in range(array.rank) if axis not in along)
    ordered = permuted(t, array, (*kept, *along))
    total = product(t, [array.dims[axis] for axis in along])
    return reshaped(t, ordered, [*(array.dims[axis] for axis in kept), total])
