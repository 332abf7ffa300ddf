"""Loops with a budget under the method `reversible`: derivatives of every order, memory by the budget alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text
from held_memory import held_by
from programs.axes import first_of

pytestmark = pytest.mark.one_in(2)

TRIPS = (0, 1, 2, 3, 7, 20)
X = np.array([0.3, -0.5, 0.8, 0.1])


def one_number(x, c, n):
    """Sums the squares of what a scalar and the step's number become."""
    y = x[0]
    for i in tl.range(n, budget=BUDGET):
        y = tl.sin(y * c + 0.1 * i) + x[1]
    return y * y


def whole_arrays(x, c, n):
    """Neighbours meet, and a sum is carried along that no step reads."""
    total = 0.0
    for _ in tl.range(n, budget=BUDGET):
        total = total + tl.sum(x * x)
        x = x + 0.1 * c * (x[0] - x) * x
    return total + tl.sum(tl.exp(x))


def branches_and_counts(x, c, n):
    """What a step does depends on whole numbers that are carried, and on values."""
    k = 0
    y = x[0]
    for i in tl.range(1, 2 * n + 1, 2, budget=BUDGET):
        k = (3 * k + i) % 7
        y = y * c + x[k % 4] if y < 0.5 else y - 0.1 * y * y * k
    return y


def written_elements(x, c, n):
    """A step changes one element of what it carries."""
    for i in tl.range(n, budget=BUDGET):
        x[i % 4] = tl.sin(x[(i + 1) % 4] * c) + x[i % 4] * x[(i + 2) % 4]
    return tl.sum(x * x)


def loops_inside(x, c, n):
    """Steps hold a stored loop, a loop that ends by itself, and a chain of their own."""
    y = x[0]
    for i in tl.range(n, budget=BUDGET):
        for j in range(3):
            y = y + 0.1 * tl.sin(y * x[j])
        z = y
        while z > 0.4:
            z = z * 0.7
        for _ in tl.range(i % 4, budget=2):
            z = tl.cos(z * c)
        y = y * 0.5 + z
    return y


def one_chain_per_element(x, c, n):
    """Every element of a map runs a chain that reads a shared array."""

    def element(y):
        for i in tl.range(n, budget=BUDGET):
            y = tl.sin(y * c) + 0.3 * x[i % 4]
        return y

    return tl.sum(tl.map(element, x))


def chains_in_a_row(x, c, n):
    """What one chain leaves starts the next."""
    y, z = x[0], x[1]
    for _ in tl.range(n, budget=BUDGET):
        y, z = z, y * c + tl.sin(z)
    for _ in tl.range(n + 1, budget=2):
        y, z = y + 0.1 * z * z, z * c
    return y * z


BUDGET = 3
PROGRAMS = (
    one_number,
    whole_arrays,
    branches_and_counts,
    written_elements,
    loops_inside,
    one_chain_per_element,
    chains_in_a_row,
)


def differences(function: Callable[..., float], x: np.ndarray, c: float, n: int, step: float = 1e-6) -> np.ndarray:
    """The gradient by the array and the number, by central differences."""
    at = np.append(x, c)
    moved = [at + sign * step * np.eye(len(at))[k] for k in range(len(at)) for sign in (1, -1)]
    values = np.array([function(each[:-1], each[-1], n) for each in moved])
    return (values[::2] - values[1::2]) / (2 * step)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients_are_those_of_differences(program: Callable[..., Any]) -> None:
    value = tl.function(program)
    gradient = tl.grad(value, argnums=(0, 1), method="reversible")
    for n in TRIPS:
        found = np.append(*gradient(X, 0.9, n))
        np.testing.assert_allclose(found, differences(value, X, 0.9, n), rtol=1e-6, atol=1e-7, err_msg=f"{n} steps")


