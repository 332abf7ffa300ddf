"""Nests of loops of which some run backwards and lose their way: gradients stay right, and the code does not double."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from function_from_text import function_from_text

POINT, STEP = np.array([0.4, -0.3, 0.25]), 1e-6


def numbers(x, n):
    """Both loops multiply by less than one until nothing is left, so that dividing does not bring them back."""
    total, outer = 0.0, 1.0
    for i in range(n):
        power = 1.0 + 0.1 * i
        for j in range(n):
            total += np.sin(x[j % 3] * power)
            power *= 1e-8 * x[(i + j) % 3]
        outer *= 1e-8 * (x[0] + np.cos(power))
        total += outer * x[1]
    return total


def arrays(x, n):
    total, outer = 0.0, np.ones(3)
    for i in range(n):
        power = np.ones(3) * (1.0 + 0.1 * i)
        for _ in range(n):
            total += np.sum(np.sin(x * power))
            power = power * (1e-8 * x[::-1])
        outer = outer * (1e-8 * x[0] * (1.0 + power))
        total += np.sum(np.cos(outer) * x)
    return total


def three_deep(x, n):
    total, first = 0.0, 1.0
    for i in range(4):
        second = 1.0 + 0.1 * i
        for j in range(4):
            third = 1.0 + 0.1 * j
            for _ in range(n):
                total += np.sin(third * x[0])
                third *= x[1]
            second *= 1e-120 * (1.0 + third)
            total += second * x[2]
        first *= 1e-120 * (1.0 + second)
        total += np.cos(first * x[0])
    return total


@pytest.mark.parametrize("function", [numbers, arrays, three_deep])
def test_gradients(function: Callable[..., Any]) -> None:
    """With 2 iterations loops find their way; with many the powers are zero at the end, whatever they began with."""
    kernel = tl.compile(tl.grad(tl.function(function), method="reversible"), (tl.f64[:], tl.i64))
    for n in (0, 2, 900 if function is three_deep else 60):
        wanted = [(function(POINT + STEP * e, n) - function(POINT - STEP * e, n)) / (2 * STEP) for e in np.eye(3)]
        np.testing.assert_allclose(kernel(POINT, n), wanted, rtol=1e-5, atol=1e-6)
    assert [int(count) for count in re.findall(r"with states kept: (\d+) times", kernel.explain()) if int(count)]


def nest(depth: int) -> str:
    """Loops in loops, each with a number of its own that is undone by division."""

    def level(k: int) -> list[str]:
        start = f"s{k} = x * (1.0 + 0.1 * i{k - 1})" if k else "s0 = x"
        if k + 1 == depth:
            inner = [f"s{k} = s{k} * (1.0 + 0.001 * np.sin(x * i{k}))"]
        else:
            inner = [*level(k + 1), f"s{k} = s{k} * (1.0 + 0.01 * np.sin(s{k + 1}))"]
        return [start, f"for i{k} in range(n):", *(f"    {line}" for line in inner)]

    return "\n".join(["def f(x, n):", *(f"    {line}" for line in level(0)), "    return s0 * s0"])


def lines(depth: int) -> int:
    """How long the gradient of a nest is."""
    function = tl.function(function_from_text(nest(depth), "f", np=np))
    kernel = tl.compile(tl.grad(function, method="reversible"), (tl.f64, tl.i64))
    return len(kernel.ir("ad-expand").splitlines())


@pytest.mark.thorough
def test_code_does_not_double_with_each_loop() -> None:
    """A fourth loop adds hardly more than the third did."""
    two, three, four = (lines(depth) for depth in (2, 3, 4))
    assert four - three < 1.5 * (three - two)
