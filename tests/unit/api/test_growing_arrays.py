"""Arrays that change their size in a loop, from constant and from run-time sizes: values, tangents and the refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from programs.axes import METHODS


@tl.function
def from_one(n: tl.i64) -> tl.f64[:]:
    x = tl.zeros(1)
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


@tl.function
def from_one_while(n: tl.i64) -> tl.f64[:]:
    x, i = tl.zeros(1), 0
    while i < n:
        x = tl.concat((x, x + i))
        i += 1
    return x


@tl.function
def from_one_breaking(n: tl.i64) -> tl.f64[:]:
    x = tl.zeros(1)
    for i in range(100):
        if i >= n:
            break
        x = tl.concat((x, x + i))
    return x


@tl.function
def zeros_of(size):
    return tl.zeros(5)[0:size]


@tl.function
def from_one_inlined(n: tl.i64) -> tl.f64[:]:
    x = zeros_of(1)
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


@tl.function
def from_argument(x: tl.f64[:], n: tl.i64) -> tl.f64[:]:
    for i in range(n):
        x = tl.concat((x, x + i))
    return x


@tl.function
def shrinking(x: tl.f64[8], n: tl.i64):
    total = 0.0
    for _ in range(n):
        x = x[1:] * x[:-1]
        total += tl.sum(x)
    return total


@tl.function
def rows_grow(scale: tl.f64, n: tl.i64):
    a = tl.ones((1, 2))
    for i in range(n):
        a = tl.concat((a, a * scale + i), axis=0)
    return tl.sum(a * a)


@tl.function
def doubled_into_two(scale: tl.f64, n: tl.i64):
    """Grows to the constant size that is asked for after the loop when there is one iteration."""
    x = tl.ones(1) * scale
    for _ in range(n):
        x = tl.concat((x, x * scale))
    return tl.sum(tl.ones(2) * x)


@tl.function
def grows_or_shrinks(x: tl.f64[:], n: tl.i64):
    """By branches, in a nest: no size is known before, and one is zero for a while."""
    y = x[:1]
    total = 0.0
    for i in range(n):
        for k in range(i + 1):
            if x[k] > 0.8:
                y = y[1:]
                total += x[k]
            else:
                y = tl.concat((y * x[i], tl.sin(y), x[i : i + 1]))
        total += tl.sum(y * y)
    return total


@tl.function
def sized_in_a_branch(x: tl.f64[:]):
    """A branch that may not be taken needs the size that the loop carries to be 3."""
    y = tl.zeros(3)
    for i in range(3):
        if x[i] > 1.0:
            y = y + x * x[i]
        else:
            x[i] = x[i] * x[0]
    return tl.sum(y) + tl.sum(x * x)


@tl.function
def promised_and_growing(scale: tl.f64, n: tl.i64):
    x = tl.ones(1) * scale
    for _ in tl.range(n, true_dep=("x",)):
        x = tl.concat((x, x * scale))
    return tl.sum(x)


@tl.function
def rotated(scale: tl.f64, n: tl.i64):
    x = tl.zeros(2) + scale
    for _ in range(n):
        x = tl.concat((x[1:], x[:1] * scale))
    return tl.sum(x * x)


def doubled(x: np.ndarray[Any, Any], n: int) -> np.ndarray[Any, Any]:
    for i in range(n):
        x = np.concatenate((x, x + i))
    return x


@pytest.mark.parametrize("function", [from_one, from_one_while, from_one_breaking, from_one_inlined])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_constant_size_may_change(function: Any, n: int) -> None:
    np.testing.assert_array_equal(function(n), doubled(np.zeros(1), n))


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_size_known_at_run_time_may_change(n: int) -> None:
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(from_argument(x, n), doubled(x, n))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [0, 1, 3])
def test_tangents_grow_and_shrink_with_their_arrays(n: int) -> None:
    step = 1e-6
    x = np.linspace(0.5, 1.5, 8)
    for function, at, direction in ((shrinking, x, np.cos(x)), (rows_grow, 1.3, 1.0)):
        value, tangent = tl.jvp(function, (at, n), (direction, 0))
        np.testing.assert_allclose(value, function(at, n), rtol=1e-14)
        difference = (function(at + step * direction, n) - function(at - step * direction, n)) / (2 * step)
        np.testing.assert_allclose(tangent, difference, rtol=1e-6)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [0, 3])
def test_adjoints_grow_and_shrink_with_their_arrays(n: int, method: str) -> None:
    x = np.linspace(0.5, 1.5, 8)
    for function, at, direction in ((shrinking, x, np.cos(x)), (rows_grow, 1.3, 1.0), (grows_or_shrinks, x, x)):
        _, tangent = tl.jvp(function, (at, n), (direction, 0))
        gradient = tl.grad(function, method=method)(at, n)
        np.testing.assert_allclose(np.sum(gradient * direction), tangent, rtol=1e-13)


@pytest.mark.thorough
def test_second_derivatives_of_growing_arrays() -> None:
    step = 1e-5
    x, direction = np.linspace(0.5, 1.5, 8), np.linspace(1.0, -1.0, 8)
    ends = [tl.grad(grows_or_shrinks)(x + h * direction, 4) for h in (step, -step)]
    found = tl.jvp(tl.grad(grows_or_shrinks), (x, 4), (direction, 0))[1]
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / (2 * step), rtol=1e-7, atol=1e-8)
    assert doubled_into_two(1.3, 1) == pytest.approx(1.3 + 1.3**2)
    assert tl.grad(doubled_into_two)(1.3, 1) == pytest.approx(1.0 + 2.0 * 1.3)


def test_a_promise_about_a_changing_size_is_refused_on_the_way_back() -> None:
    with pytest.raises(
        tl.ShapeMismatch,
        match=r"size 2 that began with 1; keep its size or leave out hints\n.*for _ in tl.range",
    ):
        tl.grad(promised_and_growing)(1.3, 1)


def test_a_size_that_stays_the_same_can_be_run_back() -> None:
    x = np.array([0.5, 1.5, 0.7])
    slopes = [(sized_in_a_branch(x + 1e-6 * e) - sized_in_a_branch(x - 1e-6 * e)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(tl.grad(sized_in_a_branch)(x), slopes, rtol=1e-6)
    np.testing.assert_allclose(tl.grad(rotated)(2.0, 3), 4 * 2.0**3 + 6 * 2.0**5)


@tl.function
def swapped(x, y, n):
    for _ in range(n):
        x, y = y, x
    return tl.sum(x * x)


@pytest.mark.parametrize("method", METHODS)
def test_arrays_that_are_handed_on_keep_their_sizes(method: str) -> None:
    gradient = tl.grad(swapped, argnums=(0, 1), method=method)
    three, four = np.arange(3.0), np.arange(4.0)
    np.testing.assert_allclose(gradient(three, three + 1.0, 3), (np.zeros(3), 2.0 * (three + 1.0)))
    with pytest.raises(tl.ShapeMismatch, match="size 4 that began with 3; keep its size"):
        gradient(three, four, 3)