@pytest.mark.thorough
@pytest.mark.parametrize("program", first_of(PROGRAMS, 2))
def test_second_derivatives_agree(program: Callable[..., Any]) -> None:
    """Forward over reverse, reverse over reverse and reverse over forward give one matrix."""
    value = tl.function(program)

    def length(x, c, n):
        slope = tl.grad(value, method="reversible")(x, c, n)
        return tl.sum(slope * slope)

    def along(x, v, c, n):
        return tl.jvp(lambda y: value(y, c, n), (x,), (v,))[1]

    for n in (0, 1, 9):
        gradient = tl.grad(value, method="reversible")(X, 0.9, n)
        hessian = tl.hessian(value, method="reversible")(X, 0.9, n)
        np.testing.assert_allclose(hessian, hessian.T, rtol=1e-9, atol=1e-10)
        twice = tl.grad(tl.function(length), method="reversible")(X, 0.9, n)
        np.testing.assert_allclose(twice, 2 * hessian @ gradient, rtol=1e-9, atol=1e-10)
        column = tl.grad(tl.function(along), method="reversible")(X, np.array([0.0, 1.0, 0.0, 0.0]), 0.9, n)
        np.testing.assert_allclose(column, hessian[:, 1], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("program", first_of(PROGRAMS, 1))
def test_many_seeds(program: Callable[..., Any]) -> None:
    value = tl.function(program)
    jacobian = tl.jacrev(tl.grad(value, method="reversible"), method="reversible")(X, 0.9, 8)
    np.testing.assert_allclose(jacobian, tl.hessian(value, method="reversible")(X, 0.9, 8), rtol=1e-9, atol=1e-10)


@tl.function
def small_budget(x, n):
    for _ in tl.range(n, budget=1):
        x = tl.sin(x) * 1.1
    return x


def test_one_kept_state_is_enough() -> None:
    x, slope = 0.7, 1.0
    for _ in range(60):
        x, slope = np.sin(x) * 1.1, slope * np.cos(x) * 1.1
    assert tl.grad(small_budget, method="reversible")(0.7, 60) == pytest.approx(slope, rel=1e-13)


SLOWLY = """
def slowly(x: tl.f64, n: tl.i64) -> tl.f64:
    for i in tl.range(n, budget={}):
        x = x + 0.001 * tl.sin(3.0 * x + 0.1 * i)
    return x
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("budget", "n"), [(5, 9999), (320, 9999), (9, 100000), (1000, 999), (1000, 1001)])
def test_long_chains(budget: int, n: int) -> None:
    x, slope = 0.3, 1.0
    for i in range(n):
        angle = 3.0 * x + 0.1 * i
        x, slope = x + 0.001 * np.sin(angle), slope * (1.0 + 0.003 * np.cos(angle))
    function = tl.function(function_from_text(SLOWLY.format(budget), "slowly"))
    assert tl.grad(function, method="reversible")(0.3, n) == pytest.approx(slope, rel=1e-11)


@tl.function
def heat(u: tl.f64[:], n: tl.i64) -> tl.f64:
    for _ in tl.range(n, budget=6):
        u = u + 0.1 * u * (1.0 - u)
    return tl.sum(u * u)


def peak(function: Callable[..., Any], *arguments: Any) -> int:
    function(*arguments)
    return held_by(function, *arguments)


def test_memory_grows_with_the_budget_not_with_the_steps() -> None:
    gradient, u = tl.grad(heat, method="reversible"), np.linspace(0.1, 0.9, 1000)
    few, many = (peak(gradient, u, n) for n in (30, 3000))
    assert few == many
    assert many <= (6 + 8) * u.nbytes


@tl.function
def growing(x: tl.f64[:], n: tl.i64) -> tl.f64:
    for _ in tl.range(n, budget=4):
        x = tl.concat((x, x))
    return tl.sum(x)


def test_states_that_change_their_size_are_refused() -> None:
    with pytest.raises(
        tl.ShapeMismatch,
        match="carries an array of size 4 that began with 2; keep its size or leave out hints",
    ):
        tl.grad(growing, method="reversible")(np.ones(2), 2)


@tl.function
def history(x: tl.f64, n: tl.i64) -> tl.f64:
    out = tl.zeros(n + 1)
    for i in tl.range(n, budget=4, true_dep=("out",)):
        x = tl.sin(x * 1.7)
        out[i + 1] = x + 0.5 * out[i]
    return tl.sum(out * out)


def test_promised_arrays_are_not_kept() -> None:
    """What is written once and then only read is there at the end: its adjoint is the only other array."""
    gradient = tl.grad(history, method="reversible")
    step = 1e-6
    for n in (0, 1, 9, 40):
        wanted = (history(0.4 + step, n) - history(0.4 - step, n)) / (2 * step)
        assert gradient(0.4, n) == pytest.approx(wanted, rel=1e-6, abs=1e-9)
    assert peak(gradient, 0.4, 10000) < 3 * 8 * 10000


@tl.function
def broken_promise(x: tl.f64, n: tl.i64) -> tl.f64:
    out = tl.ones(3)
    for i in tl.range(n, budget=4, true_dep=("out",)):
        out[i % 3] = tl.sin(x * out[i % 3])
    return tl.sum(out * out)


def test_broken_promises_are_found() -> None:
    with pytest.raises(tl.TapelessError, match="true_dep was overwritten after it was read"):
        tl.grad(broken_promise, method="reversible")(0.3, 7)
