"""Elements by their positions, and positions by elements: `take`, `nonzero`, `searchsorted`, `interp`, `bincount`."""

from __future__ import annotations

from typing import Any

from tapeless import lang
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.indexing import gathers
from tapeless.frontend.values.value import Value
from tapeless.types import f64, i64


def take(tl: Language, x: Any, indices: Any, axis: Any, mode: Any = "raise") -> Term:
    """The elements, or the parts along an axis, at some positions; positions outside are limited or go around."""
    array, places = tl.array(x), tl.listed(indices)
    along = 0 if axis is None else array_arguments.axis(tl.t, as_value(axis), array.rank)
    array = ravel(tl, array) if axis is None else array
    if mode not in ("raise", "clip", "wrap"):
        raise tl.t.error("the mode of tl.take is not known", "write mode='raise', mode='clip' or mode='wrap'")
    if mode == "clip":
        places = tl.maximum(tl.minimum(places, array.size(along) - 1), 0)
    elif mode == "wrap":
        places = places % tl.maximum(array.size(along), 1)
    if not places.rank:
        return _gathered(tl, array, places.with_axes((0,)), along).at(along, 0)
    return _gathered(tl, array, places, along)


def _gathered(tl: Language, x: Term, places: Term, axis: int) -> Term:
    others = [each for each in range(x.rank) if each != axis]
    found = Term(tl.t, _gather(tl, tl.transpose(x, (axis, *others)), places))
    count = places.rank
    rest = range(count, count + x.rank - 1)
    order = (*rest[:axis], *range(count), *rest[axis:])
    return tl.transpose(found, order)


def _gather(tl: Language, x: Term, places: Term) -> Value:
    return gathers.gather(tl.t, tl.array(x).value, [tl.array(places).value])


def where(tl: Language, condition: Any, x: Any, y: Any) -> Any:
    """numpy's `where`: one of two, or of a condition alone the places where it holds."""
    if x is None and y is None:
        return nonzero(tl, condition)
    if x is None or y is None:
        raise tl.t.error("np.where with one choice", "give two, or the condition alone for the places where it holds")
    return tl.where(condition, x, y)


def flatnonzero(tl: Language, x: Any) -> Term:
    """The places of the elements that are not zero: each is put where so many others are before it."""
    array = tl.array(x)
    holds = ravel(tl, array if array.dtype.is_bool else array.differs(0)).held()
    rank = tl.cumsum(holds).held()
    return tl.scatter(tl.zeros(tl.sum(holds), i64), tl.where(holds, rank - 1, -1), tl.iota(holds.size(0)))


def nonzero(tl: Language, x: Any) -> tuple[Term, ...]:
    """For each axis, where the elements that are not zero are."""
    array = tl.array(x)
    places, found = flatnonzero(tl, array).held(), []
    for axis in reversed(range(array.rank)):
        size = array.size(axis)
        found.append(places if not axis else (places % size).held())
        places = places if not axis else (places // size).held()
    return tuple(reversed(found))


def searchsorted(tl: Language, a: Any, v: Any, side: Any, sorter: Any = None) -> Term:
    """Where to insert numbers into a sorted vector: before elements that are equal, or after them."""
    sorted_, wanted = tl.array(a), tl.number(v)
    sorted_ = sorted_ if sorter is None else tl.array(take(tl, sorted_, sorter, 0))
    if sorted_.rank != 1 or side not in ("left", "right"):
        raise tl.t.error(
            "tl.searchsorted takes a sorted vector and a side", "write tl.searchsorted(v, x, side='left')", TypeMismatch
        )
    if not wanted.rank:
        is_before = sorted_ < wanted if side == "left" else sorted_ <= wanted
        is_last = tl.isnan(wanted)
        return tl.sum(is_before | (is_last & ~tl.isnan(sorted_) if side == "left" else is_last))
    flat = ravel(tl, wanted)
    return tl.reshape(_merged_places(tl, sorted_, flat, side), tuple(wanted.dims))


def _merged_places(tl: Language, a: Term, v: Term, side: str) -> Term:
    """How many elements of `a` come before each of `v` when both are sorted together, stably."""
    is_left = side == "left"
    order = tl.argsort(tl.concat((v, a) if is_left else (a, v)))
    count = v.size(0) if is_left else a.size(0)
    is_given = order >= count if is_left else order < count
    before = tl.cumsum(is_given)
    places = tl.scatter(tl.zeros_like(order), order, before)
    start = v.dims[0] - v.dims[0] if is_left else a.dims[0]
    return places.part(0, start, v.dims[0])


def interp(tl: Language, x: Any, xp: Any, fp: Any, left: Any, right: Any) -> Term:
    """The piecewise linear function through points, constant outside of them."""
    number = tl.number(x)
    points, values = tl.array(xp), tl.array(fp)
    if points.rank != 1 or values.rank != 1:
        raise tl.t.error("tl.interp takes vectors of points and values", "use arrays of rank 1", ShapeMismatch)
    size = broadcasting.same_size(tl.t, points.dims[0], values.dims[0], 0)
    array_arguments.size(tl.t, as_value(tl.number(size) - 1))
    number, points, values = (tl.astype(each, f64).held() for each in (number, points, values))
    last = tl.number(size) - 1
    lower = tl.minimum(tl.maximum(searchsorted(tl, points, number, "right") - 1, 0), tl.maximum(last - 1, 0))
    upper = tl.minimum(lower + 1, last)
    x0, x1, y0, y1 = (take(tl, each, place, None) for each in (points, values) for place in (lower, upper))
    gap = tl.where(x1.equals(x0), 1.0, x1 - x0)
    inside = (y1 - y0) / gap * (number - x0) + y0
    first, final = (take(tl, values, place, None) for place in (0, last))
    is_final = number.equals(take(tl, points, last, None)) | tl.number(size).equals(1)
    inside = tl.where(is_final, final, inside)
    beyond = tl.where(number > take(tl, points, last, None), final if right is None else right, inside)
    return tl.where(number < take(tl, points, 0, None), first if left is None else left, beyond)


def bincount(tl: Language, x: Any, weights: Any, minlength: Any) -> Term:
    """How often each integer occurs, or the sum of the weights that go with it."""
    keys = tl.array(x)
    if keys.rank != 1 or not keys.dtype.is_int:
        raise tl.t.error("tl.bincount takes a vector of integers", "convert it with tl.astype(x, tl.i64)", TypeMismatch)
    tl.require(tl.all(keys >= 0), "tl.bincount of negative integers; use integers from 0 on")
    largest = tl.max(tl.concat((keys, tl.full(1, -1))))
    count = tl.maximum(largest + 1, minlength)
    amounts = tl.full(keys.size(0), 1, i64) if weights is None else tl.astype(weights, f64)
    return tl.hist(lang.add, 0, tl.zeros(count, amounts.dtype), keys, amounts)
