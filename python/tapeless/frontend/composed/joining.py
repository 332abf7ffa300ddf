"""Arrays made of others: stacked as numpy has it, repeated, padded, from nested lists."""

from __future__ import annotations

from typing import Any

from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.arrays.reshaping import reshaped
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.values import bounds
from tapeless.frontend.values.affine import Affine


def _parts(tl: Language, arrays: Any, name: str) -> list[Term]:
    """The arrays of a tuple, or the rows of one array."""
    if isinstance(arrays, Term):
        array = tl.array(arrays)
        if not array.dims[0].is_constant:
            raise tl.t.error(f"tl.{name} of an array", f"write tl.{name}((a, b))", TypeMismatch)
        return [array.at(0, position) for position in range(array.dims[0].constant)]
    if not isinstance(arrays, tuple) or not arrays:
        raise tl.t.error(f"tl.{name} takes a tuple of arrays", f"write tl.{name}((a, b))", TypeMismatch)
    return [tl.number(each) for each in arrays]


def hstack(tl: Language, arrays: Any) -> Term:
    parts = [part if part.rank else ravel(tl, part) for part in _parts(tl, arrays, "hstack")]
    return tl.concat(tuple(parts), axis=0 if parts[0].rank == 1 else 1)


def vstack(tl: Language, arrays: Any) -> Term:
    parts = _parts(tl, arrays, "vstack")
    return tl.concat(tuple(part.with_axes(tuple(range(2 - part.rank))) for part in parts), axis=0)


def array(tl: Language, items: Any) -> Term:
    """Numbers and arrays in nested tuples or lists, stacked."""
    if isinstance(items, Term):
        return items
    if not isinstance(items, tuple) or not items:
        raise tl.t.error("tl.array takes numbers and arrays", "write np.array([a, b])", TypeMismatch)
    return tl.stack(tuple(array(tl, item) for item in items))


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
    """Each element as often as a number says."""
    if isinstance(repeats, tuple) or tl.number(repeats).rank:
        raise tl.t.error("the repetitions are an array", "give one number of repetitions for all", TypeMismatch)
    number = ravel(tl, x) if axis is None else tl.array(x)
    along = 0 if axis is None else array_arguments.axis(tl.t, as_value(axis), number.rank)
    return _repeated(tl, number, array_arguments.size(tl.t, as_value(repeats)), along, along + 1)


def _repeated(tl: Language, x: Term, count: Affine, axis: int, place: int) -> Term:
    """The elements of an axis `count` times, where the repetitions are a new axis at a place beside it."""
    dims = list(x.dims)
    merged = bounds.product(tl.t.builder, count, dims[axis])
    wide = x.with_axes((place,)).broadcast((*dims[:place], count, *dims[place:]))
    return Term(tl.t, reshaped(tl.t, tl.array(wide).value, [*dims[:axis], merged, *dims[axis + 1 :]]))


def pad(tl: Language, x: Any, pad_width: Any, mode: Any, constant_values: Any) -> Term:
    """A border of one value."""
    array = tl.array(x)
    if mode != "constant":
        raise tl.t.error("tl.pad knows only the mode 'constant'", "write mode='constant', or use tl.concat")
    fill = tl.t.scalar(as_value(constant_values), "the value of the border")
    if fill.dtype.is_float and not array.dtype.is_float:
        raise tl.t.error("a border of floats for integers", "convert the array with tl.astype", TypeMismatch)
    for axis, widths in enumerate(_pad_widths(tl, pad_width, array.rank)):
        borders = []
        for width in widths:
            dims = list(array.dims)
            dims[axis] = array_arguments.size(tl.t, as_value(width))
            borders.append(Term(tl.t, whole_arrays.filled(tl.t, dims, fill, array.dtype)))
        array = tl.concat((borders[0], array, borders[1]), axis=axis)
    return array


def _pad_widths(tl: Language, widths: Any, rank: int) -> list[tuple[Any, Any]]:
    """Before and after each axis: one number for all, one pair for all, or a pair for each axis."""
    items = widths if isinstance(widths, tuple) else (widths,)
    pairs = [items] if not any(isinstance(item, tuple) for item in items) else list(items)
    if all(isinstance(pair, tuple) and len(pair) in (1, 2) for pair in pairs) and len(pairs) in (1, rank):
        return [(pair[0], pair[-1]) for pair in (pairs * rank if len(pairs) == 1 else pairs)]
    raise tl.t.error(
        f"these widths do not fit an array of rank {rank}",
        "give a number, (before, after), or one such pair for each axis",
        ShapeMismatch,
    )
