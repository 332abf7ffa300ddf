"""Means and spreads: `var`, `std`, `average`, `median`, `quantile`, `ptp`, `cov`, `corrcoef`."""

from __future__ import annotations

import math
from typing import Any

from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.arrays.reshaping import product
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.operators.kept_axes import merged
from tapeless.frontend.values import bounds, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.types import i64


def python_sum(tl: Language, x: Any, start: Any, *, axis: Any, keepdims: Any) -> Term:
    """Python's `sum`: of a list the sum of its items, of an array that of all its elements."""
    total = tl.number(start)
    if not isinstance(x, tuple):
        found = tl.sum(x, axis=axis, keepdims=keepdims)
        return found if not total.rank and total.value.literal == 0 else found + total
    if axis is not None or tl.t.flag(as_value(keepdims), "keepdims"):
        return tl.sum(x, axis=axis, keepdims=keepdims) + total
    for item in x:
        total = total + tl.number(item)
    return total


def axes_of(tl: Language, axis: Any, rank: int) -> tuple[int, ...]:
    """The axes that an argument names: all for None."""
    if axis is None:
        return tuple(range(rank))
    return array_arguments.axes(tl.t, as_value(axis), rank)


def var(tl: Language, x: Any, axis: Any, *, ddof: Any, keepdims: Any, correction: Any) -> Term:
    """The sum of squared distances from the mean, divided by their number less `ddof`, or `correction`."""
    if correction is not None:
        if tl.number(ddof).value.literal != 0:
            raise tl.t.error("both 'ddof' and 'correction' are given", "give one of them")
        ddof = correction
    number = tl.number(x).held()
    axes = axes_of(tl, axis, number.rank)
    distances = number - tl.mean(number, axis=axes, keepdims=True)
    count = tl.number(product(tl.t, [number.dims[each] for each in axes]))
    total = tl.sum(distances * distances, axis=axes, keepdims=keepdims)
    return total / tl.maximum(count - tl.number(ddof), 0)


def std(tl: Language, x: Any, axis: Any, *, ddof: Any, keepdims: Any, correction: Any) -> Term:
    return tl.sqrt(var(tl, x, axis, ddof=ddof, keepdims=keepdims, correction=correction))


def average(tl: Language, x: Any, axis: Any, weights: Any, *, keepdims: Any) -> Term:
    """The mean, where each element counts as much as its weight says."""
    if weights is None:
        return tl.mean(x, axis=axis, keepdims=keepdims)
    number = tl.array(x)
    weight = _aligned_weights(tl, number, axis, tl.array(weights, "the weights"))
    weight = tl.astype(weight, promotion.floating(weight.dtype)).held()
    total = tl.sum(weight, axis=axis, keepdims=keepdims)
    is_none = tl.any(total.equals(0))
    tl.require(~is_none, "the weights sum to zero; use weights that do not")
    return tl.sum(number * weight, axis=axis, keepdims=keepdims) / total


def _aligned_weights(tl: Language, x: Term, axis: Any, weight: Term) -> Term:
    """Weights of the shape of `x`: of that shape already, or of the shape of its axes that are averaged, in order."""
    axes = tuple(range(x.rank)) if weight.rank == x.rank else axes_of(tl, axis, x.rank)
    if len(axes) != weight.rank or (axis is None and weight.rank != x.rank):
        raise tl.t.error(
            f"weights of rank {weight.rank} for an array of rank {x.rank}",
            "give weights of the shape of the array, or a vector of them and the axis that they belong to",
            ShapeMismatch,
        )
    for size, each in zip(weight.dims, axes, strict=True):
        broadcasting.same_size(tl.t, x.dims[each], size, each)
    order = tuple(sorted(range(weight.rank), key=lambda position: axes[position]))
    ordered = tl.transpose(weight, order)
    return ordered.with_axes(tuple(each for each in range(x.rank) if each not in axes)).broadcast(x.dims)


