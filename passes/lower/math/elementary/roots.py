"""rsqrt, cbrt and hypot."""

from __future__ import annotations

import math

from tapeless.passes.lower.math.coefficients import CBRT_START
from tapeless.passes.lower.math.elementary.exponential import nearest, power_of_two
from tapeless.passes.lower.math.elementary.logarithm import decompose
from tapeless.passes.lower.math.lanes import Lanes, horner

# Squares of larger numbers overflow, squares of smaller ones lose bits: hypot moves both into the middle first.
LARGE, SMALL, SHIFT = 2.0**500, 2.0**-500, 2.0**600


def rsqrt(x: Lanes) -> Lanes:
    return 1.0 / x.sqrt()


def cbrt(x: Lanes) -> Lanes:
    """2^n times the cube root of a number between 1/3 and 3, by two steps of Halley's iteration."""
    a = x.abs()
    parts = decompose(a)
    n = nearest(parts.exponent.fma(1.0 / 3.0, x.format.shifter))
    y = (parts.fraction + 1.0) * power_of_two(n.fma(-3.0, parts.exponent))
    root = horner(y, CBRT_START[x.format.bits])
    for _ in range(2):
        cube = root * root * root
        root = root - root * ((cube - y) / (cube * 2.0 + y))
    is_itself = a.compare("oeq", 0.0) | a.compare("oeq", math.inf) | x.compare("uno", x)
    return (root * power_of_two(n)).with_sign_of(x).replace(is_itself, x)


def hypot(x: Lanes, y: Lanes) -> Lanes:
    if x.format.bits == 32:
        wide_x, wide_y = x.widened(), y.widened()
        length = wide_x.fma(wide_x, wide_y * wide_y).sqrt().narrowed()
    else:
        length = hypot_double(x, y)
    is_infinite = x.abs().compare("oeq", math.inf) | y.abs().compare("oeq", math.inf)
    return length.replace(is_infinite, math.inf)


def hypot_double(x: Lanes, y: Lanes) -> Lanes:
    sum_of_sizes = x.abs() + y.abs()
    is_large, is_small = sum_of_sizes.compare("ogt", LARGE), sum_of_sizes.compare("olt", SMALL)
    factor = x.constant(1.0).replace(is_large, 1.0 / SHIFT).replace(is_small, SHIFT)
    inverse = x.constant(1.0).replace(is_large, SHIFT).replace(is_small, 1.0 / SHIFT)
    u, v = x * factor, y * factor
    return u.fma(u, v * v).sqrt() * inverse
