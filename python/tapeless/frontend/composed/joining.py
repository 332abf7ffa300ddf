"""Arrays made of others: repeated, padded, cut, from nested lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tapeless import lang
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.arrays.reshaping import reshaped
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.searching import take
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import bounds
from tapeless.frontend.values.affine import Affine
from tapeless.types import i64


def array(tl: Language, items: Any, dtype: Any) -> Term:
    """Numbers and arrays in nested tuples or lists, stacked."""
    found = _stacked(tl, items)
    return found if dtype is None else tl.astype(found, dtype)


def _stacked(tl: Language, items: Any) -> Term:
    if isinstance(items, Term):
        return items
    if not isinstance(items, tuple) or not items:
        raise tl.t.error("tl.array takes numbers and arrays", "write np.array([a, b])", TypeMismatch)
    return tl.stack(tuple(_stacked(tl, item) for item in items))


def append(tl: Language, x: Any, values: Any, axis: Any) -> Term:
    if axis is None:
        return tl.concat((ravel(tl, x), ravel(tl, values)))
    return tl.concat((x, values), axis=axis)


def tile(tl: Language, x: Any, reps: Any) -> Term:
    """The whole repeated along axes; numbers of repetitions belong to the last axes."""
    number = tl.number(x)
    counts = [array_arguments.size(tl.t, as_value(each)) for each in (reps if isinstance(reps, tuple) else (reps,))]
    rank = max(len(counts), number.rank)
    counts = [Affine(1)] * (rank - len(counts)) + counts
    number = number.with_axes(tuple(range(rank - number.rank)))
    for axis, count in enumerate(counts):
        if count != Affine(1):
            number = _repeated(tl, number, count, axis, axis)
    return number


def repeat(tl: Language, x: Any, repeats: Any, axis: Any) -> Term:
    """Each element as often as a number says, one for all or one for each."""
    number = ravel(tl, x) if axis is None else tl.array(x)
    along = 0 if axis is None else array_arguments.axis(tl.t, as_value(axis), number.rank)
    counts = tl.listed(repeats)
    if counts.rank == 1 and counts.dims[0] == Affine(1):
        repeats = counts = counts.at(0, 0)
    if counts.rank:
        return take(tl, number, _repeated_places(tl, counts.held(), number.dims[along], along), along, "raise")
    return _repeated(tl, number, array_arguments.size(tl.t, as_value(repeats)), along, along + 1)


def _repeated_places(tl: Language, counts: Term, size: Affine, axis: int) -> Term:
    """For each element of the result its place in the array: how many runs of repetitions end before it."""
    if counts.rank != 1 or counts.dtype.is_float or counts.dtype.is_bool:
        raise tl.t.error("the repetitions are no vector of integers", "give one integer for each element", TypeMismatch)
    broadcasting.same_size(tl.t, size, counts.dims[0], axis, instead="give one number of repetitions for each element")
    tl.require(tl.all(counts >= 0), "an element is repeated less than 0 times; use counts from 0 on")
    counts = tl.astype(counts, i64).held()
    ends = tl.zeros(tl.sum(counts), i64)
    return tl.cumsum(tl.hist(lang.add, 0, ends, tl.cumsum(counts), tl.ones_like(counts)))


def _repeated(tl: Language, x: Term, count: Affine, axis: int, place: int) -> Term:
    """The elements of an axis `count` times, where the repetitions are a new axis at a place beside it."""
    dims = list(x.dims)
    merged = bounds.product(tl.t.builder, count, dims[axis])
    wide = x.with_axes((place,)).broadcast((*dims[:place], count, *dims[place:]))
    return Term(tl.t, reshaped(tl.t, tl.array(wide).value, [*dims[:axis], merged, *dims[axis + 1 :]]))


def pad(tl: Language, x: Any, pad_width: Any, mode: Any, constant_values: Any) -> Term:
    """A border of one value, or of elements of the array."""
    array = tl.array(x)
    widths = _pairs(tl, pad_width, array.rank)
    if mode != "constant":
        if mode not in PLACES:
            raise tl.t.error(
                "tl.pad does not know this mode", f"use 'constant', {', '.join(map(repr, PLACES))}, or tl.concat"
            )
        for axis, pair in enumerate(widths):
            array = _extended(tl, array, axis, pair, PLACES[mode])
        return array
    for axis, (pair, values) in enumerate(zip(widths, _pairs(tl, constant_values, array.rank), strict=True)):
        borders = []
        for width, value in zip(pair, values, strict=True):
            fill = tl.t.scalar(as_value(value), "the value of the border")
            if fill.dtype.is_float and not array.dtype.is_float:
                raise tl.t.error("a border of floats for integers", "convert the array with tl.astype", TypeMismatch)
            dims = list(array.dims)
            dims[axis] = array_arguments.size(tl.t, as_value(width))
            borders.append(Term(tl.t, whole_arrays.filled(tl.t, dims, fill, array.dtype)))
        array = tl.concat((borders[0], array, borders[1]), axis=axis)
    return array


def _reflected(tl: Language, place: Term, size: Term) -> Term:
    period = tl.maximum((size - 1) * 2, 1)
    return tl.minimum(place % period, period - place % period)


def _mirrored(tl: Language, place: Term, size: Term) -> Term:
    period = tl.maximum(size * 2, 1)
    return tl.minimum(place % period, period - 1 - place % period)


# Which element stands at a place, which may lie before or behind an axis of a size.
PLACES: dict[str, Callable[[Language, Term, Term], Term]] = {
    "edge": lambda tl, place, size: tl.maximum(tl.minimum(place, size - 1), 0),
    "reflect": _reflected,
    "symmetric": _mirrored,
    "wrap": lambda tl, place, size: place % tl.maximum(size, 1),
}


def _extended(
    tl: Language, x: Term, axis: int, widths: tuple[Any, Any], element: Callable[[Language, Term, Term], Term]
) -> Term:
    before, after = (array_arguments.size(tl.t, as_value(width)) for width in widths)
    places = tl.iota(before + x.dims[axis] + after) - tl.number(before)
    return take(tl, x, element(tl, places, x.size(axis)), axis, "raise")


def _pairs(tl: Language, widths: Any, rank: int) -> list[tuple[Any, Any]]:
    """Before and after each axis: one number for all, one pair for all, or a pair for each axis."""
    items = widths if isinstance(widths, tuple) else (widths,)
    pairs = [items] if not any(isinstance(item, tuple) for item in items) else list(items)
    if all(isinstance(pair, tuple) and len(pair) in (1, 2) for pair in pairs) and len(pairs) in (1, rank):
        return [(pair[0], pair[-1]) for pair in (pairs * rank if len(pairs) == 1 else pairs)]
    raise tl.t.error(
        f"these borders do not fit an array of rank {rank}",
        "give a number, (before, after), or one such pair for each axis",
        ShapeMismatch,
    )


def split(tl: Language, x: Any, indices_or_sections: Any, axis: Any) -> tuple[Term, ...]:
    """Parts along an axis: so many equal ones, or those between some places."""
    array = tl.array(x)
    along = array_arguments.axis(tl.t, as_value(axis), array.rank)
    size = array.dims[along]
    if isinstance(indices_or_sections, tuple):
        places = [tl.constant(each, "a place to split at") for each in indices_or_sections]
        return _between(tl, array, along, [_place(tl, each, size) for each in places])
    count = _sections(tl, indices_or_sections)
    message = f"an axis is not split into {count} equal parts; use tl.array_split for parts that differ"
    tl.require((tl.number(size) % count).equals(0), message)
    return array_split(tl, array, count, along)


def array_split(tl: Language, x: Any, sections: Any, axis: Any) -> tuple[Term, ...]:
    """So many parts along an axis; the first ones have one element more where they differ."""
    array, count = tl.array(x), _sections(tl, sections)
    along = array_arguments.axis(tl.t, as_value(axis), array.rank)
    size = tl.number(array.dims[along])
    ends = [(size // count) * (k + 1) + tl.minimum(size % count, k + 1) for k in range(count - 1)]
    places = [array_arguments.integer_argument(tl.t, each.value, "a place") for each in ends]
    return _between(tl, array, along, places)


def _sections(tl: Language, given: Any) -> int:
    count = tl.constant(given, "the number of parts")
    if count < 1:
        raise tl.t.error(f"{count} parts of an array", "give at least one part")
    return count


def _place(tl: Language, place: int, size: Affine) -> Affine:
    """A place to split at, counted from the end if it is negative; all that is outside is an end."""
    if place < 0:
        return bounds.maximum_with_zero(tl.t.builder, size + place)
    return bounds.minimum(tl.t.builder, Affine(place), size)


def _between(tl: Language, x: Term, axis: int, places: list[Affine]) -> tuple[Term, ...]:
    pairs = zip([Affine(0), *places], [*places, x.dims[axis]], strict=True)
    return tuple(x.part(axis, low, bounds.maximum_with_zero(tl.t.builder, high - low)) for low, high in pairs)
