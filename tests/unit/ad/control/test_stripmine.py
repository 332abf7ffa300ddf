"""Loops as nests: the same values and derivatives for every depth and number of iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python, jvp, run, runner, vjp

import core_interpreter
import tapeless as tl
from tapeless._mlir import ir

TRIPS = [0, 1, 2, 3, 5, 8, 9, 10, 26, 27, 28]


def plain(x, c, n):
    for i in range(n):
        x = tl.sin(x) * c + i * 0.01
    return x


def depth_2(x, c, n):
    for i in tl.range(n, stripmine=2):
        x = tl.sin(x) * c + i * 0.01
    return x


def depth_3(x, c, n):
    for i in tl.range(n, stripmine=3):
        x = tl.sin(x) * c + i * 0.01
    return x


def depth_4(x, c, n):
    for i in tl.range(n, stripmine=4):
        x = tl.sin(x) * c + i * 0.01
    return x


def budget_of_14(x, c, n):
    for i in tl.range(n, budget=14):
        x = tl.sin(x) * c + i * 0.01
    return x


def unrolled(x, c):
    for i in tl.range(5, unroll=True):
        x = tl.sin(x) * c + i * 0.01
    return x


def unrolled_triangle(x, c):
    for i in tl.range(4, unroll=True):
        for j in tl.range(i // 2, 3 * i, 2, unroll=True):
            x = tl.sin(x) * c + i * 0.01 - j
    return x


@tl.function
def unrolled_times(x, c, n):
    for i in tl.range(n, unroll=True):
        x = tl.sin(x) * c + i * 0.01
    return x


def called_with_a_number(x, c):
    return unrolled_times(x, c, 5)


def over_an_array(x: tl.f64[3], c):
    for i in tl.range(len(x), unroll=True):
        c = tl.sin(c) * x[i]
    return c


def table(n, x):
    """Every iteration writes its own place, so a wrong index shows."""
    out = tl.zeros(n)
    for i in tl.range(n, stripmine=3):
        out[i] = x[i] * (i + 1)
        x[i] = 0.0
    return out


def steps(x, n):
    total = x
    for i in tl.range(3, n, 2, stripmine=2):
        total = total * 0.9 + tl.sin(x * i)
    return total


def nest_in_nest(x, n):
    for i in tl.range(n, stripmine=2):
        for j in tl.range(n, stripmine=2):
            x = tl.sin(x) + 0.01 * (i * n + j) * x
    return x


NESTS = {"2": depth_2, "3": depth_3, "4": depth_4, "budget": budget_of_14}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NESTS)
def test_depths_agree(name: str) -> None:
    nested, flat = ([_mode(f) for _mode in (_vjp, _jvp)] for f in (NESTS[name], plain))
    for n in TRIPS:
        for one, other in zip(nested, flat, strict=True):
            found, wanted = one(0.3, 0.9, n, 1.7), other(0.3, 0.9, n, 1.7)
            np.testing.assert_allclose(found, wanted, rtol=1e-13, err_msg=f"{n} iterations")


def _vjp(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    return runner(vjp(from_python(function, 0.3, 0.9, 5)))


def _jvp(function: Callable[..., Any]) -> Callable[..., list[Any]]:
    pushed = runner(jvp(from_python(function, 0.3, 0.9, 5)))
    return lambda *arguments: pushed(*arguments, 0.4)


@pytest.mark.parametrize("n", [0, 1, 7, 11])
def test_indices(n: int) -> None:
    x = np.linspace(1.0, 2.0, n)
    program = from_python(table, n, x)
    check(program, n, x)
    seed = np.arange(n) + 2.0
    np.testing.assert_allclose(run(vjp(program), n, x, seed)[1], seed * (np.arange(n) + 1))


def test_other_loops() -> None:
    for function in (unrolled, unrolled_triangle, called_with_a_number):
        check(from_python(function, 0.3, 0.9), 0.3, 0.9)
    check(from_python(over_an_array, np.array([0.3, 0.5, 0.7]), 0.9), np.array([0.3, 0.5, 0.7]), 0.9)
    for n in (0, 4, 10, 13):
        check(from_python(steps, 0.8, n), 0.8, n)
    check(from_python(nest_in_nest, 0.3, 5), 0.3, 5)


@pytest.mark.parametrize(("function", "trips", "states"), [(depth_2, 27, 12), (depth_3, 27, 9), (budget_of_14, 27, 14)])
def test_stored_states(function: Callable[..., Any], trips: int, states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rooms for states, each counted with the largest size it had, hold k m values or what the budget allows."""
    sizes: dict[ir.Operation, int] = {}
    empty = core_interpreter.OPERATIONS["tensor.empty"]

    def measured(op: ir.Operation, *extents: Any) -> np.ndarray:
        room = empty(op, *extents)
        sizes[op] = max(sizes.get(op, 0), room.size)
        return room

    monkeypatch.setitem(core_interpreter.OPERATIONS, "tensor.empty", measured)
    run(vjp(from_python(function, 0.3, 0.9, trips)), 0.3, 0.9, trips, 1.0)
    assert 1 < sum(sizes.values()) <= states


def test_budgets_that_are_too_small() -> None:
    program = from_python(budget_of_14, 0.3, 0.9, 300)
    with pytest.raises(tl.ArgumentError, match="a budget of 14 states is too small for a loop of 300 iterations"):
        run(vjp(program), 0.3, 0.9, 300, 1.0)


def budget_of_12(x, c, n):
    for i in tl.range(n, budget=12):
        x = tl.sin(x) * c + i * 0.01
    return x


def test_the_smallest_budget() -> None:
    """81 iterations need four levels of three states each: 12 are enough, but not for one more iteration."""
    found, wanted = (tl.grad(function)(0.3, 0.9, 81) for function in (budget_of_12, plain))
    assert found == pytest.approx(wanted, rel=1e-13)
    with pytest.raises(tl.ArgumentError, match="a loop of 82 iterations; give at least 16"):
        tl.grad(budget_of_12)(0.3, 0.9, 82)
