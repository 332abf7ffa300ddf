"""Reductions, scans and histograms of the redundant benchmark, each with +, *, min and the product of 2x2 matrices."""

import tapeless as tl

BINS = 256


@tl.function
def product_2x2(a, b, c, d, p, q, r, s):
    """[[a, b], [c, d]] times [[p, q], [r, s]]."""
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s


@tl.function
def reduce_add(x: tl.f64[:]) -> tl.f64:
    return tl.reduce(lambda a, b: a + b, 0.0, x)


@tl.function
def reduce_mul(x: tl.f64[:]) -> tl.f64:
    return tl.reduce(lambda a, b: a * b, 1.0, x)


@tl.function
def reduce_min(x: tl.f64[:]) -> tl.f64:
    return tl.reduce(tl.minimum, tl.inf, x)


@tl.function
def reduce_2x2(a: tl.f64[:], b: tl.f64[:], c: tl.f64[:], d: tl.f64[:]) -> tl.f64:
    p, q, r, s = tl.reduce(product_2x2, (1.0, 0.0, 0.0, 1.0), a, b, c, d)
    return p + 2.0 * q + 3.0 * r + 4.0 * s


@tl.function
def scan_add(x: tl.f64[:], weights: tl.f64[:]) -> tl.f64:
    return tl.sum(weights * tl.scan(lambda a, b: a + b, 0.0, x))


@tl.function
def scan_mul(x: tl.f64[:], weights: tl.f64[:]) -> tl.f64:
    return tl.sum(weights * tl.scan(lambda a, b: a * b, 1.0, x))


@tl.function
def scan_min(x: tl.f64[:], weights: tl.f64[:]) -> tl.f64:
    return tl.sum(weights * tl.scan(tl.minimum, tl.inf, x))


@tl.function
def scan_2x2(a: tl.f64[:], b: tl.f64[:], c: tl.f64[:], d: tl.f64[:], weights: tl.f64[4, :]) -> tl.f64:
    p, q, r, s = tl.scan(product_2x2, (1.0, 0.0, 0.0, 1.0), a, b, c, d)
    return tl.sum(weights[0] * p + weights[1] * q + weights[2] * r + weights[3] * s)


@tl.function
def hist_add(keys: tl.i64[:], values: tl.f64[:], weights: tl.f64[BINS]) -> tl.f64:
    return tl.sum(weights * tl.hist(lambda a, b: a + b, 0.0, tl.zeros(BINS), keys, values))


@tl.function
def hist_mul(keys: tl.i64[:], values: tl.f64[:], weights: tl.f64[BINS]) -> tl.f64:
    return tl.sum(weights * tl.hist(lambda a, b: a * b, 1.0, tl.ones(BINS), keys, values))


@tl.function
def hist_min(keys: tl.i64[:], values: tl.f64[:], weights: tl.f64[BINS]) -> tl.f64:
    return tl.sum(weights * tl.hist(tl.minimum, tl.inf, tl.full(BINS, tl.inf), keys, values))


@tl.function
def hist_2x2(
    keys: tl.i64[:], a: tl.f64[:], b: tl.f64[:], c: tl.f64[:], d: tl.f64[:], weights: tl.f64[4, BINS]
) -> tl.f64:
    one, zero = tl.ones(BINS), tl.zeros(BINS)
    identity = (1.0, 0.0, 0.0, 1.0)
    p, q, r, s = tl.hist(product_2x2, identity, (one, zero, zero, one), keys, (a, b, c, d))
    return tl.sum(weights[0] * p + weights[1] * q + weights[2] * r + weights[3] * s)
