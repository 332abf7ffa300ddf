"""The search for a way back ends, also where every attempt finds other places of an array missing."""

from __future__ import annotations

import numpy as np

import tapeless as tl

X = np.array([0.3, -0.7, 1.1, 0.4, 0.9])


@tl.function
def overlapping(x: tl.f64[:], n: tl.i64):
    for _ in range(n):
        x[1:], x[:-1] = tl.sin(x[:-1]), x[1:]
    return tl.sum(x * x)


@tl.function
def rewritten(x: tl.f64[:], n: tl.i64):
    y = 2.0 * x
    for _ in range(n):
        x[0] *= tl.sin(y[1])
        x[1:-1] = y[1:-1]
    return tl.sum(x * x)


def test_overlapping_slices():
    compare(overlapping)


def test_slices_that_are_written_again():
    compare(rewritten)


def compare(function):
    redundant, found = (tl.grad(function, method=method)(X, 4) for method in ("redundant", "reversible"))
    np.testing.assert_allclose(found, redundant, rtol=1e-12)
