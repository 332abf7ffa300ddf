"""tanh, sinh and cosh: polynomials near 0, the exponential elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless.passes.lower.math.coefficients import SINH_TAIL, TANH_TAIL
from tapeless.passes.lower.math.elementary import exponential
from tapeless.passes.lower.math.elementary.exponential import exp
from tapeless.passes.lower.math.elementary.logarithm import log1p
from tapeless.passes.lower.math.lanes import Lanes, horner

TANH_SMALL = 0.625
# From here on tanh rounds to 1, and sinh and cosh overflow.
TANH_ONE = {64: 20.0, 32: 10.0}
SINH_OVERFLOW = {64: 711.0, 32: 90.0}


def odd_polynomial(x: Lanes, coefficients: Sequence[float]) -> Lanes:
    """x + x^3 tail(x^2)"""
    z = x * x
    return (x * z).fma(horner(z, coefficients), x)


def tanh(x: Lanes) -> Lanes:
    a = x.abs()
    reduced = exponential.reduce(a.at_most(TANH_ONE[x.format.bits]) * 2.0)
    growth = (exponential.excess(reduced) + 1.0) * exponential.power_of_two(reduced.n)
    large = 1.0 - 2.0 / (growth + 1.0)
    small = odd_polynomial(a, TANH_TAIL[x.format.bits])
    return a.compare("olt", TANH_SMALL).choose(small, large).with_sign_of(x)


def half_exp(a: Lanes) -> Lanes:
    """exp(a) / 2 for a >= 0, without overflow before the result does."""
    reduced = exponential.reduce(a.at_most(SINH_OVERFLOW[a.format.bits]))
    return exponential.scaled(exponential.excess(reduced) + 1.0, reduced.n - 1.0)


def sinh(x: Lanes) -> Lanes:
    a = x.abs()
    half = half_exp(a)
    small = odd_polynomial(a, SINH_TAIL[x.format.bits])
    return a.compare("olt", 1.0).choose(small, half - 0.25 / half).with_sign_of(x)


def cosh(x: Lanes) -> Lanes:
    half = half_exp(x.abs())
    return half + 0.25 / half


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


def sigmoid(x: Lanes) -> Lanes:
    decay = exp(-x.abs())
    return decay.replace(x.compare("oge", 0.0), 1.0) / (decay + 1.0)


def softplus(x: Lanes) -> Lanes:
    return x.at_least(0.0) + log1p(exp(-x.abs()))


def sign(x: Lanes) -> Lanes:
    """-1, 1 or +0; NaN stays NaN (adding 0 turns -0 into +0)."""
    return (x + 0.0).replace(x.compare("ogt", 0.0), 1.0).replace(x.compare("olt", 0.0), -1.0)
