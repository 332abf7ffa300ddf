"""log and its relatives: x = 2^k m with m near 1, and the odd series of log((1 + s) / (1 - s)) in s = f / (2 + f),
f = m - 1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .coefficients import LOG_TAIL
from .lanes import Lanes, horner

# The high part times any exponent is exact.
LN2 = {64: (0.6931471803691238, 1.9082149292705877e-10), 32: (0.693145751953125, 1.428606820309417e-06)}
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


def log(x: Lanes) -> Lanes:
    parts = decompose(x)
    return with_special_values(x, combine(parts.exponent, parts.fraction))


def combine(k: Lanes, f: Lanes, correction: Lanes | None = None) -> Lanes:
    """k ln 2 + log(1 + f) + correction, smallest terms first."""
    high, low = LN2[k.format.bits]
    s = f / (f + 2.0)
    z = s * s
    half_square = f * f * 0.5
    small = s.fma(z.fma(horner(z, LOG_TAIL[k.format.bits]), half_square), k * low)
    small = small + correction if correction else small
    return k.fma(high, f - (half_square - small))


def with_special_values(x: Lanes, regular: Lanes) -> Lanes:
    """The logarithm's values at zero, infinity, NaN and below zero."""
    special = x.replace(x.compare("olt", 0.0), math.nan).replace(x.compare("oeq", 0.0), -math.inf)
    is_regular = x.compare("ogt", 0.0) & x.compare("olt", math.inf)
    return is_regular.choose(regular, special)
