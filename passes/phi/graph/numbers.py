"""Numbers in expressions: exact fractions as long as they are small, floats otherwise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

Number = Fraction | float

LARGEST = 2**53
ZERO, ONE, MINUS_ONE, HALF = Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2)


def number(value: float | int | Fraction) -> Number:
    """A fraction where it is small and exact; 0.1, which is no short fraction, stays the float it is."""
    if isinstance(value, float):
        if not math.isfinite(value) or (value == 0.0 and math.copysign(1.0, value) < 0.0):
            return value
        exact = Fraction(value)
        return exact if exact.denominator <= 2**30 and abs(exact.numerator) <= LARGEST else value
    exact = Fraction(value)
    return exact if _is_small(exact) else float(exact)


def _is_small(exact: Fraction) -> bool:
    return exact.denominator <= LARGEST and abs(exact.numerator) <= LARGEST


def plus(a: Number, b: Number) -> Number:
    """The sum, exact where both are."""
    return number(a + b)


def times(a: Number, b: Number) -> Number:
    """The product, exact where both are."""
    return number(a * b)


def power(a: Number, exponent: int) -> Number:
    """An integer power; of zero only non-negative ones."""
    if isinstance(a, Fraction):
        return number(a**exponent) if abs(exponent) <= 64 else number(float(a) ** exponent)
    return number(a**exponent)


def rounded(a: Number, type_: str) -> Number:
    """What the number is as a constant of a float type."""
    return number(float(np.float32(a))) if type_ == "f32" else number(float(a))


def is_integer(a: Number) -> bool:
    """Whether a number is a whole one, and known exactly."""
    return isinstance(a, Fraction) and a.denominator == 1
