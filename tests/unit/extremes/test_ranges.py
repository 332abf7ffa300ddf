"""Ranges at the ends of the integers: how often loops run, which values they see, and their derivatives."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tapeless as tl

from .table import EXTREMES, HIGHEST, LOWEST

MOST_TRIPS = 5


@tl.function
def first_few(a: tl.i64, b: tl.i64, s: tl.i64):
    count = 0
    last = 7
    for i in range(a, b, s):
        last = i
        count += 1
        if count == MOST_TRIPS:
            break
    return count, last


@tl.function
def down(a: tl.i64, b: tl.i64):
    count = 0
    last = 7
    for i in range(a, b, -1):
        last = i
        count += 1
        if count == MOST_TRIPS:
            break
    return count, last


@tl.function
def by_any_step(x: tl.f64, a: tl.i64, b: tl.i64, s: tl.i64):
    for _ in range(a, b, s):
        x = x * x * 1.5
    return x


@tl.function
def up_by_one(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in range(a, b):
        x = x * x * 1.5
    return x


@tl.function
def down_by_one(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in range(a, b, -1):
        x = x * x * 1.5
    return x


@tl.function
def up_by_three(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in range(a, b, 3):
        x = x * x * 1.5
    return x


@tl.function
def up_far(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in range(a, b, 2**63 - 1):
        x = x * x * 1.5
    return x


@tl.function
def down_far(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in range(a, b, -(2**63)):
        x = x * x * 1.5
    return x


@tl.function
def in_strips(x: tl.f64, a: tl.i64, b: tl.i64):
    for _ in tl.range(a, b, stripmine=2):
        x = x * x * 1.5
    return x


CONSTANT_STEPS = ((up_by_one, 1), (down_by_one, -1), (up_by_three, 3), (up_far, HIGHEST), (down_far, LOWEST))


def trips(a: int, b: int, step: int) -> int:
    return max(-((a - b) // step), 0)


def squared_often(x: float, count: int) -> tuple[float, float]:
    slope = 1.0
    for _ in range(count):
        x, slope = x * x * 1.5, slope * 3.0 * x
    return x, slope


def test_trips_and_values_of_computed_steps() -> None:
    for a, b, s in product(EXTREMES, EXTREMES, EXTREMES):
        if s:
            seen = [value for value, _ in zip(range(a, b, s), range(MOST_TRIPS), strict=False)]
            assert first_few(a, b, s) == (len(seen), seen[-1] if seen else 7), (a, b, s)
        seen = [value for value, _ in zip(range(a, b, -1), range(MOST_TRIPS), strict=False)]
        assert down(a, b) == (len(seen), seen[-1] if seen else 7), (a, b)


def test_values_and_gradients_of_computed_steps() -> None:
    both = tl.value_and_grad(by_any_step)
    for a, b, s in product(EXTREMES, EXTREMES, EXTREMES):
        if s and trips(a, b, s) < 10:
            np.testing.assert_allclose(both(0.7, a, b, s), squared_often(0.7, trips(a, b, s)), err_msg=f"{a} {b} {s}")


@pytest.mark.parametrize(("function", "step"), CONSTANT_STEPS)
def test_values_and_gradients_of_constant_steps(function: tl.TapelessFunction, step: int) -> None:
    """Bounds beyond 2**62 are refused where the counter goes up by more than one, and nowhere else."""
    both = tl.value_and_grad(function)
    for a, b in product(EXTREMES, EXTREMES):
        if step == 3 and max(abs(a), abs(b)) > 2**62:
            with pytest.raises(tl.ArgumentError, match="a bound of a range is beyond"):
                both(0.7, a, b)
        elif trips(a, b, step) < 10:
            np.testing.assert_allclose(both(0.7, a, b), squared_often(0.7, trips(a, b, step)), err_msg=f"{a} {b}")


def test_loops_in_strips() -> None:
    both = tl.value_and_grad(in_strips)
    for a, b in product(EXTREMES, EXTREMES):
        if max(abs(a), abs(b)) > 2**62:
            with pytest.raises(tl.ArgumentError, match="a bound of a range is beyond"):
                both(0.7, a, b)
        elif trips(a, b, 1) < 10:
            np.testing.assert_allclose(both(0.7, a, b), squared_often(0.7, trips(a, b, 1)))


def test_states_of_a_loop_that_cannot_be_stored_are_refused() -> None:
    with pytest.raises(MemoryError):
        tl.grad(up_by_one)(0.7, 0, HIGHEST)


def test_a_bound_that_wraps_is_refused() -> None:
    @tl.function
    def above(n: tl.i64):
        total = 0
        for i in range(2, n - 1):
            total += i
        return total

    assert [above(n) for n in (LOWEST + 1, 3, 5)] == [0, 0, 5]
    with pytest.raises(tl.ArgumentError, match=r"test_ranges.py:\d+: a bound of a range does not fit into 64 bits"):
        above(LOWEST)


def test_a_step_that_does_not_fit_is_refused() -> None:
    @tl.function
    def far(x: tl.f64):
        for _ in range(0, 5, 2**63):
            x = x * 2.0
        return x

    with pytest.raises(tl.TypeMismatch, match="the integer 9223372036854775808 does not fit"):
        far(1.0)
