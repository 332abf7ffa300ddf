"""pow: |x|^y = exp(y log |x|) with the logarithm and the product to twice the precision."""

from __future__ import annotations

import math

from tapeless.passes.lower.math.coefficients import LOG_TAIL_AFTER_CUBE
from tapeless.passes.lower.math.elementary import exponential, logarithm
from tapeless.passes.lower.math.lanes import Lanes, emit, horner

TWO_THIRDS = (0.6666666666666666, 3.700743415417188e-17)


def log_in_two_parts(x: Lanes) -> tuple[Lanes, Lanes]:
    """log x of a positive finite f64 with a relative error below 2^-64."""
    parts = logarithm.decompose(x)
    s, s_low = quotient_in_two_parts(parts.fraction)
    z = s * s
    z_low = s.fma(s_low * 2.0, s.fma(s, -z))
    tail = z * horner(z, LOG_TAIL_AFTER_CUBE[64])
    c = tail + TWO_THIRDS[0]
    c_low = (tail - (c - TWO_THIRDS[0])) + TWO_THIRDS[1]
    cube = z * c
    cube_low = z.fma(c_low, z_low.fma(c, z.fma(c, -cube)))
    slope = cube + 2.0
    slope_low = (cube - (slope - 2.0)) + cube_low
    high = s * slope
    low = s.fma(slope_low, s_low.fma(slope, s.fma(slope, -high)))
    ln2, ln2_low = logarithm.LN2[64]
    exponent_part = parts.exponent * ln2
    total = exponent_part + high
    return total, parts.exponent.fma(ln2_low, (high - (total - exponent_part)) + low)


def quotient_in_two_parts(f: Lanes) -> tuple[Lanes, Lanes]:
    """f / (2 + f)"""
    divisor = f + 2.0
    divisor_low = f - (divisor - 2.0)
    inverse = 1.0 / divisor
    s = f * inverse
    return s, s.fma(-divisor_low, s.fma(-divisor, f)) * inverse


def magnitude_double(a: Lanes, y: Lanes) -> Lanes:
    """a^y for positive finite a."""
    log_high, log_low = log_in_two_parts(a)
    product = y * log_high
    product_low = y.fma(log_low, y.fma(log_high, -product))
    x = exponential.clamped(product, exponential.EXP_RANGE)
    reduced = exponential.reduce_exactly(x, product_low.replace(product.compare("une", x), 0.0))
    return exponential.scaled(exponential.excess(reduced) + 1.0, reduced.n)


def magnitude_single(a: Lanes, y: Lanes) -> Lanes:
    """a^y through double precision, whose logarithm is accurate enough as it is."""
    parts = logarithm.decompose(a.widened())
    return exponential.exp(y.widened() * logarithm.combine(parts.exponent, parts.fraction)).narrowed()


def truncated(x: Lanes) -> Lanes:
    return emit("math.trunc", x.type, x.value)


def pow(x: Lanes, y: Lanes) -> Lanes:
    a = x.abs()
    regular = (magnitude_single if x.format.bits == 32 else magnitude_double)(a, y)
    result = with_limits(a, y, regular)
    is_integer = truncated(y).compare("oeq", y)
    half = y * 0.5
    is_odd = is_integer & truncated(half).compare("une", half)
    result = is_odd.choose(result.with_sign_of(x), result)
    is_undefined = x.compare("olt", 0.0) & x.compare("ogt", -math.inf) & ~is_integer
    result = result.replace(is_undefined, math.nan).replace(x.compare("uno", y), x + y)
    return result.replace(x.compare("oeq", 1.0) | y.compare("oeq", 0.0), 1.0)


def with_limits(a: Lanes, y: Lanes, regular: Lanes) -> Lanes:
    """a^y where a is 0 or infinite or y is infinite: infinity, 0 or, for a = 1, 1."""
    is_limit = a.compare("oeq", 0.0) | a.compare("oeq", math.inf) | y.abs().compare("oeq", math.inf)
    shrinks = a.compare("ogt", 1.0) ^ y.compare("ogt", 0.0)
    limit = a.constant(math.inf).replace(shrinks, 0.0).replace(a.compare("oeq", 1.0), 1.0)
    return is_limit.choose(limit, regular)
