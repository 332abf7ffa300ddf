"""What `explain` says of loops that go back."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl


@tl.function
def both(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x -= 0.1 * tl.sin(y)
        y += 0.1 * x
    for _ in range(n):
        x = tl.sin(x) * y
    return x


@tl.function
def damped(x: tl.f64[:], y: tl.f64[:], n: tl.i64):
    for _ in range(n):
        x = x * (1.0 - y) + 0.1 * tl.sin(y)
    return tl.sum(x)


@tl.function
def by_constants(x: tl.f64[:], y: tl.f64[:], n: tl.i64):
    energy = 0.0
    for _ in range(n):
        energy += tl.sum(x * y)
        x = (2.0 * x + y) / 0.5
        y = -1.5 * y
    return energy


@tl.function
def halved(x: tl.f64[:], y: tl.f64[:], n: tl.i64):
    energy = 0.0
    for _ in range(n):
        energy += tl.sum(x * y)
        x = 0.5 * x
        y = y / 2.0 + x
    return energy


def loops(method, function=both, arguments=(0.1, 0.2, 3), argnums=0):
    kernel = tl.compile(tl.grad(function, argnums=argnums, method=method), arguments)
    return [line.split(": ", 1)[1] for line in kernel.explain().splitlines() if line.startswith("  loop")]


def test_which_way_and_why():
    backwards, stored = sorted(loops("reversible"))
    assert backwards == "runs backwards, keeps 4 sums to notice drift"
    assert stored.startswith("stores a state per iteration: carried value 0 cannot be found again from what")


def test_nothing_of_other_methods():
    assert loops("redundant") == []


def lines_divided(function):
    """Where the loop of a function divides, counted from its line; nothing is said if it does not."""
    (way,) = loops("reversible", function, (np.ones(3), np.full(3, 0.5), 3), argnums=(0, 1))
    assert re.match(r"runs backwards, keeps [24] sums to notice drift", way)
    found = re.search(r"; undoes lines? ([0-9, ]+) by division, so errors grow where that makes values smaller", way)
    first = function.__wrapped__.__code__.co_firstlineno + 1
    return [int(number) - first for number in found[1].split(", ")] if found else []


@pytest.mark.thorough
def test_where_it_divides():
    """Products and quotients by constants that keep errors small are not named."""
    assert lines_divided(damped) == [2]
    assert lines_divided(by_constants) == []
    assert lines_divided(halved) == [4, 5]


@tl.function
def linear(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x -= 0.1 * y
        y += 0.1 * x
    return x + y


@tl.function
def driven(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x -= 0.1 * tl.sin(y)
        y += 0.3
    return x


def test_what_is_kept():
    """Sums are those that are compared: none where adjoints need no value of the loop, two for each value they need."""
    nothing = "runs backwards, keeps nothing: adjoints need none of its values"
    assert loops("reversible", linear) == [nothing]
    assert loops("reversible", driven, argnums=(0, 1)) == ["runs backwards, keeps 2 sums to notice drift"]
    assert "tl_report" not in tl.compile(tl.grad(linear, method="reversible"), (0.1, 0.2, 3)).asm()
    assert loops("reversible", damped, (np.ones(3), np.full(3, 0.5), 3)) == [nothing]


@tl.function
def fitted(coefficients: tl.f64[:], places: tl.f64[:]):
    def residual(t):
        value, power = 0.0, 1.0
        for coefficient in coefficients:
            value += coefficient * power
            power *= t
        return (value - tl.sin(t)) ** 2

    return tl.sum(tl.map(residual, places))


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_numbers_in_a_map_are_stored_rather_than_divided(method):
    coefficients, places = np.array([0.1, 0.9, 0.2, -0.3]), np.linspace(-1.0, 1.0, 9)
    kernel = tl.compile(tl.grad(fitted, method=method), (coefficients, places))
    powers = places[:, None] ** np.arange(4)
    expected = 2.0 * powers.T @ (powers @ coefficients - np.sin(places))
    np.testing.assert_allclose(kernel(coefficients, places), expected, rtol=1e-12, atol=1e-13)
    explained = str(kernel.explain())
    if method == "reversible":
        assert "carries numbers in one iteration of a map" in explained
    assert "drift" not in explained, "one place is zero, and nothing is divided by it"
