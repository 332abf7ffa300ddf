"""Numbers rounded to the floats of 16 bits that are nearest."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless.half_floats import HALF_FORMATS
from tapeless.passes.lower.math.elementary.gamma_and_error import in_double
from tapeless.passes.lower.math.lanes import Lanes


def rounded_to(name: str) -> Callable[[Lanes], Lanes]:
    """The function that rounds doubles to a format: a sum with a number whose last place is that of the result."""
    digits, lowest, beyond = HALF_FORMATS[name]

    def rounded(x: Lanes) -> Lanes:
        size, shape = x.abs(), x.format
        exponents = ((1 << shape.bits - 1 - shape.mantissa) - 1) << shape.mantissa
        scale = (size.bits() & exponents).as_float().at_least(2.0**lowest)
        shift = scale * (1.5 * 2.0 ** (shape.mantissa - digits + 1))
        result = (size + shift) - shift
        is_large = size.compare("oge", 2.0**beyond) | result.compare("oge", 2.0**beyond)
        return result.replace(is_large, math.inf).with_sign_of(x)

    return rounded


rounded_to_f16, rounded_to_bf16 = (in_double(rounded_to(name)) for name in ("f16", "bf16"))
