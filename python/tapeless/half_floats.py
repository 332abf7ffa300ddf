"""Floats of 16 bits: how many digits they have, and the nearest one to a number."""

from __future__ import annotations

import math
from typing import NamedTuple


class HalfFormat(NamedTuple):
    """Digits with the leading one, the exponent of the smallest normal number, and of the smallest overflow."""

    digits: int
    lowest: int
    beyond: int


HALF_FORMATS = {"f16": HalfFormat(11, -14, 16), "bf16": HalfFormat(8, -126, 128)}


def rounded_half(number: float, name: str) -> float:
    """The nearest number of a format, ties to even; infinite where that is too large."""
    if not math.isfinite(number):
        return number
    digits, lowest, beyond = HALF_FORMATS[name]
    exponent = max(math.frexp(number)[1] - 1, lowest)
    quantum = math.ldexp(1.0, exponent - digits + 1)
    result = round(number / quantum) * quantum
    return math.copysign(math.inf if abs(result) >= 2.0**beyond else result, number)
