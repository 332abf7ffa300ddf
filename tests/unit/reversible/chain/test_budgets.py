"""Budgets far above and below the number of iterations, by every method: values, gradients, and the room they take."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by

TRIPS = (0, 1, 2, 5, 40)
X = np.array([0.3, 0.7])
# The nests of these methods store a state for each of four levels at least.
STATES = {"redundant": (0, 4, 5, 7, 12), "coarsened": (0, 4, 5, 7, 12), "reversible": (0, 1, 1, 1, 1)}


def with_budget(budget):
    """A loop that carries a number and an array."""

    @tl.function
    def steps(x, n):
        s, t = x, x[0]
        for _ in tl.range(n, budget=budget):
            s, t = tl.sin(s) * 1.1 + x * t, tl.cos(t) * s[1]
        return tl.sum(s) + t

    return steps


def by_hand(x, n):
    """The value and the gradient of the same loop, from tangents."""
    s, t, ds, dt = x, x[0], np.eye(2), np.array([1.0, 0.0])
    for _ in range(n):
        ds_next = 1.1 * np.cos(s)[:, None] * ds + np.eye(2) * t + np.outer(x, dt)
        dt = -np.sin(t) * dt * s[1] + np.cos(t) * ds[1]
        s, t, ds = np.sin(s) * 1.1 + x * t, np.cos(t) * s[1], ds_next
    return s.sum() + t, ds.sum(axis=0) + dt


@pytest.mark.one_in(18)
@pytest.mark.parametrize("budget", [1, 6, 10**8, 2**62])
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_any_budget_with_any_number_of_iterations(budget, method):
    program = with_budget(budget)
    both = tl.compile(tl.value_and_grad(program, method=method), (X, 3))
    for n, least in zip(TRIPS, STATES[method], strict=True):
        if least > budget:
            with pytest.raises(tl.ArgumentError, match=f"a loop of {n} iterations; give at least {least}"):
                both(X, n)
            continue
        value, gradient = both(X, n)
        wanted = by_hand(X, n)
        np.testing.assert_allclose(value, wanted[0], rtol=1e-13, err_msg=f"{n} iterations")
        np.testing.assert_allclose(gradient, wanted[1], rtol=1e-11, err_msg=f"{n} iterations")


def test_values_take_any_budget():
    for n in TRIPS:
        assert with_budget(1)(X, n) == pytest.approx(by_hand(X, n)[0])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_room_is_that_of_the_iterations_there_are(method):
    gradient = tl.compile(tl.grad(with_budget(10**8), method=method), (X, 3))
    assert held_by(lambda: gradient(X, 5)) < 10_000
