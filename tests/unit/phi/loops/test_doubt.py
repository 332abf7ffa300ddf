"""Loops that end by sums that are taken outside of them: they end where the program says, also near their tolerance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import tapeless as tl


@tl.function
def steps_of(rate, xs, ys, most, tolerance):
    """The number of steps of a descent times the rate, so that its slope in the rate is the number."""
    w = 0.0
    steps = 0
    for _ in range(most):
        slope = 0.0
        for i in range(len(xs)):
            slope += 2.0 * xs[i] * (ys[i] - xs[i] * w)
        if abs(slope) < tolerance:
            break
        w += rate * slope
        steps += 1
    return rate * steps + 0.0 * w


@tl.function
def within(rate, xs, ys, most, tolerance):
    """The same as a `while`, by the square of the slope, with the value at the end."""
    w = 0.0
    slope = 1.0
    steps = 0
    while slope * slope >= tolerance * tolerance and steps < most:
        slope = 0.0
        for i in range(len(xs)):
            slope += 2.0 * xs[i] * (ys[i] - xs[i] * w)
        w += rate * slope
        steps += 1
    return rate * steps + 0.0 * w


def data(seed, count=50):
    rng = np.random.default_rng(seed)
    xs = rng.uniform(0.5, 1.5, count)
    return 0.3 / np.sum(2.0 * xs * xs), xs, 0.8 * xs + 0.1 * rng.normal(size=count)


def product_sum(a, b, c, fused):
    """`a * b + c`, rounded once or twice."""
    return float(Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))) if fused else a * b + c


def steps_by_order(seed, most, tolerance):
    """The numbers of steps that `steps_of` takes with its sum in one, two, four or eight lanes, fused or not.

    The order of a sum is free, and vectors and fused operations are those of the processor.
    """
    rate, xs, ys = data(seed)
    found = set()
    for lanes, fused in product((1, 2, 4, 8), (True, False)):
        w, steps = 0.0, 0
        while steps < most:
            sums = [0.0] * lanes
            for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
                sums[i % lanes] = product_sum(2.0 * x, product_sum(-x, w, y, fused), sums[i % lanes], fused)
            while len(sums) > 1:
                half = len(sums) // 2
                sums = [a + b for a, b in zip(sums[:half], sums[half:], strict=True)]
            if abs(sums[0]) < tolerance:
                break
            w = product_sum(rate, sums[0], w, fused)
            steps += 1
        found.add(steps)
    return found


@pytest.mark.one_in(31)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-12, 1e-13, 3e-14])
@pytest.mark.parametrize("function", [steps_of, within], ids=["break", "while"])
def test_steps_are_those_of_the_program(function, tolerance):
    kernels = [tl.jit(tl.grad(function, method=each)) for each in ("coarsened", "redundant")]
    moved = 1 if function is within else 0  # it looks at the slope of the step before
    differing = 0
    for seed in range(100):
        mine, other = (round(float(kernel(*data(seed), 200, tolerance))) for kernel in kernels)
        if mine != other:
            differing += 1
            assert {mine - moved, other - moved} <= steps_by_order(seed, 200, tolerance), seed
    assert differing <= (3 if tolerance < 1e-13 else 0)


def test_the_loop_is_solved():
    kernel = tl.compile(tl.grad(steps_of, method="coarsened"), (*data(0), 200, 1e-6))
    assert "differentiated as a whole" in kernel.explain()


def test_sums_are_taken_once_where_nothing_is_in_doubt():
    """Far from its tolerance a descent over many points takes no longer with more steps than their number."""
    rate, xs, ys = data(1, 20_000)
    kernel = tl.jit(tl.grad(steps_of, method="coarsened"))
    counts = tl.jit(tl.grad(steps_of, method="redundant"))
    assert kernel(rate, xs, ys, 20, 1e-9) == pytest.approx(counts(rate, xs, ys, 20, 1e-9), rel=1e-12)
