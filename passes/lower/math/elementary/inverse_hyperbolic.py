"""asinh, acosh and atanh by log1p."""

from __future__ import annotations

import math

from tapeless.passes.lower.math.elementary.logarithm import log1p
from tapeless.passes.lower.math.lanes import Lanes

# From here on 1 is lost beside x, and its square may overflow.
HUGE = {64: 2.0**60, 32: 2.0**30}


def log_of_twice(a: Lanes, is_huge: Lanes, ordinary: Lanes) -> Lanes:
    """log1p(ordinary), or log(2 a) where a is huge."""
    return log1p(is_huge.choose(a, ordinary)) + a.constant(0.0).replace(is_huge, math.log(2.0))


def asinh(x: Lanes) -> Lanes:
    a = x.abs()
    is_huge = a.compare("oge", HUGE[x.format.bits])
    square = a * a
    return log_of_twice(a, is_huge, a + square / ((square + 1.0).sqrt() + 1.0)).with_sign_of(x)


def acosh(x: Lanes) -> Lanes:
    is_huge = x.compare("oge", HUGE[x.format.bits])
    t = x - 1.0
    return log_of_twice(x, is_huge, t + t.fma(t, t * 2.0).sqrt()).replace(x.compare("olt", 1.0), math.nan)


def atanh(x: Lanes) -> Lanes:
    a = x.abs()
    return (log1p(a * 2.0 / (1.0 - a)) * 0.5).with_sign_of(x)
