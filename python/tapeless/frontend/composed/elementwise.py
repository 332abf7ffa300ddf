"""Functions of numbers under the names that numpy has for them."""

from __future__ import annotations

import math
from typing import Any

from tapeless.frontend.composed.terms import Language, Term
from tapeless.frontend.elementwise import functions
from tapeless.frontend.values import promotion


def square(tl: Language, x: Any) -> Term:
    number = tl.number(x)
    return number * number


def reciprocal(tl: Language, x: Any) -> Term:
    number = tl.number(x)
    if not number.dtype.is_float:
        raise tl.t.error("tl.reciprocal of integers has no fraction", "write 1.0 / x")
    return 1.0 / number


def round_(tl: Language, x: Any, decimals: Any) -> Term:
    """The nearest number with so many decimals: a whole number of powers of ten, as numpy rounds."""
    number, places = tl.number(x), tl.constant(decimals, "the number of decimals")
    if not places or (not number.dtype.is_float and places > 0):
        return Term(tl.t, _rounded(tl.t, number.value))
    scale = 10.0 ** abs(places)
    scaled = number * scale if places > 0 else number / scale
    nearest = Term(tl.t, _rounded(tl.t, scaled.value))
    result = nearest / scale if places > 0 else nearest * scale
    return result if number.dtype.is_float else tl.astype(result, number.dtype)


_rounded = functions.elementwise(functions.FUNCTIONS["round"])


def relu(tl: Language, x: Any) -> Term:
    """The derivative at 0 is 0, and NaN stays."""
    number = tl.number(x)
    return tl.where(number <= 0, 0, number)


def heaviside(tl: Language, x: Any, at_zero: Any) -> Term:
    number = tl.number(x)
    number = tl.astype(number, promotion.floating(number.dtype))
    steps = tl.where(number > 0, 1.0, tl.where(number < 0, 0.0, math.nan))
    return tl.where(number.equals(0), at_zero, steps)


def logaddexp(tl: Language, x: Any, y: Any) -> Term:
    """The larger and `softplus` of the distance, a formula whose derivatives are right at equal numbers, too."""
    left, right = (tl.astype(each, promotion.floating(each.dtype)) for each in (tl.number(x), tl.number(y)))
    is_left = left > right
    high, low = tl.where(is_left, left, right), tl.where(is_left, right, left)
    are_same = high.equals(low) & isinf(tl, high)
    return high + tl.softplus(tl.where(are_same, 0.0, low - high))


def mod(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) % tl.number(y)


def floor_divide(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) // tl.number(y)


def divmod_(tl: Language, x: Any, y: Any) -> tuple[Term, Term]:
    return floor_divide(tl, x, y), mod(tl, x, y)


def degrees(tl: Language, x: Any) -> Term:
    return tl.number(x) * (180.0 / math.pi)


def radians(tl: Language, x: Any) -> Term:
    return tl.number(x) * (math.pi / 180.0)


def isinf(tl: Language, x: Any) -> Term:
    return tl.abs(x).equals(math.inf)


def fabs(tl: Language, x: Any) -> Term:
    number = tl.number(x)
    return tl.abs(tl.astype(number, promotion.floating(number.dtype)))


def fmin(tl: Language, x: Any, y: Any) -> Term:
    """NaN only if both are."""
    return tl.where(tl.isnan(x), y, tl.where(tl.isnan(y), x, tl.minimum(x, y)))


def fmax(tl: Language, x: Any, y: Any) -> Term:
    """NaN only if both are."""
    return tl.where(tl.isnan(x), y, tl.where(tl.isnan(y), x, tl.maximum(x, y)))


def clip(tl: Language, x: Any, a_min: Any, a_max: Any, *, min: Any, max: Any) -> Term:
    number = tl.number(x)
    low, high = (given if given is not None else other for given, other in ((a_min, min), (a_max, max)))
    if low is not None:
        number = tl.maximum(number, low)
    return number if high is None else tl.minimum(number, high)


def truth(tl: Language, x: Any) -> Term:
    """Whether a number is not 0; NaN is not."""
    number = tl.number(x)
    return number if number.dtype.is_bool else number.differs(0)


def logical_and(tl: Language, x: Any, y: Any) -> Term:
    return truth(tl, x) & truth(tl, y)


def logical_or(tl: Language, x: Any, y: Any) -> Term:
    return truth(tl, x) | truth(tl, y)


def logical_xor(tl: Language, x: Any, y: Any) -> Term:
    return truth(tl, x) ^ truth(tl, y)


def logical_not(tl: Language, x: Any) -> Term:
    return ~truth(tl, x)


def add(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) + tl.number(y)


def subtract(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) - tl.number(y)


def multiply(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) * tl.number(y)


def divide(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) / tl.number(y)


def negative(tl: Language, x: Any) -> Term:
    return -tl.number(x)
