"""tanh, sinh and cosh: polynomials near 0, the exponential elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.math.coefficients import SINH_TAIL, TANH_TAIL
from tapeless.passes.lower.math.elementary import exponential
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
