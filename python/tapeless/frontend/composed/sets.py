"""Which elements there are: `unique`, `isin`."""

from __future__ import annotations

from typing import Any

from tapeless.frontend.arrays.reshaping import reshaped
from tapeless.frontend.composed.moving import ravel
from tapeless.frontend.composed.searching import flatnonzero, searchsorted, take
from tapeless.frontend.composed.terms import Language, Term, as_value
from tapeless.frontend.values import bounds, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.types import bool_


def unique(
    tl: Language, x: Any, return_index: Any, return_inverse: Any, return_counts: Any, axis: Any, *, equal_nan: Any
) -> Any:
    """The elements in order, each once; where each is first, which one every element is, how often each occurs."""
    array = tl.array(x)
    if axis is not None:
        raise tl.t.error(
            "tl.unique of parts of an array",
            "leave 'axis' out, or write x[tl.unique(keys, return_index=True)[1]], where keys has a number of its own "
            "for each row, as x[:, 0] * 1000 + x[:, 1] has for integers below 1000",
        )
    flat = ravel(tl, array).held()
    order = tl.argsort(flat).held()
    values = take(tl, flat, order, 0).held()
    is_first = _is_first(tl, values, nan_is_one=tl.t.flag(as_value(equal_nan), "equal_nan")).held()
    firsts = flatnonzero(tl, is_first).held()
    found = [take(tl, values, firsts, 0)]
    if tl.t.flag(as_value(return_index), "return_index"):
        found.append(take(tl, order, firsts, 0))
    if tl.t.flag(as_value(return_inverse), "return_inverse"):
        numbers = tl.scatter(tl.zeros_like(order), order, tl.cumsum(is_first) - 1)
        found.append(Term(tl.t, reshaped(tl.t, tl.t.array(numbers.value), array.dims)))
    if tl.t.flag(as_value(return_counts), "return_counts"):
        found.append(tl.diff(tl.append(firsts, flat.size(0))))
    return found[0] if len(found) == 1 else tuple(found)


def _is_first(tl: Language, values: Term, *, nan_is_one: bool) -> Term:
    """Whether a sorted element differs from the one before it."""
    size = values.dims[0]
    rest = bounds.maximum_with_zero(tl.t.builder, size - 1)
    one = bounds.minimum(tl.t.builder, size, Affine(1))
    left, right = values.part(0, Affine(0), rest), values.part(0, one, rest)
    differs = right.differs(left)
    if nan_is_one and values.dtype.is_float:
        differs = differs & ~(tl.isnan(left) & tl.isnan(right))
    return tl.concat((tl.ones(one, bool_), differs))


def isin(tl: Language, x: Any, y: Any, *, invert: Any) -> Term:
    """Whether each element is one of others: a binary search in these, sorted."""
    number, others = tl.listed(x), ravel(tl, tl.listed(y))
    dtype, _ = promotion.common([(each.dtype, False) for each in (number, others)])
    number, others = (tl.astype(each, dtype).held() for each in (number, others))
    ordered = tl.sort(others).held()
    places = searchsorted(tl, ordered, number, "left").held()
    beside = take(tl, tl.concat((ordered, tl.zeros(1, dtype))), places, 0)
    found = beside.equals(number) & (places < ordered.size(0))
    return ~found if tl.t.flag(as_value(invert), "invert") else found
