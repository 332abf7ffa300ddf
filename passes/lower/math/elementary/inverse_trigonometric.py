"""asin, acos, atan and atan2: arguments brought near 0 by identities, one odd polynomial each."""

from __future__ import annotations

import math

from tapeless.passes.lower.math.coefficients import ASIN_TAIL, ATAN_TAIL
from tapeless.passes.lower.math.lanes import Lanes, horner

# Quotients above this are taken relative to 1; the rounding of that step is then small beside the result.
NEAR_ONE = 0.6
# pi/4, pi/2 and pi in two parts.
QUARTER_TURN = {64: (0.7853981633974483, 3.061616997868383e-17), 32: (0.7853981852531433, -2.1855694143368964e-08)}
# Sums of larger numbers could overflow, and smaller ones lose their last bits.
COMFORTABLE = {64: 2.0**1000, 32: 2.0**120}


def turns(quarters: int, bits: int) -> tuple[float, float]:
    high, low = QUARTER_TURN[bits]
    return quarters * high, quarters * low


def less(quarters: int, angle: Lanes, rest: Lanes | float = 0.0) -> Lanes:
    """A number of quarter turns minus (angle + rest), rounded once."""
    high, low = turns(quarters, angle.format.bits)
    difference = high - angle
    lost = (high - difference) - angle
    return difference + (lost + (low - rest))


def atan_of_quotient(top: Lanes, bottom: Lanes) -> Lanes:
    """atan(top / bottom) for 0 <= top <= bottom, bottom > 0, with one division."""
    is_large = top.compare("ogt", bottom * NEAR_ONE)
    t = is_large.choose(top - bottom, top) / is_large.choose(top + bottom, bottom)
    high, low = turns(1, t.format.bits)
    z = t * t
    cubic = t * z * horner(z, ATAN_TAIL[t.format.bits])
    return is_large.choose(high + (t + (cubic + low)), t + cubic)


def atan(x: Lanes) -> Lanes:
    a, one = x.abs(), x.constant(1.0)
    is_steep = a.compare("ogt", 1.0)
    angle = atan_of_quotient(is_steep.choose(one, a), is_steep.choose(a, one))
    return is_steep.choose(less(2, angle), angle).with_sign_of(x)


def atan2(y: Lanes, x: Lanes) -> Lanes:
    """The angle of the point (x, y); zeros and infinities as in C99."""
    size, limit = x.abs() + y.abs(), COMFORTABLE[x.format.bits]
    scale = x.constant(1.0).replace(size.compare("ogt", limit), 2.0**-10)
    scale = scale.replace(size.compare("olt", 1.0 / limit), 2.0**60)
    a, b = y.abs() * scale, x.abs() * scale
    is_steep = a.compare("ogt", b)
    top, bottom = is_steep.choose(b, a), is_steep.choose(a, b)
    both_infinite = top.compare("oeq", math.inf)
    top, bottom = top.replace(both_infinite, 1.0), bottom.replace(both_infinite, 1.0)
    angle = atan_of_quotient(top, bottom.replace(bottom.compare("oeq", 0.0), 1.0))
    angle = is_steep.choose(less(2, angle), angle)
    is_left = x.bits().compare("slt", 0)
    result = is_left.choose(less(4, angle), angle).with_sign_of(y)
    return result.replace(x.compare("uno", y), x + y)


def asin_cubic(x: Lanes) -> Lanes:
    """asin(x) - x for |x| <= 1/2."""
    z = x * x
    return x * z * horner(z, ASIN_TAIL[x.format.bits])


def half_chord(a: Lanes) -> Lanes:
    """sqrt((1 - a) / 2); NaN beyond 1. acos(a) is twice its asin."""
    return (0.5 - a * 0.5).sqrt()


def asin(x: Lanes) -> Lanes:
    a = x.abs()
    is_large = a.compare("ogt", 0.5)
    base = is_large.choose(half_chord(a), a)
    cubic = asin_cubic(base)
    return is_large.choose(less(2, base * 2.0, cubic * 2.0), base + cubic).with_sign_of(x)


def acos(x: Lanes) -> Lanes:
    is_large = x.abs().compare("ogt", 0.5)
    base = is_large.choose(half_chord(x.abs()), x)
    cubic = asin_cubic(base)
    from_left = less(4, base * 2.0, cubic * 2.0)
    near_ends = x.compare("olt", 0.0).choose(from_left, (base + cubic) * 2.0)
    return is_large.choose(near_ends, less(2, base, cubic))
