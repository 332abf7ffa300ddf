"""Names that only the body of a loop sets, read after it: as Python has it, which runs the same functions here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

X = np.array([0.7, 1.3, 0.4, 1.1])
METHODS = ("redundant", "reversible", "coarsened")


def constant_trips(x: Any, n: int) -> Any:
    for i in range(3):
        scaled = x * (i + 1)
    return (scaled * scaled).sum()


def run_time_trips(x: Any, n: int) -> Any:
    for i in range(n):
        last = x[i] * x[i]
        scaled = x * last
    return scaled.sum() + last


def sizes_of_the_last_iteration(x: Any, n: int) -> Any:
    for i in range(n):
        part = x[: i + 1]
    return (part * part).sum()


def elements_of_an_array(x: Any, n: int) -> Any:
    for v in x:
        cube = v * v * v
    return cube


def nested(x: Any, n: int) -> Any:
    for i in range(n):
        outer = x * x[i]
        for j in range(2):
            inner = outer * x[j]
    return (inner * outer).sum()


def left_by_break(x: Any, n: int) -> Any:
    for i in range(n):
        last = x[i] * x[0]
        if last > 0.9:
            break
    return last * last


def while_loop(x: Any, n: int) -> Any:
    k = n
    while k > 0:
        k = k - 1
        last = x[k] * x
        for i in range(2):
            inner = last * x[i]
    return last.sum() + inner.sum()


def tuples(x: Any, n: int) -> Any:
    for i in range(n):
        pair = (x[i], x * x[i])
    first, second = pair
    return first * second.sum()


def whole_numbers(x: Any, n: int) -> Any:
    for i in range(n):
        k = i // 2
    return x[k] * x[k]


PROGRAMS: list[Callable[..., Any]] = [
    constant_trips,
    run_time_trips,
    sizes_of_the_last_iteration,
    elements_of_an_array,
    nested,
    left_by_break,
    while_loop,
    tuples,
    whole_numbers,
]
COMPILED = {program: tl.function(program) for program in PROGRAMS}


def by_differences(program: Callable[..., Any], n: int, h: float = 1e-6) -> np.ndarray:
    steps = h * np.eye(len(X))
    return np.array([(program(X + step, n) - program(X - step, n)) / (2 * h) for step in steps])


@pytest.mark.one_in(5)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_and_gradients(program: Callable[..., Any]) -> None:
    function = COMPILED[program]
    for n in (1, 3):
        np.testing.assert_allclose(function(X, n), program(X, n), rtol=1e-14)
        for method in METHODS:
            np.testing.assert_allclose(tl.grad(function, method=method)(X, n), by_differences(program, n), atol=1e-8)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "program",
    [run_time_trips, sizes_of_the_last_iteration, left_by_break, while_loop, tuples],
    ids=lambda p: p.__name__,
)
def test_without_an_iteration_there_is_no_value(program: Callable[..., Any]) -> None:
    with pytest.raises(UnboundLocalError):
        program(X, 0)
    for call in (COMPILED[program], tl.grad(COMPILED[program])):
        with pytest.raises(
            tl.FrontendError, match="has no value: its loop ran no iteration; assign it before the loop"
        ):
            call(X, 0)


def test_a_batch() -> None:
    batched = tl.vmap(COMPILED[run_time_trips], in_axes=(0, None))
    rows = np.stack([X, 2 * X])
    np.testing.assert_allclose(batched(rows, 3), [run_time_trips(row, 3) for row in rows], rtol=1e-14)


def set_in_a_branch(x: Any) -> Any:
    for i in range(3):
        if x[i] > 0.0:
            y = x[i]
    return y


def set_by_an_inner_loop(x: Any) -> Any:
    for i in range(3):
        for _ in range(i):
            y = x[i]
    return y


@pytest.mark.parametrize("program", [set_in_a_branch, set_by_an_inner_loop])
def test_what_not_every_iteration_sets_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(tl.FrontendError, match=r"'y' is set only .*\n.*\n.*\nassign it before"):
        tl.function(program)(X)
