"""Derivatives of while loops, counted and bounded, against central differences."""

from __future__ import annotations

import numpy as np
import pytest
from derivatives import check, from_python, jvp, run, vjp

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7, -0.3])


def halved(x, limit):
    while x > limit:
        x = x * 0.5 + tl.sin(x) * 0.1
    return x


def halved_at_most(x, limit):
    while tl.bounded(x > limit, 9):
        x = x * 0.5 + tl.sin(x) * 0.1
    return x


def halved_at_last(x, limit):
    while tl.bounded(x > limit, 2**40):
        x = x * 0.5 + tl.sin(x) * 0.1
    return x


def counted_on(x, limit):
    while tl.bounded(limit < 1.0, 5000):
        x = x * 0.999
    return x


def root(a):
    x = a
    while tl.abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def while_in_map(xs, limit):
    return tl.map(lambda x: halved_row(x, limit), xs)


@tl.function
def halved_row(x, limit):
    steps = 0
    while x > limit:
        x = x * 0.6
        steps += 1
    return x * steps


def replaced(x, y, count):
    """The iterations do not read what they replace."""
    value, row, done = tl.sin(x[0]), x, 0
    while done < count:
        value = tl.cos(y[done])
        row = y * y
        done += 1
    return value, row


def left_at_once(x, y):
    for i in range(len(x)):
        x = tl.sin(y) * y[i]
        break
    return x


@pytest.mark.parametrize("x", [0.5, 1.5, 9.0, 40.0])
def test_while_loops_run_as_often_as_they_do(x: float) -> None:
    for function in (halved, halved_at_most, halved_at_last):
        check(from_python(function, x, 1.0), x, 1.0)


def test_while_loops_elsewhere() -> None:
    check(from_python(root, 5.3), 5.3)
    check(from_python(while_in_map, XS * 4.0, 0.7), XS * 4.0, 0.7)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_values_that_are_replaced(count: int) -> None:
    check(from_python(replaced, XS, XS + 1.0, count), XS, XS + 1.0, count)
    check(from_python(left_at_once, XS[:count], XS[:count] + 1.0), XS[:count], XS[:count] + 1.0)


def test_loops_beyond_their_bound_fail_in_derivatives_too() -> None:
    program = from_python(halved_at_most, 5.0, 1.0)
    assert len(run(vjp(program), 5.0, 1.0, 1.0)) == 3
    for derivative in (vjp(program), jvp(program, wrt=[0])):
        with pytest.raises(tl.TapelessError, match="the loop ran more than 9 iterations; raise its bound"):
            run(derivative, 5000.0, 1.0, 1.0)


@pytest.mark.thorough
def test_loops_beyond_a_large_bound_fail_too() -> None:
    for derivative in (vjp(from_python(counted_on, 5.0, 1.0)), jvp(from_python(counted_on, 5.0, 1.0), wrt=[0])):
        with pytest.raises(tl.TapelessError, match="the loop ran more than 5000 iterations; raise its bound"):
            run(derivative, 5.0, 0.5, 1.0)
