"""Reductions that leave NaN out: `nansum`, `nanmean`, `nanmax` and their kin."""

from __future__ import annotations

import math
from typing import Any

from tapeless.frontend.composed.terms import Language, Term
from tapeless.frontend.values import promotion


def _is_missing(tl: Language, x: Term) -> Term | None:
    """Where there is NaN; None for integers and bools, which have none."""
    return tl.isnan(x) if x.dtype.is_float else None


def _filled(tl: Language, x: Any, value: float) -> Term:
    number = tl.number(x).held()
    missing = _is_missing(tl, number)
    return number if missing is None else tl.where(missing, value, number)


def _count(tl: Language, x: Term, axis: Any, keepdims: Any) -> Term:
    """How many elements are numbers."""
    missing = _is_missing(tl, x)
    present = tl.ones_like(x) if missing is None else tl.astype(~missing, x.dtype)
    return tl.sum(present, axis=axis, keepdims=keepdims)


def nansum(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    return tl.sum(_filled(tl, x, 0.0), axis=axis, keepdims=keepdims)


def nanprod(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    return tl.prod(_filled(tl, x, 1.0), axis=axis, keepdims=keepdims)


def nanmax(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    return _extreme(tl, x, -math.inf, "max", axis, keepdims)


def nanmin(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    return _extreme(tl, x, math.inf, "min", axis, keepdims)


def _extreme(tl: Language, x: Any, neutral: float, operator: str, axis: Any, keepdims: Any) -> Term:
    """NaN only where all elements are."""
    number = tl.number(x).held()
    found = getattr(tl, operator)(_filled(tl, number, neutral), axis=axis, keepdims=keepdims)
    missing = _is_missing(tl, number)
    return found if missing is None else tl.where(tl.all(missing, axis=axis, keepdims=keepdims), math.nan, found)


def nanmean(tl: Language, x: Any, axis: Any, *, keepdims: Any) -> Term:
    number = tl.number(x)
    number = tl.astype(number, promotion.floating(number.dtype)).held()
    return nansum(tl, number, axis, keepdims=keepdims) / _count(tl, number, axis, keepdims)


def nanvar(tl: Language, x: Any, axis: Any, *, ddof: Any, keepdims: Any) -> Term:
    """NaN where fewer elements than `ddof` and one are numbers."""
    number = tl.number(x)
    number = tl.astype(number, promotion.floating(number.dtype)).held()
    distances = _filled(tl, number - nanmean(tl, number, axis, keepdims=True), 0.0).held()
    total = tl.sum(distances * distances, axis=axis, keepdims=keepdims)
    freedom = _count(tl, number, axis, keepdims) - tl.number(ddof)
    return tl.where(freedom > 0, total / tl.where(freedom > 0, freedom, 1.0), math.nan)


def nanstd(tl: Language, x: Any, axis: Any, *, ddof: Any, keepdims: Any) -> Term:
    return tl.sqrt(nanvar(tl, x, axis, ddof=ddof, keepdims=keepdims))
