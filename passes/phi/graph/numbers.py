"""Numbers in expressions: integers and fractions, exact as long as they are small, and floats otherwise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

# A whole number is an `int`, never a fraction: most numbers are, and nothing else is as quick.
Number = int | Fraction | float

LARGEST = 2**53
LARGEST_INTEGER = 2**64
QUITE_SMALL = 2**40
ZERO, ONE, MINUS_ONE, HALF = 0, 1, -1, Fraction(1, 2)


def number(value: float | int | Fraction) -> Number:
    """Whole or a fraction where it is small and exact; 0.1, which is no short fraction, stays the float it is."""
    if type(value) is int:
        return value if -LARGEST_INTEGER <= value <= LARGEST_INTEGER else float(value)
    if isinstance(value, float):
        return _of_float(value)
    top, bottom = int(value.numerator), int(value.denominator)
    if bottom == 1:
        return top if -LARGEST_INTEGER <= top <= LARGEST_INTEGER else float(top)
    return value if bottom <= LARGEST and -LARGEST <= top <= LARGEST else float(value)


def _of_float(value: float) -> Number:
    if not math.isfinite(value) or (value == 0.0 and math.copysign(1.0, value) < 0.0):
        return value
    top, bottom = value.as_integer_ratio()
    if bottom > 2**30 or not -LARGEST <= top <= LARGEST:
        return value
    return top if bottom == 1 else Fraction(top, bottom)


def ratio(top: int, bottom: int) -> Number:
    """A fraction."""
    return number(Fraction(top, bottom))


def is_exact(a: Number) -> bool:
    """Whether a number is known exactly."""
    return not isinstance(a, float)


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
        if not isinstance(a, float) and abs(exponent) <= 64:
            return number(Fraction(a) ** exponent if exponent < 0 else a**exponent)
        return number(float(a) ** exponent)
    except OverflowError:
        return -math.inf if a < 0 and exponent % 2 else math.inf


def size(a: Number) -> Number:
    """The number without its sign."""
    return a if a >= 0 else -a


def is_moderate(a: Number, type_: str) -> bool:
    """Whether a number may be gathered into a coefficient: zero, or far from the ends of the range of its type."""
    if type(a) is int and -QUITE_SMALL < a < QUITE_SMALL:
        return True
    if not isinstance(a, float) and -QUITE_SMALL < a.numerator < QUITE_SMALL and a.denominator < QUITE_SMALL:
        return True
    largest = 1e15 if type_ == "f32" else 1e140
    return a == 0 or 1 / largest < size(a) < largest


def rounded(a: Number, type_: str) -> Number:
    """The number rounded to a float type."""
    if type_ != "f32":
        return number(float(a))
    with np.errstate(over="ignore"):
        return number(float(np.float32(float(a))))


def wrapped(a: Number, type_: str) -> Number:
    """The integer wrapped to an integer type."""
    bits = 64 if type_ == "index" else int(type_[1:])
    if bits == 1 or not is_integer(a):
        return a
    half = 2 ** (bits - 1)
    return (int(a) + half) % (2 * half) - half


def is_integer(a: Number) -> bool:
    """Whether a number is a whole one, and known exactly."""
    return type(a) is int or (isinstance(a, Fraction) and a.denominator == 1)


def is_power_of_two(a: Number) -> bool:
    """Whether multiplying by the number is exact, but for the ends of the range."""
    if isinstance(a, float) or a == 0:
        return False
    if type(a) is int:
        return (a if a > 0 else -a).bit_count() == 1
    top, bottom = abs(a.numerator), a.denominator
    return top & (top - 1) == 0 and bottom & (bottom - 1) == 0
