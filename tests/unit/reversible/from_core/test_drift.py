"""Loops that run backwards and go astray are noticed: they run again, or an error says how far off they were."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by


@tl.function
def chaotic(x: tl.f64, y: tl.f64, n: tl.i64):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return x * x + y


@tl.function
def wave(before: tl.f64[:], u: tl.f64[:], n: tl.i64):
    for _ in range(n):
        after = 2.0 * u - before
        after[1:-1] += 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return tl.sum(u * u)


@tl.function
def stiff(q: tl.f64, p: tl.f64, n: tl.i64):
    for _ in range(n):
        p = p - 0.01 * (tl.sin(q) + 20.0 * p)
        q = q + 0.01 * p
    return q * q


@tl.function
def grows(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += tl.exp(-x) * y
        x = x + 0.1 * x
    return s


@tl.function
def decays(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += tl.sin(x) * y
        x = x - 0.1 * x
    return s


@tl.function
def decays_to_a_point(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += tl.sin(x) * y
        x = 0.9 * x + 0.1
    return s


@tl.function
def heals(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for i in range(2 * n):
        s += tl.sin(x) * y
        x = 2.0 * x - 1.0 if i < n else 0.5 * x + 1.0
    return s


@tl.function
def cancels(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(n):
        s += x * x * y
        x = x + 1e16
    return s


@tl.function
def heals_in_arrays(x: tl.f64[:], y: tl.f64, n: tl.i64):
    s = 0.0
    for i in range(2 * n):
        s += tl.sum(tl.sin(x)) * y
        x = 2.0 * x - 1.0 if i < n else 0.5 * x + 1.0
    return s


@tl.function
def heals_inside(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for _ in range(3):
        for i in range(2 * n):
            s += tl.sin(x) * y
            x = 2.0 * x - 1.0 if i < n else 0.5 * x + 1.0
        x = x - 1.0
    return s


@tl.function
def vanishing(x: tl.f64, y: tl.f64, n: tl.i64):
    s = 0.0
    for i in range(n):
        s += x * x * y
        x = x * (i - 2.0)
    return s


ONES = np.ones(5)
ASTRAY = [
    (chaotic, (0.1, 0.2, 200)),
    (stiff, (1.0, 0.0, 1000)),
    (decays_to_a_point, (3.0, 2.0, 1000)),
    (heals, (1.0, 2.0, 100)),
    (heals, (1.0, 2.0, 5000)),
    (cancels, (1.0, 2.0, 3)),
    (heals_in_arrays, (ONES, 2.0, 100)),
    (vanishing, (1.0, 2.0, 6)),
]
# Elements far from the bump are tiny, and the rounding of larger ones reaches them.
BUMP = np.exp(-(np.linspace(-8.0, 8.0, 500) ** 2))
RIGHT = [
    (chaotic, (0.1, 0.2, 8)),
    (stiff, (1.0, 0.0, 20)),
    (grows, (1.0, 2.0, 1000)),
    (decays, (1.0, 2.0, 1000)),
    (decays_to_a_point, (3.0, 2.0, 60)),
    (heals, (1.0, 2.0, 10)),
    (wave, (BUMP, BUMP, 100)),
]


def named(cases):
    return [f"{function.__name__}-{arguments[2]}" for function, arguments in cases]


def gradient(function, arguments, method="reversible", **options):
    return tl.compile(tl.grad(function, argnums=(0, 1), method=method), arguments, **options)(*arguments)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("function", "arguments"), ASTRAY, ids=named(ASTRAY))
def test_what_goes_astray_runs_again(function, arguments):
    for got, want in zip(gradient(function, arguments), gradient(function, arguments, "redundant"), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("function", "arguments"), ASTRAY, ids=named(ASTRAY))
def test_without_fallback_an_error_says_how_far_off(function, arguments):
    with pytest.raises(tl.InvertibilityError) as raised:
        gradient(function, arguments, fallback=False)
    said = re.search(r"off by (\S+) of the size of its state, and (\S+) is tolerated", str(raised.value))
    off, tolerated = said.groups()
    assert not float(off) <= float(tolerated) == 1e-9
    assert __file__ in str(raised.value)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("function", "arguments"), RIGHT, ids=named(RIGHT))
def test_what_is_right_is_not_refused(function, arguments):
    expected = gradient(function, arguments, "redundant")
    for got, want in zip(gradient(function, arguments, fallback=False), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-12)


def chaotic_elements(x, y, n):
    for _ in range(n):
        x, y = 1.0 - 1.4 * x * x + y, 0.3 * x
    return tl.sum(x * x + y)


def chaotic_with_reads(x, y, n):
    """Adjoints of the array read are added up in place."""
    z = 0.1 * x
    for _ in range(n):
        x, z = 1.0 - 1.4 * x * x + z + tl.map(lambda k: 1e-3 * y[k // 2], tl.iota(len(x))), 0.3 * x
    return tl.sum(x * x)


def chaotic_in_a_map(x, y, n):
    def one(a, b):
        for _ in range(n):
            a, b = 1.0 - 1.4 * a * a + b, 0.3 * a
        return a * a

    return tl.sum(tl.map(one, x, y))


@pytest.mark.thorough
@pytest.mark.parametrize("function", [chaotic_elements, chaotic_with_reads, chaotic_in_a_map])
def test_running_again_takes_memory_that_does_not_grow_with_steps(function):
    x, y = np.linspace(0.1, 0.3, 24), np.linspace(0.2, 0.1, 24)
    kernel = tl.compile(tl.grad(tl.function(function), argnums=(0, 1), method="reversible"), (x, y, 3), threads=1)
    peaks = [held_by(kernel, x, y, steps) for steps in (1000, 100_000)]
    assert peaks[0] == peaks[1] < 32 * 4 * x.nbytes
    expected = gradient(tl.function(function), (x, y, 60), "redundant")
    for got, want in zip(kernel(x, y, 60), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("steps", [0, 1, 2, 31, 32, 33, 100])
def test_few_steps_take_room_for_few_states(steps):
    x, y = np.full(1000, 1e16), np.ones(1000)
    kernel = tl.compile(tl.grad(tl.function(loses_all), argnums=(0, 1), method="reversible"), (x, y, 3), threads=1)
    found = kernel(x, y, steps)
    assert held_by(kernel, x, y, steps) <= (2 * min(steps, 32) + 24) * x.nbytes
    expected = gradient(tl.function(loses_all), (x, y, steps), "redundant")
    for got, want in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13)


def loses_all(x, y, n):
    s = tl.zeros(len(x))
    for _ in range(n):
        s += x * y
        x, y = x - 1e16, y + x
    return tl.sum(s)


def test_errors_inside_of_inner_loops_do_not_pass_unseen():
    arguments = (1.0, 2.0, 100)
    expected = gradient(heals_inside, arguments, "redundant")
    for got, want in zip(gradient(heals_inside, arguments), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9)


def test_single_precision_has_a_wider_tolerance():
    @tl.function
    def turning(q: tl.f32, p: tl.f32, n: tl.i64):
        for _ in range(n):
            p = p - tl.sin(q) * 0.01
            q = q + p * 0.01
        return q * p

    arguments = (np.float32(1.0), np.float32(0.2), 2000)
    expected = gradient(turning, arguments, "redundant")
    for got, want in zip(gradient(turning, arguments, fallback=False), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-3)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("function", "steps", "orders"),
    [
        (chaotic, 30, 2),
        pytest.param(chaotic, 30, 3, marks=pytest.mark.thorough),
        pytest.param(chaotic, 60, 3, marks=pytest.mark.thorough),
        pytest.param(stiff, 1000, 3, marks=pytest.mark.thorough),
    ],
)
def test_derivatives_of_what_went_astray(function, steps, orders):
    def derivatives(method):
        derived = function
        for _ in range(orders):
            derived = tl.grad(derived, method=method)
            yield derived(0.1, 0.2, steps)

    np.testing.assert_allclose(list(derivatives("reversible")), list(derivatives("redundant")), rtol=1e-9)


def test_fallback_is_a_bool():
    with pytest.raises(tl.ArgumentError, match="fallback='no' is not a bool"):
        tl.compile(chaotic, (0.1, 0.2, 3), fallback="no")
