"""Functions of numbers under the names that numpy has for them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

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
    number, middle = tl.floats(x, at_zero)
    low, high, neither = (tl.astype(each, number.dtype) for each in (0.0, 1.0, math.nan))
    steps = tl.where(number > 0, high, tl.where(number < 0, low, neither))
    return tl.where(number.equals(0), middle, steps)


def logaddexp(tl: Language, x: Any, y: Any) -> Term:
    """The larger and `softplus` of the distance, a formula whose derivatives are right at equal numbers, too."""
    left, right = tl.floats(x, y)
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


def nan_to_num(tl: Language, x: Any, nan: Any, posinf: Any, neginf: Any) -> Term:
    """Other numbers in place of NaN and of both infinities: by default 0 and the largest and smallest there are."""
    number = tl.number(x)
    if not number.dtype.is_float:
        return number
    largest = float(np.finfo(number.dtype.numpy).max)
    high, low = (largest if posinf is None else posinf), (-largest if neginf is None else neginf)
    finite = tl.where(number.equals(math.inf), high, tl.where(number.equals(-math.inf), low, number))
    return tl.where(tl.isnan(number), nan, finite)


def select(tl: Language, condlist: Any, choicelist: Any, default: Any) -> Term:
    """For each element the choice of the first condition that holds."""
    if not isinstance(condlist, tuple) or not isinstance(choicelist, tuple) or len(condlist) != len(choicelist):
        raise tl.t.error("tl.select takes as many conditions as choices", "write tl.select([a, b], [x, y])")
    result = tl.number(default)
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = tl.where(condition, choice, result)
    return result


def sinc(tl: Language, x: Any) -> Term:
    """sin(pi x) / (pi x); near 0 by its series, which has all derivatives there."""
    number = tl.number(x)
    angle = tl.astype(number, promotion.floating(number.dtype)) * math.pi
    is_small = tl.abs(angle) < SMALL_ANGLE
    square, series = angle * angle, tl.number(0.0)
    for order in reversed(range(9)):
        series = series * square + (-1.0) ** order / math.factorial(2 * order + 1)
    elsewhere = tl.where(is_small, 1.0, angle)
    return tl.where(is_small, series, tl.sin(elsewhere) / elsewhere)


SMALL_ANGLE = 0.5  # Nine terms of the series of sin(t) / t are exact to rounding below.


def isclose(tl: Language, a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Term:
    """Whether numbers differ by at most `atol + rtol * abs(b)`; infinities are close to themselves."""
    left, right = tl.number(a), tl.number(b)
    is_near = tl.abs(left - right) <= tl.number(atol) + tl.number(rtol) * tl.abs(right)
    close = (is_near & tl.isfinite(right)) | left.equals(right)
    return close | (tl.isnan(left) & tl.isnan(right)) if tl.t.flag(tl.number(equal_nan).value, "equal_nan") else close


def allclose(tl: Language, a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Term:
    return tl.all(isclose(tl, a, b, rtol, atol, equal_nan))
