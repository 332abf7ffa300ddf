"""Loops that end by sums that are taken outside of them: they end where the program says, also near their tolerance."""

from __future__ import annotations

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


def slope(function, method, arguments):
    return tl.grad(function, method=method)(*arguments)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-12, 1e-13, 3e-14])
@pytest.mark.parametrize("function", [steps_of, within], ids=["break", "while"])
def test_steps_are_those_of_the_program(function, tolerance):
    kernels = [tl.jit(tl.grad(function, method=each)) for each in ("coarsened", "redundant")]
    for seed in range(100):
        mine, other = (kernel(*data(seed), 200, tolerance) for kernel in kernels)
        assert round(float(mine)) == round(float(other)), seed


def test_the_loop_is_solved():
    kernel = tl.compile(tl.grad(steps_of, method="coarsened"), (*data(0), 200, 1e-6))
    assert "differentiated as a whole" in kernel.explain()


def test_sums_are_taken_once_where_nothing_is_in_doubt():
    """Far from its tolerance a descent over many points takes no longer with more steps than their number."""
    rate, xs, ys = data(1, 20_000)
    kernel = tl.jit(tl.grad(steps_of, method="coarsened"))
    counts = tl.jit(tl.grad(steps_of, method="redundant"))
    assert kernel(rate, xs, ys, 20, 1e-9) == pytest.approx(counts(rate, xs, ys, 20, 1e-9), rel=1e-12)
