"""log and its relatives: x = 2^k m with m near 1, and the odd series of log((1 + s) / (1 - s)) in s = f / (2 + f),
f = m - 1."""

from __future__ import annotations

import math

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.math.coefficients import LOG_TAIL
from tapeless.passes.lower.math.lanes import Lanes, horner

# High and low parts of constants; the high parts of the first two times any exponent are exact.
LN2 = {64: (0.6931471805601177, -1.7239444525614835e-13), 32: (0.693145751953125, 1.4286068203094173e-06)}
LOG10_2 = {64: (0.3010299956640665, -8.532344317057107e-14), 32: (0.30103302001953125, -3.0243555500547862e-06)}
LOG2_E = {64: (1.4426950408889634, 2.0355273740931033e-17), 32: (1.4426950216293335, 1.9259629911266175e-08)}
LOG10_E = {64: (0.4342944819032518, 1.098319650216765e-17), 32: (0.4342944920063019, -1.0103050052231683e-08)}
SUBNORMAL_SCALE = {64: 54, 32: 25}


@dataclass(frozen=True)
class Decomposed:
    """x = 2^exponent (1 + fraction), 1 + fraction between sqrt(1/2) and sqrt(2)."""

    exponent: Lanes
    fraction: Lanes


def decompose(x: Lanes) -> Decomposed:
    """Splits positive finite numbers, subnormal ones included."""
    shape = x.format
    shift = SUBNORMAL_SCALE[shape.bits]
    is_subnormal = x.compare("olt", 2.0 ** (1 - shape.bias))
    scaled = x.replace(is_subnormal, x * 2.0**shift)
    lowest = shape.encode(math.sqrt(0.5))
    pattern = scaled.bits() + (shape.encode(1.0) - lowest)
    mantissa = ((pattern & ((1 << shape.mantissa) - 1)) + lowest).as_float()
    anchor = 2.0**shape.mantissa
    biased = ((pattern >> shape.mantissa) | shape.encode(anchor)).as_float()
    offset = x.constant(anchor + shape.bias).replace(is_subnormal, anchor + shape.bias + shift)
    return Decomposed(biased - offset, mantissa - 1.0)


def correction(f: Lanes, half_square: Lanes) -> Lanes:
    """log(1 + f) - f + f^2/2, given f^2/2."""
    s = f / (f + 2.0)
    z = s * s
    return s * z.fma(horner(z, LOG_TAIL[f.format.bits]), half_square)


def combine(k: Lanes, f: Lanes, addend: Lanes | None = None) -> Lanes:
    """k ln 2 + log(1 + f) + addend, smallest terms first."""
    high, low = LN2[k.format.bits]
    half_square = f * f * 0.5
    small = k.fma(low, correction(f, half_square))
    small = small + addend if addend else small
    return k.fma(high, f - (half_square - small))


def log(x: Lanes) -> Lanes:
    parts = decompose(x)
    return with_special_values(x, combine(parts.exponent, parts.fraction))


def log1p(x: Lanes) -> Lanes:
    """log of u = 1 + x, corrected for the rounding of u; near 0 the fraction is x itself.

    Tiny x, which are their own result, are kept out of the products: subnormal intermediate values are slow.
    """
    is_tiny = x.abs().compare("olt", 2.0 ** -(x.format.mantissa + 2))
    argument = x.replace(is_tiny, 0.0)
    u = argument + 1.0
    parts = decompose(u)
    lost = u.compare("oge", 2.0).choose(1.0 - (u - argument), argument - (u - 1.0)) / u
    is_near = parts.exponent.compare("oeq", 0.0)
    fraction, lost = is_near.choose(argument, parts.fraction), lost.replace(is_near, 0.0)
    return with_special_values(u, combine(parts.exponent, fraction, lost)).replace(is_tiny, x)


def scaled_log(f: Lanes, factor: tuple[float, float]) -> tuple[Lanes, Lanes]:
    """factor log(1 + f) as a sum of two numbers, for a factor of two parts."""
    half_square = f * f * 0.5
    high = f - half_square
    dropped = f.fma(f * 0.5, -half_square)
    low = ((f - high) - half_square) + (correction(f, half_square) - dropped)
    product = high * factor[0]
    return product, low.fma(factor[0], high.fma(factor[1], high.fma(factor[0], -product)))


def sum_of(large: Lanes, pair: tuple[Lanes, Lanes]) -> Lanes:
    """large + pair, rounded once at the end; |large| is 0 or at least the pair's first part."""
    total = large + pair[0]
    return total + ((pair[0] - (total - large)) + pair[1])


def log2(x: Lanes) -> Lanes:
    parts = decompose(x)
    regular = sum_of(parts.exponent, scaled_log(parts.fraction, LOG2_E[x.format.bits]))
    return with_special_values(x, regular)


def log10(x: Lanes) -> Lanes:
    parts = decompose(x)
    high, low = LOG10_2[x.format.bits]
    product, rest = scaled_log(parts.fraction, LOG10_E[x.format.bits])
    regular = sum_of(parts.exponent * high, (product, parts.exponent.fma(low, rest)))
    return with_special_values(x, regular)


def with_special_values(x: Lanes, regular: Lanes) -> Lanes:
    """The logarithm's values at zero, infinity, NaN and below zero."""
    special = x.replace(x.compare("olt", 0.0), math.nan).replace(x.compare("oeq", 0.0), -math.inf)
    is_regular = x.compare("ogt", 0.0) & x.compare("olt", math.inf)
    return is_regular.choose(regular, special)
