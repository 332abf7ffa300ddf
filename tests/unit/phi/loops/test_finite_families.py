"""Families of solved loops, by what is differentiated: what is finite step by step is finite in closed form."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def affine(a: tl.f64, b: tl.f64, p: tl.f64, n: tl.i64):
    for _ in range(n):
        p = a * p + b
    return p


@tl.function
def affine_of_many(c: tl.f64[10], b: tl.f64, p: tl.f64, n: tl.i64):
    c0, c1, c2, c3, c4, c5, c6, c7, c8, c9 = c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8], c[9]
    for _ in range(n):
        p = c0 * p + c1 * p + c2 * p + c3 * p + c4 * p + c5 * p + c6 * p + c7 * p + c8 * p + c9 * p + b
    return p


@tl.function
def descent(r: tl.f64, x: tl.f64[:], y: tl.f64[:], p: tl.f64, n: tl.i64):
    for _ in range(n):
        slope = 0.0
        for i in range(len(x)):
            slope += x[i] * (x[i] * p - y[i])
        p = p - r * slope
    return p


@tl.function
def descent_with_end(r: tl.f64, x: tl.f64[:], y: tl.f64[:], p: tl.f64, n: tl.i64):
    for _ in range(n):
        slope = 0.0
        for i in range(len(x)):
            slope += x[i] * (x[i] * p - y[i])
        if tl.abs(slope) > 1e200:
            break
        p = p - r * slope
    return p


@tl.function
def rotation(x: tl.f64[:], p: tl.f64, q: tl.f64, n: tl.i64):
    for _ in range(n):
        along, across = 0.0, 0.0
        for i in range(len(x)):
            along += x[i] * p
            across += x[i] * q
        p, q = along - 0.5 * across, 0.5 * along + 0.0 * across
    return p


@tl.function
def polynomial(b: tl.f64, x: tl.f64[:], p: tl.f64, n: tl.i64):
    for k in range(n):
        p += b * k * k
        for i in range(len(x)):
            p += x[i] * k
    return p


@tl.function
def product_of_elements(x: tl.f64[:], p: tl.f64, s: tl.f64):
    for i in range(len(x)):
        p = p * x[i]
    return s * p


@tl.function
def product_of_steps(a: tl.f64, p: tl.f64, n: tl.i64):
    for k in range(n):
        p = p * (a + 0.001 * k)
    return p


@tl.function
def affine_of_elements(x: tl.f64[:], y: tl.f64[:], p: tl.f64):
    for i in range(len(x)):
        p = x[i] * p + y[i]
    return p


ONES, NONE = np.ones(2), np.zeros(2)
UP_AND_DOWN = np.repeat([2.0, 0.5], 1030)
MODERATE = (np.array([0.5, 0.4, 0.3]), np.array([0.1, -0.2, 0.3]))
CASES = {
    "affine, numbers": (affine, (0, 1, 2), [(0.9, 0.2, 0.4, 300), (2.0, -1.0, 1.0, 1022), (-2.0, 3.0, 1.0, 1022)]),
    "affine, many numbers": (
        affine_of_many,
        (0, 1, 2),
        [(np.full(10, 0.09), 0.2, 0.3, 50), (np.full(10, 0.2), -1.0, 1.0, 1022)],
    ),
    "affine, arrays": (
        descent,
        (0, 1, 2, 3),
        [
            (0.1, *MODERATE, 0.2, 50),
            (0.1, *MODERATE, 0.2, 0),
            (-0.5, ONES, ONES, 1.0, 1021),
            (1.5, ONES, ONES, 1.0, 1021),
            (-0.5, ONES, NONE, 0.0, 1022),
        ],
    ),
    "affine with an end, arrays": (
        descent_with_end,
        (0, 1, 2, 3),
        [(0.1, *MODERATE, 0.2, 50), (-0.5, ONES, ONES, 1.0, 1021)],
    ),
    "system, arrays": (rotation, (0, 1, 2), [(MODERATE[0], 0.3, 0.2, 9), (2.0 * ONES, 1e-3, 1e-3, 1008)]),
    "polynomial, numbers and arrays": (
        polynomial,
        (0, 1, 2),
        [(0.3, MODERATE[0], 1.0, 20), (1e300, np.array([1e300, -1e300]), -1e300, 100)],
    ),
    "product, arrays": (
        product_of_elements,
        (0, 1, 2),
        [(MODERATE[0], 2.0, 3.0), (UP_AND_DOWN, 1e-300, 1.0), (UP_AND_DOWN, 1.0, 1e-300), (np.zeros(9), 1.0, 1.0)],
    ),
    "product, numbers": (product_of_steps, (0, 1), [(0.9, 2.0, 30), (-0.5, 1e-300, 2500)]),
    "affine by step, arrays": (
        affine_of_elements,
        (0, 1, 2),
        [(*MODERATE, 0.7), (UP_AND_DOWN, np.zeros(2060), 1e-300)],
    ),
}


# Results are differences of much larger numbers.
DIFFERENCES = ("system, arrays",)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("case", CASES)
def test_what_is_finite_stays_finite(case):
    function, wrt, points = CASES[case]
    for point in points:
        seen = 0
        mine, other = (tl.grad(function, argnums=wrt, method=each)(*point) for each in ("coarsened", "redundant"))
        scale = max(np.max(np.abs(b), where=np.isfinite(b), initial=0.0) for b in other)
        for a, b in zip(mine, other, strict=True):
            finite = np.isfinite(b)
            seen += np.count_nonzero(finite)
            near = 1e-9 * scale if case in DIFFERENCES else 1e-300
            np.testing.assert_allclose(np.asarray(a)[finite], np.asarray(b)[finite], rtol=1e-9, atol=near)
        assert seen > 0, point


def test_steps_of_arrays_run_only_where_closed_forms_overflow():
    """Closed forms of a descent over arrays are segments, with a second form step by step in a branch."""
    kernel = tl.compile(tl.grad(descent, argnums=(1, 2), method="coarsened"), CASES["affine, arrays"][2][0])
    assert "a loop from" in kernel.explain()
    assert "scf.if" in kernel.ir("ad")
