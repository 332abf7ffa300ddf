"""erf and erfc: a polynomial near 0, and exp(-x^2) times a smooth factor in the tails."""

from __future__ import annotations

from tapeless.passes.lower.math.coefficients import ERF_TAIL, ERFC_FACTOR
from tapeless.passes.lower.math.elementary import exponential
from tapeless.passes.lower.math.lanes import Lanes, horner

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
