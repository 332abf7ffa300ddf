"""Comparisons, bits and signs under the names that numpy has for them."""

from __future__ import annotations

import ast
from typing import Any

from tapeless.frontend.composed.terms import Language, Term
from tapeless.frontend.values import bounds
from tapeless.types import i64


def equal(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x).equals(tl.number(y))


def not_equal(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x).differs(tl.number(y))


def less(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) < tl.number(y)


def less_equal(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) <= tl.number(y)


def greater(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) > tl.number(y)


def greater_equal(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) >= tl.number(y)


def bitwise_and(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) & tl.number(y)


def bitwise_or(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) | tl.number(y)


def bitwise_xor(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x) ^ tl.number(y)


def left_shift(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x).combined(ast.LShift, tl.number(y))


def right_shift(tl: Language, x: Any, y: Any) -> Term:
    return tl.number(x).combined(ast.RShift, tl.number(y))


def invert(tl: Language, x: Any) -> Term:
    return ~tl.number(x)


def signbit(tl: Language, x: Any) -> Term:
    """Whether a number is negative; so is the zero whose reciprocal is."""
    number = tl.number(x)
    if not number.dtype.is_float:
        return number < 0
    return (number < 0) | (number.equals(0) & (1.0 / number < 0))


def copysign(tl: Language, x: Any, y: Any) -> Term:
    number, _ = tl.floats(x, y)
    size = tl.abs(number)
    return tl.where(signbit(tl, y), -size, size)


def fmod(tl: Language, x: Any, y: Any) -> Term:
    """The rest of a division that is rounded towards 0: it has the sign of x."""
    number, divisor = (_no_bools(tl, each, other) for each, other in ((x, y), (y, x)))
    divisor = tl.abs(divisor)
    return tl.where(number < 0, -(-number % divisor), number % divisor)


def _no_bools(tl: Language, x: Any, other: Any) -> Term:
    """A number; bools have the type of the other operand, or are integers."""
    number, dtype = tl.number(x), tl.number(other).dtype
    return tl.astype(number, i64 if dtype.is_bool else dtype) if number.dtype.is_bool else number


def array_equal(tl: Language, x: Any, y: Any) -> Term:
    """Whether arrays have the same shape and elements."""
    left, right = tl.listed(x).held(), tl.listed(y).held()
    if left.rank != right.rank:
        return tl.number(False)
    same = tl.number(True)
    for axis, sizes in enumerate(zip(left.dims, right.dims, strict=True)):
        if sizes[0] != sizes[1]:
            same = same & tl.number(sizes[0]).equals(tl.number(sizes[1]))
            common = bounds.minimum(tl.t.builder, *sizes)
            left, right = (each.part(axis, common - common, common) for each in (left, right))
    return same & tl.all(left.equals(right))
