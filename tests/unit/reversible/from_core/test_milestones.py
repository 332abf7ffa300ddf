"""Loops that run backwards with a budget set out anew from kept states, so that errors have little time to grow."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by

pytestmark = pytest.mark.one_in(3)

STATES = 5
LINE = re.compile(r"  drift .* off by at most (\S+) of its size; .*: (\d+) times")


@tl.function
def absorbed(before: tl.f64[:], u: tl.f64[:], damping: tl.f64[:]):
    after = (2.0 - damping) * u - (1.0 - damping) * before
    after[1:-1] += 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return after


@tl.function
def kept(u: tl.f64[:], damping: tl.f64[:], n: tl.i64):
    before = 0.9 * u
    for _ in tl.range(n, budget=STATES):
        before, u = u, absorbed(before, u, damping)
    return tl.sum(u * u)


@tl.function
def stored(u: tl.f64[:], damping: tl.f64[:], n: tl.i64):
    before = 0.9 * u
    for _ in range(n):
        before, u = u, absorbed(before, u, damping)
    return tl.sum(u * u)


U, DAMPING = np.exp(-(np.linspace(-3.0, 3.0, 9) ** 2)), np.linspace(0.4, 0.6, 9)


def called(function, arguments, argnums=(0, 1), **options):
    """The gradient, the largest error met, and how often that was too large."""
    kernel = tl.compile(tl.grad(function, argnums=argnums, method="reversible", **options), arguments)
    found = kernel(*arguments)
    (drift,) = [LINE.fullmatch(line) for line in kernel.explain().splitlines() if line.startswith("  drift")]
    return found, float(drift[1]), int(drift[2])


def true(function, arguments, argnums=(0, 1)):
    return tl.grad(function, argnums=argnums, method="redundant")(*arguments)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("n", [0, 1, 4, 5, 6, 10, 11, 60])
def test_gradients(n):
    found, error, times = called(kept, (U, DAMPING, n))
    assert times == 0 and error < 1e-10
    for one, other in zip(found, true(stored, (U, DAMPING, n)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-14)


def test_without_states_it_goes_astray():
    """Half of everything is absorbed in a step: after 60 of them nothing of the start is left."""
    assert called(stored, (U, DAMPING, 60))[2] == 1


@pytest.mark.thorough
def test_too_far_apart():
    """States that are too far apart do not help: the loop runs again, or says how far it is off."""
    arguments = U, DAMPING, 60 * STATES
    found, error, times = called(kept, arguments)
    assert times == 1 and error > 1e-9
    for one, other in zip(found, true(stored, arguments), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-14)
    called(kept, (U, DAMPING, 60), fallback=False)
    with pytest.raises(tl.InvertibilityError, match="a loop that ran backwards is off by"):
        called(kept, arguments, fallback=False)


def test_memory_is_that_of_the_budget():
    gradient, u = tl.grad(kept, argnums=(0, 1), method="reversible"), np.ones(1000)
    held = []
    for n in (20, 60):
        gradient(u, 0.5 * u, n)
        held.append(held_by(gradient, u, 0.5 * u, n))
    assert held[0] == held[1] <= (2 * (STATES + 1) + 16) * u.nbytes


@pytest.mark.thorough
def test_second_derivatives():
    """Forward over reverse: the loop runs backwards for its states alone first, and keeps none."""
    found = tl.hessian(kept, argnums=1, method="reversible")(U, DAMPING, 12)
    np.testing.assert_allclose(found, tl.hessian(stored, argnums=1, method="redundant")(U, DAMPING, 12), rtol=1e-9)


@tl.function
def damped(x: tl.f64, weights: tl.f64[3], n: tl.i64):
    total = 0.0
    for i in tl.range(2, 2 + 3 * n, 3, budget=STATES):
        total += tl.sin(x) * weights[i // 3 % 3]
        x = 0.5 * x + 0.25
    return total


@tl.function
def all_damped(xs: tl.f64[:], weights: tl.f64[3], ns: tl.i64[:]):
    return tl.sum(tl.map(lambda x, n: damped(x, weights, n), xs, ns))


def test_inside_of_a_map():
    xs, weights, ns = np.linspace(0.3, 0.9, 7), np.array([1.0, 2.0, 3.0]), np.array([0, 1, 2, 5, 13, 60, 70])
    found, _, times = called(all_damped, (xs, weights, ns))
    assert times == 0
    points, factors = xs, np.ones(7)
    by_x, by_weights = np.zeros(7), np.zeros(3)
    for k in range(70):
        by_x += np.where(k < ns, weights[k % 3] * factors * np.cos(points), 0.0)
        by_weights[k % 3] += np.sum(np.where(k < ns, np.sin(points), 0.0))
        points, factors = 0.5 * points + 0.25, 0.5 * factors
    np.testing.assert_allclose(found[0], by_x, rtol=1e-9)
    np.testing.assert_allclose(found[1], by_weights, rtol=1e-9)


@tl.function
def linear(u: tl.f64[:], n: tl.i64):
    before = 0.9 * u
    for _ in tl.range(n, budget=STATES):
        before, u = u, absorbed(before, u, tl.full(9, 0.5))
    return tl.sum(u)


def way(function, arguments, argnums=0):
    text = tl.compile(tl.grad(function, argnums=argnums, method="reversible"), arguments).explain()
    (line,) = [line for line in text.splitlines() if line.startswith("  loop")]
    return line.split(": ", 1)[1]


def test_what_is_said():
    """States are kept where adjoints need values of the loop."""
    assert way(kept, (U, DAMPING, 3), (0, 1)).startswith(
        "runs backwards, keeps at most 5 states to set out from anew and 4 sums to notice drift; undoes line"
    )
    assert way(linear, (U, 3)) == "runs backwards, keeps nothing: adjoints need none of its values"


def test_what_is_not_needed_is_not_kept():
    gradient, u = tl.grad(linear, method="reversible"), np.ones(9)
    gradient(u, 40)
    assert held_by(gradient, u, 40) <= 8 * u.nbytes
