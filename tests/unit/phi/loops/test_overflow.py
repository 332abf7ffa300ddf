"""Closed forms that are infinite, or no number, where their loops are finite: the loops run step by step then."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def affine(a, b, p, n):
    for _ in range(n):
        p = a * p + b
    return p


@tl.function
def system(a, b, c, d, p, q, n, s):
    for _ in range(n):
        p, q = a * p + b * q, c * p + d * q
    return s * (p + 2.0 * q)


AFFINE = {
    "a fixed point": (2.0, -1.0, 1.0, 2000),
    "a small start": (2.0, 0.0, 1e-300, 1100),
    "zero": (2.0, 0.0, 0.0, 3000),
    "overflows itself": (2.0, 1.0, 1.0, 3000),
    "finite": (0.9, 0.2, 0.4, 300),
    "no steps": (2.0, -1.0, 1.0, 0),
}


def reference(a, b, p, n):
    """The value and its derivatives in a, b and p, step by step."""
    x, da, db, dp = np.float64(p), 0.0, 0.0, 1.0
    with np.errstate(all="ignore"):
        for _ in range(n):
            x, da, db, dp = a * x + b, a * da + x, a * db + 1.0, a * dp
    return x, (da, db, dp)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("case", AFFINE)
def test_affine_loops(case):
    point = AFFINE[case]
    value, slopes = reference(*point)
    found = tl.grad(affine, argnums=(0, 1, 2), method="coarsened")(*point)
    np.testing.assert_allclose(found, slopes, rtol=1e-12)
    both = tl.value_and_grad(affine, argnums=(0, 1, 2), method="coarsened")(*point)
    assert both[0] == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(both[1], slopes, rtol=1e-12)
    tangent = tl.jvp(affine, point, (0.3, -0.2, 0.0, None), method="coarsened")[1]
    if np.all(np.isfinite(slopes[:2])):
        assert tangent == pytest.approx(0.3 * slopes[0] - 0.2 * slopes[1], rel=1e-12)


def test_no_seed_gives_nothing():
    scaled = tl.function(lambda a, b, p, n, s: s * affine(a, b, p, n))
    found = tl.grad(scaled, argnums=(0, 1, 2), method="coarsened")(2.0, -1.0, 1.0, 2000, 0.0)
    assert found == (0.0, 0.0, 0.0)


SYSTEMS = {
    "one value grows from nothing": (2.0, 0.0, 0.0, 0.5, 0.0, 1.0, 3000),
    "a fixed point": (3.0, -2.0, 1.0, 0.0, 1.0, 1.0, 3000),
    "a small start": (2.0, 0.0, 0.0, 0.5, 1e-300, 1.0, 1100),
    "finite": (0.9, 0.1, -0.1, 0.9, 1.0, 0.5, 200),
}


@pytest.mark.parametrize("case", SYSTEMS)
def test_systems(case):
    """Slopes that are finite step by step; the slope in s is the value, which nothing else reads."""
    *matrix, p, q, n = SYSTEMS[case]
    wrt = (0, 1, 2, 3, 4, 5, 7)
    mine, other = (
        tl.grad(system, argnums=wrt, method=each)(*SYSTEMS[case], 0.5) for each in ("coarsened", "redundant")
    )
    for a, b in zip(mine, other, strict=True):
        assert not np.isfinite(b) or a == pytest.approx(b, rel=1e-9)
    for _ in range(n):
        p, q = matrix[0] * p + matrix[1] * q, matrix[2] * p + matrix[3] * q
    assert mine[-1] == pytest.approx(p + 2.0 * q, rel=1e-12)


def test_lanes_that_overflow_beside_others():
    rng = np.random.default_rng(4)
    factors, starts = rng.uniform(0.5, 0.99, 67), rng.normal(size=67)
    factors[[3, 40]], starts[[3, 40]] = 2.0, (1.0, 1e-300)
    total = tl.function(lambda a, p, n: tl.sum(tl.map(lambda a, p: affine(a, 0.0, p, n) / a, a, p)))
    found = tl.grad(total, argnums=(0, 1), method="coarsened")(factors, starts, 1010)
    for place in range(67):
        value, (da, _, dp) = reference(factors[place], 0.0, starts[place], 1010)
        with np.errstate(all="ignore"):
            a = factors[place]
            np.testing.assert_allclose(found[0][place], da / a - value / a / a, rtol=1e-11)
            np.testing.assert_allclose(found[1][place], dp / a, rtol=1e-12)


def test_promises_of_finite_numbers_leave_the_steps_out():
    point = (0.9, 0.2, 0.4, 30)
    kernel = tl.compile(tl.grad(affine, method="coarsened"), point, fastmath=("ninf", "reassoc"))
    assert kernel.ir("ad").count("scf.for") == 1
    assert kernel(*point) == pytest.approx(reference(*point)[1][0], rel=1e-12)
