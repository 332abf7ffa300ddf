"""Elements at other places: `flip`, `roll`, `diff`, and axes under numpy's names."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.composed.statistics import axes_of
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import bounds
from tapeless.frontend.values.affine import Affine

MOST_DIFFERENCES = 64


def flip(tl: Language, x: Any, axis: Any) -> Term:
    array = tl.array(x)
    for each in axes_of(tl, axis, array.rank):
        array = tl.reverse(array, axis=each)
    return array


def flipud(tl: Language, x: Any) -> Term:
    return flip(tl, x, 0)


def fliplr(tl: Language, x: Any) -> Term:
    return flip(tl, x, 1)


def roll(tl: Language, x: Any, shift: Any, axis: Any) -> Term:
    """Each element moved by `shift` places, from the end to the beginning; without an axis, in row-major order."""
    array = tl.array(x)
    if axis is None:
        flat = _rolled(tl, ravel(tl, array), shift, 0)
        return Term(tl.t, reshaped(tl.t, tl.array(flat).value, array.dims))
    shifts, axes = (each if isinstance(each, tuple) else (each,) for each in (shift, axis))
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise tl.t.error(
            f"{len(shifts)} shifts for {len(axes)} axes", "give one shift, or one for each axis", ShapeMismatch
        )
    count = max(len(shifts), len(axes))
    for each, along in zip(shifts * (count // len(shifts)), axes * (count // len(axes)), strict=True):
        array = _rolled(tl, array, each, array_arguments.axis(tl.t, as_value(along), array.rank))
    return array


def _rolled(tl: Language, x: Term, shift: Any, axis: int) -> Term:
    builder, size = tl.t.builder, x.dims[axis]
    shifts = shift if isinstance(shift, tuple) else (shift,)
    for each in shifts:
        places = Term(tl.t, tl.t.integer(as_value(each), "the shift"))
        cut = array_arguments.integer_argument(tl.t, (-places % tl.maximum(size, 1)).value, "the shift")
        first = bounds.minimum(builder, bounds.maximum_with_zero(builder, cut), size)
        x = tl.concat((x.part(axis, first, size - first), x.part(axis, Affine(0), first)), axis=axis)
    return x


def diff(tl: Language, x: Any, n: Any, axis: Any, prepend: Any, append: Any) -> Term:
    """Differences of neighbours, `n` times; of bools, whether they differ."""
    array = tl.array(x)
    along = array_arguments.axis(tl.t, as_value(axis), array.rank)
    ends = [None if each is None else _as_end(tl, tl.listed(each), array.dims, along) for each in (prepend, append)]
    parts = [each for each in (ends[0], array, ends[1]) if each is not None]
    array = tl.concat(tuple(parts), axis=along) if len(parts) > 1 else array
    times = tl.constant(n, "the order of differences")
    if not 0 <= times <= MOST_DIFFERENCES:
        raise tl.t.error(f"differences of order {times}", f"use an order from 0 to {MOST_DIFFERENCES}")
    builder = tl.t.builder
    for _ in range(times):
        size = array.dims[along]
        rest = bounds.maximum_with_zero(builder, size - 1)
        upper = array.part(along, bounds.minimum(builder, size, Affine(1)), rest)
        lower = array.part(along, Affine(0), rest)
        array = (upper ^ lower if array.dtype.is_bool else upper - lower).held()
    return array


def _as_end(tl: Language, end: Term, dims: tuple[Affine, ...], axis: int) -> Term:
    """The padding before or behind an axis: an array of the same rank, or one number for all."""
    return end if end.rank else end.broadcast((*dims[:axis], Affine(1), *dims[axis + 1 :]))


def ravel(tl: Language, x: Any, order: Any = "C") -> Term:
    """All elements in a row; in the order of columns, those of the transpose."""
    number = tl.number(x)
    if order not in ("C", "F"):
        raise tl.t.error("the order of elements is not known", "write order='C' for rows first, or order='F'")
    number = tl.transpose(number) if order == "F" and number.rank > 1 else number
    return tl.reshape(number, -1) if number.rank else number.with_axes((0,))


def expand_dims(tl: Language, x: Any, axis: Any) -> Term:
    number = tl.number(x)
    count = len(axis) if isinstance(axis, tuple) else 1
    return number.with_axes(axes_of(tl, axis, number.rank + count))


def squeeze(tl: Language, x: Any, axis: Any) -> Term:
    """Without axes of size 1: those named, else all whose size is known when compiling to be 1."""
    array = tl.array(x)
    if axis is None:
        if not all(size.is_constant for size in array.dims):
            raise tl.t.error(
                "which axes have size 1 is not known when compiling", "name them: tl.squeeze(x, axis=0)", ShapeMismatch
            )
        dropped = tuple(each for each, size in enumerate(array.dims) if size == Affine(1))
    else:
        dropped = axes_of(tl, axis, array.rank)
    for each in dropped:
        broadcasting.same_size(tl.t, array.dims[each], Affine(1), each)
    kept = [size for each, size in enumerate(array.dims) if each not in dropped]
    if not kept:
        return tl.reshape(array, -1).at(0, 0)
    return Term(tl.t, reshaped(tl.t, array.value, kept))


def swapaxes(tl: Language, x: Any, axis1: Any, axis2: Any) -> Term:
    array = tl.array(x)
    order = list(range(array.rank))
    first, second = (array_arguments.axis(tl.t, as_value(each), array.rank) for each in (axis1, axis2))
    order[first], order[second] = order[second], order[first]
    return tl.transpose(array, tuple(order))


def moveaxis(tl: Language, x: Any, source: Any, destination: Any) -> Term:
    array = tl.array(x)
    old, new = (axes_of(tl, each, array.rank) for each in (source, destination))
    if len(old) != len(new):
        raise tl.t.error(f"{len(old)} axes for {len(new)} places", "name as many places as axes", ShapeMismatch)
    order = [each for each in range(array.rank) if each not in old]
    for place, each in sorted(zip(new, old, strict=True)):
        order.insert(place, each)
    return tl.transpose(array, tuple(order))


def matrix_transpose(tl: Language, x: Any) -> Term:
    array = tl.array(x)
    if array.rank < 2:
        raise tl.t.error("tl.matrix_transpose of a vector", "use a matrix, as in x[:, None]", ShapeMismatch)
    return swapaxes(tl, array, -1, -2)


def shape(tl: Language, x: Any) -> tuple[Affine, ...]:
    return tl.listed(x).dims


def ndim(tl: Language, x: Any) -> int:
    return tl.listed(x).rank


def size(tl: Language, x: Any, axis: Any) -> Affine:
    """The number of all elements, or of those along axes."""
    dims = tl.listed(x).dims
    return product(tl.t, [dims[each] for each in axes_of(tl, axis, len(dims))])
