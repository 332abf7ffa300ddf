"""Sequential loops around launches with the same independent iterations: a thread for each goes through the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def lanes(x, speed):
    """Independent lanes of a simulation, all steps of which are kept."""
    states = np.zeros((40, len(x)), dtype=x.dtype)
    for t in range(40):
        x = x + 0.1 * np.sin(speed * x)
        states[t] = x
    return states


def below(lower, b):
    """A triangular system with several right-hand sides, row by row."""
    x = b
    for i in range(len(b)):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def turned(lower, b):
    """The same from the last row on, where each row takes a number from its neighbour: no lane is alone."""
    x = b
    for i in range(len(b)):
        x[i] = (x[i] - lower[i, :i] @ x[:i]) / lower[i, i] + np.sum(x[i]) * 0.01
    return x


def given(function: Callable[..., Any], rows: int, columns: int) -> list[Any]:
    rng = np.random.default_rng(rows)
    if function is lanes:
        return [rng.standard_normal(columns), rng.standard_normal(columns)]
    return [np.tril(0.1 * rng.standard_normal((rows, rows))) + np.eye(rows), rng.standard_normal((rows, columns))]


@pytest.mark.parametrize("function", [lanes, below, turned], ids=lambda each: each.__name__)
def test_values_agree_with_the_cpu(function: Callable[..., Any]) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.function(function), given(function, 7, 300), target="cuda", checks="off")
        for rows, columns in ((7, 300), (40, 3), (1, 1), (33, 65), (5, 0)):
            arguments = given(function, rows, columns)
            expected = tl.compile(tl.function(function), arguments)(*arguments)
            np.testing.assert_allclose(kernel(*arguments), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("function", "is_one"), [(below, True), (turned, False)])
def test_rows_of_a_system_are_one_launch(function: Callable[..., Any], is_one: bool) -> None:
    with emulated_cuda(keeps_kernels=True):
        arguments = given(function, 30, 2000)
        text = tl.compile(tl.function(function), arguments, target="cuda", checks="off").explain(*arguments)
    launches = next(line.split() for line in str(text).splitlines() if line.startswith("  gpu"))[1]
    assert (int(launches.replace(",", "")) < 5) is is_one


@pytest.mark.parametrize("columns", [100, 0])
def test_checks_of_the_loop_are_made(columns: int) -> None:
    """A matrix with too few rows is refused, by threads, and by the host where there are no columns."""
    lower, b = given(below, 8, columns)
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.function(below), [lower, b], target="cuda")
        with pytest.raises(tl.IndexOutOfRange):
            kernel(np.ascontiguousarray(lower[:6]), b)