def median(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    """The mean of the one or two elements in the middle; NaN where there is NaN, or no element."""
    number = tl.number(x)
    if not number.rank:
        return tl.astype(number, promotion.floating(number.dtype))
    axes = axes_of(tl, axis, number.rank)
    ordered = tl.sort(merged(tl.t, tl.array(number).value, axes), axis=-1)
    along, size = ordered.rank - 1, ordered.dims[-1]
    builder = tl.t.builder
    lower, upper = (
        array_arguments.integer_argument(tl.t, (tl.number(each) // 2).value, "a half") for each in (size + 1, size)
    )
    start = bounds.maximum_with_zero(builder, lower - 1)
    stop = bounds.minimum(builder, upper + 1, size)
    middle = tl.mean(ordered.part(along, start, bounds.maximum_with_zero(builder, stop - start)), axis=along)
    last = ordered.part(along, bounds.maximum_with_zero(builder, size - 1), bounds.minimum(builder, size, Affine(1)))
    result = tl.where(tl.any(tl.isnan(last), axis=along), math.nan, middle)
    return result.with_axes(axes) if tl.t.flag(as_value(keepdims), "keepdims") else result


def quantile(tl: Language, x: Any, q: Any, axis: Any, *, keepdims: Any) -> Term:
    """Where a share q of the elements is below, by lines between neighbours; NaN where there is NaN."""
    number, share = tl.array(x), tl.number(q)
    number, share = (tl.astype(each, promotion.floating(each.dtype)).held() for each in (number, share))
    if share.rank > 1 or (share.rank and tl.t.flag(as_value(keepdims), "keepdims")):
        raise tl.t.error(
            f"shares of rank {share.rank}", "give one share, or a vector without 'keepdims'", ShapeMismatch
        )
    tl.require(tl.all((share >= 0) & (share <= 1)), "a quantile is for shares from 0 to 1")
    axes = axes_of(tl, axis, number.rank)
    ordered = tl.sort(merged(tl.t, number.value, axes), axis=-1).held()
    last = ordered.size(ordered.rank - 1) - 1
    tl.require(last >= 0, "a quantile of no elements; give at least one")
    place = share * last
    below = tl.minimum(tl.astype(tl.floor(place), i64), last)
    low, high = (tl.take(ordered, each, axis=-1) for each in (below, tl.minimum(below + 1, last)))
    found = low + (high - low) * (place - below)
    is_none = tl.any(tl.isnan(ordered), axis=-1)
    found = tl.where(is_none.with_axes((is_none.rank,)) if share.rank else is_none, math.nan, found)
    if share.rank:
        return tl.moveaxis(found, -1, 0)
    return found.with_axes(axes) if tl.t.flag(as_value(keepdims), "keepdims") else found


def percentile(tl: Language, x: Any, q: Any, axis: Any, *, keepdims: Any) -> Term:
    return quantile(tl, x, tl.number(q) / 100.0, axis, keepdims=keepdims)


def ptp(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    """The largest element less the smallest."""
    return tl.max(x, axis=axis, keepdims=keepdims) - tl.min(x, axis=axis, keepdims=keepdims)


def count_nonzero(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    return tl.sum(tl.number(x).differs(0), axis=axis, keepdims=keepdims)


def cov(tl: Language, m: Any, *, rowvar: Any, ddof: Any) -> Term:
    """The covariances of the rows, or with `rowvar=False` of the columns; of a vector its variance."""
    rows = tl.array(m)
    if rows.rank not in (1, 2):
        raise tl.t.error(f"covariances of an array of rank {rows.rank}", "give a matrix or a vector", ShapeMismatch)
    rows = tl.array(tl.astype(rows, promotion.floating(rows.dtype)))
    if rows.rank == 2 and not tl.t.flag(as_value(rowvar), "rowvar"):
        rows = tl.array(tl.transpose(rows))
    distances = (rows - tl.mean(rows, axis=-1, keepdims=True)).held()
    products = tl.dot(distances, distances) if rows.rank == 1 else tl.matmul(distances, tl.transpose(distances))
    return products / (rows.size(rows.rank - 1) - tl.number(ddof))


def corrcoef(tl: Language, m: Any, *, rowvar: Any) -> Term:
    """Covariances divided by both deviations, of a vector 1; rounding leaves them within -1 and 1."""
    covariances = cov(tl, m, rowvar=rowvar, ddof=1).held()
    if not covariances.rank:
        return covariances / covariances
    deviations = tl.sqrt(tl.diagonal(covariances)).held()
    return tl.clip(covariances / deviations.with_axes((1,)) / deviations, -1.0, 1.0)
