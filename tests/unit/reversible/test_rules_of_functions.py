"""Functions with derivative rules of their own in right-hand sides of procedures: the rules count there, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

pytestmark = pytest.mark.one_in(2)


@tl.custom_vjp
def odd_square(x):
    """The square, with a derivative that only its rules have."""
    return x * x


odd_square.defvjp(lambda x: (odd_square(x), x), lambda x, ct: (ct * 100.0 * x,))
odd_square.defjvp(lambda primals, tangents: (odd_square(primals[0]), 100.0 * primals[0] * tangents[0]))


@tl.reversible
def direct(total: tl.f64, x: tl.In[tl.f64]):
    total += odd_square(x)


@tl.reversible
def in_a_loop(total: tl.f64, x: tl.In[tl.f64]):
    for _ in range(4):
        total += 0.25 * odd_square(x)


@tl.reversible
def through_a_call(total: tl.f64, x: tl.In[tl.f64]):
    direct(total, x)


@tl.reversible
def backwards(total: tl.f64, x: tl.In[tl.f64]):
    total -= odd_square(x)


@tl.reversible
def in_a_routine(total: tl.f64, x: tl.In[tl.f64]):
    with tl.ancilla(0.0) as z:
        with tl.routine() as r:
            z += odd_square(x)
        total += z
        ~r


PROCEDURES = [direct, in_a_loop, through_a_call, ~backwards, in_a_routine]


@pytest.mark.parametrize("procedure", PROCEDURES, ids=lambda each: repr(each)[:40])
def test_rules_count(procedure: Any) -> None:
    assert tl.grad(procedure, loss=0, argnums=1)(0.0, 3.0) == pytest.approx(300.0)


def test_second_derivatives_and_forward_mode() -> None:
    assert tl.hessian(direct, loss=0, argnums=1)(0.0, 3.0) == pytest.approx(100.0)
    (_, _), (tangent, _) = tl.jvp(direct, (0.0, 3.0), (0.0, 1.0))
    assert tangent == pytest.approx(300.0)


@tl.reversible
def square_of_solution(total: tl.f64, a: tl.In[tl.f64[:, :]], b: tl.In[tl.f64[:]]):
    total += tl.sum(np.linalg.solve(a, b) ** 2)


def test_systems_of_equations() -> None:
    a, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    x = np.linalg.solve(a, b)
    w = np.linalg.solve(a.T, 2.0 * x)
    found = tl.grad(square_of_solution, loss=0, argnums=(1, 2))(0.0, a, b)
    np.testing.assert_allclose(found[0], -np.outer(w, x), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found[1], w, rtol=1e-12)
