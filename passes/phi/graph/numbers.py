"""Numbers in expressions: exact fractions as long as they are small, floats otherwise; integers are exact."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

Number = Fraction | float

LARGEST = 2**53
LARGEST_INTEGER = 2**64
QUITE_SMALL = 2**40
ZERO, ONE, MINUS_ONE, HALF = Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2)


def number(value: float | int | Fraction) -> Number:
    """A fraction where it is small and exact; 0.1, which is no short fraction, stays the float it is."""
    if isinstance(value, float):
        if not math.isfinite(value) or (value == 0.0 and math.copysign(1.0, value) < 0.0):
            return value
        exact = Fraction(value)
        return exact if exact.denominator <= 2**30 and abs(exact.numerator) <= LARGEST else value
    exact = value if isinstance(value, Fraction) else Fraction(value)
    return exact if _is_small(exact) else float(exact)


def _is_small(exact: Fraction) -> bool:
    largest = LARGEST_INTEGER if exact.denominator == 1 else LARGEST
    return exact.denominator <= LARGEST and abs(exact.numerator) <= largest


def plus(a: Number, b: Number) -> Number:
    """The sum, exact where both are."""
    return number(a + b)


def times(a: Number, b: Number) -> Number:
    """The product, exact where both are."""
    if a is ONE or b is ONE:
        return b if a is ONE else a
    return number(a * b)


def power(a: Number, exponent: int) -> Number:
    """An integer power, infinite or zero where it leaves the range of floats; of zero only non-negative ones."""
    if a is ONE or exponent == 1:
        return a
    try:
        if isinstance(a, Fraction) and abs(exponent) <= 64:
            return number(a**exponent)
        return number(float(a) ** exponent)
    except OverflowError:
        return -math.inf if a < 0 and exponent % 2 else math.inf


def size(a: Number) -> Number:
    """The number without its sign."""
    return a if a >= 0 else -a


def is_moderate(a: Number, type_: str) -> bool:
    """Whether a number may be gathered into a coefficient: zero, or far from the ends of the range of its type."""
    if isinstance(a, Fraction) and -QUITE_SMALL < a.numerator < QUITE_SMALL and a.denominator < QUITE_SMALL:
        return True
    largest = 1e15 if type_ == "f32" else 1e140
    return a == 0 or 1 / largest < size(a) < largest


def rounded(a: Number, type_: str) -> Number:
    """What the number is as a constant of a float type."""
    if type_ != "f32":
        return number(float(a))
    with np.errstate(over="ignore"):
        return number(float(np.float32(float(a))))


def wrapped(a: Number, type_: str) -> Number:
    """What an integer is as a constant of an integer type, which wraps around."""
    bits = 64 if type_ == "index" else int(type_[1:])
    if bits == 1 or not is_integer(a):
        return a
    half = 2 ** (bits - 1)
    return Fraction((int(a) + half) % (2 * half) - half)


def is_integer(a: Number) -> bool:
    """Whether a number is a whole one, and known exactly."""
    return isinstance(a, Fraction) and a.denominator == 1


def is_power_of_two(a: Number) -> bool:
    """Whether multiplying by the number is exact, but for the ends of the range."""
    if not isinstance(a, Fraction) or a == 0:
        return False
    top, bottom = abs(a.numerator), a.denominator
    return top & (top - 1) == 0 and bottom & (bottom - 1) == 0
