"""digamma and trigamma: recurrence up to the asymptotic series, reflection below one half."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless.passes.lower.math.coefficients import ERF_TAIL, ERFC_FACTOR
from tapeless.passes.lower.math.elementary import exponential
from tapeless.passes.lower.math.elementary.logarithm import combine, decompose
from tapeless.passes.lower.math.elementary.trigonometric import cos_kernel, is_odd, reduce, sin_kernel
from tapeless.passes.lower.math.lanes import Lanes, emit, horner

# The series is used from here on; the recurrence makes this many steps below it.
STEPS = 10
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)
DIGAMMA_SERIES = tuple(-b / (2 * k) for k, b in enumerate(BERNOULLI, 1))


def in_double(function: Callable[[Lanes], Lanes]) -> Callable[[Lanes], Lanes]:
    """The function computed in double precision whatever the format."""
    return lambda x: function(x.widened()).narrowed() if x.format.bits == 32 else function(x)


def lifted(x: Lanes, term: Callable[[Lanes], Lanes]) -> tuple[Lanes, Lanes]:
    """An argument the series takes, and the sum of term(x + i) over the steps that led there."""
    is_low = x.compare("olt", float(STEPS))
    total = term(x)
    for i in range(1, STEPS):
        total = total + term(x + float(i))
    return x.replace(is_low, x + float(STEPS)), x.constant(0.0).replace(is_low, total)


def half_turns(x: Lanes) -> Lanes:
    """pi (x - nearest integer)"""
    return (x - emit("math.roundeven", x.type, x.value)) * math.pi


def cotangent(r: Lanes) -> Lanes:
    """cot r for |r| <= pi/2."""
    angle = reduce(r)
    sine, cosine, odd = sin_kernel(angle), cos_kernel(angle), is_odd(angle.quadrant)
    return odd.choose(-sine, cosine) / odd.choose(cosine, sine)


def sine(r: Lanes) -> Lanes:
    """|sin r| for |r| <= pi/2."""
    angle = reduce(r)
    return is_odd(angle.quadrant).choose(cos_kernel(angle), sin_kernel(angle))


def digamma(x: Lanes) -> Lanes:
    is_reflected = x.compare("olt", 0.5)
    w, steps = lifted(x.replace(is_reflected, 1.0 - x), lambda v: 1.0 / v)
    parts = decompose(w)
    inverse = 1.0 / w
    square = inverse * inverse
    series = (square * horner(square, DIGAMMA_SERIES)) - inverse * 0.5
    upper = combine(parts.exponent, parts.fraction) + (series - steps)
    upper = upper.replace(w.compare("oeq", math.inf), math.inf)
    lower = upper - cotangent(half_turns(x)) * math.pi
    is_pole = x.compare("olt", 0.0) & emit("math.trunc", x.type, x.value).compare("oeq", x)
    zero = x.compare("oeq", 0.0)
    result = is_reflected.choose(lower, upper).replace(is_pole, math.nan)
    return result.replace(zero, x.constant(math.inf).with_sign_of(-x)).replace(x.compare("uno", x), x)


def trigamma(x: Lanes) -> Lanes:
    is_reflected = x.compare("olt", 0.5)
    w, steps = lifted(x.replace(is_reflected, 1.0 - x), lambda v: 1.0 / (v * v))
    inverse = 1.0 / w
    square = inverse * inverse
    series = (square * inverse).fma(horner(square, BERNOULLI), square.fma(0.5, inverse))
    upper = series + steps
    ratio = math.pi / sine(half_turns(x))
    return is_reflected.choose(ratio * ratio - upper, upper).replace(x.compare("uno", x), x)


ERF_SMALL = 1.0
ERFC_SMALL = 0.5
# erfc underflows to zero beyond this.
ERFC_ZERO = 27.5
CENTRE = 3.0


def near_zero(x: Lanes) -> Lanes:
    """erf(x) for |x| <= 1."""
    return x.fma(horner(x * x, ERF_TAIL[64]), x)


def tail(a: Lanes) -> Lanes:
    """erfc(a) for a >= 1/2: exp(-a^2) factor(t) / (1 + 2 a), t = (a - 3) / (a + 3)."""
    a = a.at_most(ERFC_ZERO)
    factor = horner((a - CENTRE) / (a + CENTRE), ERFC_FACTOR[64])
    square = a * a
    reduced = exponential.reduce_exactly(-square, -a.fma(a, -square))
    decay = factor / a.fma(2.0, 1.0)
    return exponential.scaled(exponential.excess(reduced).fma(decay, decay), reduced.n)


def erf(x: Lanes) -> Lanes:
    a = x.abs()
    return a.compare("olt", ERF_SMALL).choose(near_zero(a), 1.0 - tail(a)).with_sign_of(x)


def erfc(x: Lanes) -> Lanes:
    a = x.abs()
    far = tail(a)
    far = x.compare("olt", 0.0).choose(2.0 - far, far)
    return a.compare("olt", ERFC_SMALL).choose(1.0 - near_zero(x), far)


erf_in_double, erfc_in_double, digamma_in_double, trigamma_in_double = map(in_double, (erf, erfc, digamma, trigamma))
