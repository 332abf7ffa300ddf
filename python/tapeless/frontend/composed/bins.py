"""Numbers sorted into bins: `digitize`, `histogram`."""

from __future__ import annotations

from typing import Any

from tapeless import lang
from tapeless.errors import ShapeMismatch
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.searching import searchsorted, take
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.values import bounds, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.types import f64, i64


def digitize(tl: Language, x: Any, bins: Any, right: Any) -> Term:
    """How many edges are below each number; of falling edges, how many are above."""
    number, edges = tl.listed(x), tl.array(tl.listed(bins)).held()
    if edges.rank != 1:
        raise tl.t.error("tl.digitize takes a vector of edges", "use an array of rank 1", ShapeMismatch)
    steps = tl.diff(edges).held()
    rises, falls = tl.all(steps >= 0), tl.all(steps <= 0)
    tl.require(rises | falls, "the edges of tl.digitize neither rise nor fall; sort them")
    is_right = tl.t.flag(as_value(right), "right")
    side = "left" if is_right else "right"
    backwards = edges.size(0) - searchsorted(tl, tl.flip(edges), number, side)
    return tl.where(rises, searchsorted(tl, edges, number, side), backwards)


def histogram(tl: Language, x: Any, bins: Any, range: Any, density: Any, weights: Any) -> tuple[Term, Term]:
    """How many numbers each bin holds, or the sum of their weights, and the edges of the bins."""
    array = tl.array(tl.listed(x))
    numbers = ravel(tl, array).held()
    edges = _edges(tl, numbers, bins, range).held()
    amounts = tl.full(numbers.size(0), 1, i64)
    if weights is not None:
        given = tl.array(tl.listed(weights), "the weights")
        if given.rank != array.rank:
            raise tl.t.error("weights of another shape than the numbers", "give one for each number", ShapeMismatch)
        for axis, sizes in enumerate(zip(array.dims, given.dims, strict=True)):
            broadcasting.same_size(tl.t, *sizes, axis)
        amounts = ravel(tl, given)
    count = edges.size(0) - 1
    place = searchsorted(tl, edges, numbers, "right")
    is_last = numbers.equals(take(tl, edges, -1, 0))
    keys = tl.where(is_last, count, place) - 1
    keys = tl.where(keys < count, keys, -1)
    counts = tl.hist(lang.OPERATORS["add"], 0, tl.zeros(count, amounts.dtype), keys, amounts)
    if not tl.t.flag(as_value(density), "density"):
        return counts, edges
    return counts / tl.diff(edges) / tl.sum(counts), edges


def _edges(tl: Language, numbers: Term, bins: Any, span: Any) -> Term:
    """Edges that are given, or equal steps between two limits, by default the extremes."""
    if isinstance(bins, str):
        raise tl.t.error(f"the rule '{bins}' for a number of bins", "give their number, or their edges")
    given = tl.listed(bins)
    if given.rank:
        tl.require(tl.all(tl.diff(given) >= 0), "the edges of tl.histogram do not rise; sort them")
        return given
    tl.require(given > 0, "a histogram without bins; give at least one")
    if span is None:
        low, high = _extremes(tl, numbers)
    elif isinstance(span, tuple) and len(span) == 2:
        low, high = (tl.astype(tl.number(each), f64) for each in span)
        tl.require(low <= high, "the limits of a histogram fall; give the lower one first")
    else:
        raise tl.t.error("the limits of a histogram are no pair", "write range=(low, high)")
    is_point = low.equals(high)
    low, high = tl.where(is_point, low - 0.5, low), tl.where(is_point, high + 0.5, high)
    return tl.linspace(low, high, given + 1)


def _extremes(tl: Language, numbers: Term) -> tuple[Term, Term]:
    """The smallest and the largest number, of nothing 0 and 1; edges are constants to differentiation."""
    floats = tl.astype(numbers, promotion.floating(numbers.dtype))
    none = bounds.maximum_with_zero(tl.t.builder, Affine(1) - numbers.dims[0])
    filled = [tl.stop_gradient(tl.concat((floats, tl.full(none, each, floats.dtype)))) for each in (0.0, 1.0)]
    tl.require(tl.all(tl.isfinite(floats)), "a histogram of numbers that are not finite; give its range")
    return tl.min(filled[0]), tl.max(filled[1])
