"""Loops over sequences of numbers: polynomials and convolutions."""

from __future__ import annotations

from tapeless import lang as tl
from tapeless.frontend.library.written import Written


@Written
def polynomial(coefficients, x):
    """The polynomial at x, the coefficient of the highest power first."""
    value = 0 * x
    for coefficient in coefficients:
        value = value * x + coefficient
    return value


@Written
def convolution(a, v):
    """All sums of products whose places add up to the same."""

    def overlap(k):
        low = tl.maximum(0, k - len(v) + 1)
        high = tl.minimum(len(a), k + 1)
        return tl.dot(a[low:high], v[k + 1 - high : k + 1 - low][::-1])

    return tl.map(overlap, tl.iota(len(a) + len(v) - 1))


@Written
def whole_overlaps(a, v):
    """Those of the sums for which the shorter vector lies within the longer one: each is as long as the shorter."""
    if len(a) >= len(v):
        turned = v[::-1]
        return tl.map(lambda k: tl.dot(a[k : k + len(v)], turned), tl.iota(len(a) - len(v) + 1))
    turned = a[::-1]
    return tl.map(lambda k: tl.dot(v[k : k + len(a)], turned), tl.iota(len(v) - len(a) + 1))
