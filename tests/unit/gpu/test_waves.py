"""Waves whose borders are held, and their gradients by running backwards, on the processor and the emulated GPU."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(3)


@tl.function
def string(u, before, speed, steps):
    for _ in range(steps):
        before[1:-1] = 2.0 * u[1:-1] - before[1:-1] + speed * (u[2:] + u[:-2] - 2.0 * u[1:-1])
        u, before = before, u
    return tl.sum(u * u)


@tl.function
def membrane(u, before, speed, steps):
    for _ in range(steps):
        inner = u[1:-1, 1:-1]
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        before[1:-1, 1:-1] = 2.0 * inner - before[1:-1, 1:-1] + speed * (around - 4.0 * inner)
        u, before = before, u
    return tl.sum(u * u)


@tl.function
def body(u, before, speed, steps):
    for _ in range(steps):
        inner = u[1:-1, 1:-1, 1:-1]
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        around = around + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2]
        before[1:-1, 1:-1, 1:-1] = 2.0 * inner - before[1:-1, 1:-1, 1:-1] + speed * (around - 6.0 * inner)
        u, before = before, u
    return tl.sum(u * u)


WAVES = {1: string, 2: membrane, 3: body}
SHAPES = [(1,), (2,), (3,), (300,), (2, 5), (9, 33), (4, 5, 6)]


def arguments(shape: tuple[int, ...], steps: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    return rng.standard_normal(shape), rng.standard_normal(shape), 0.07, steps


def on_gpu(function: Any, given: tuple[Any, ...]) -> Any:
    with emulated_cuda(keeps_kernels=True):
        return tl.compile(function, given, target="cuda")(*given)


ARGNUMS = (0, 1, (0, 1), (0, 1, 2))
# With several axes kernels take long to compile: the first state, and everything.
CASES = [
    pytest.param(shape, argnums, marks=[] if len(shape) == 1 or argnums in (0, (0, 1, 2)) else pytest.mark.thorough)
    for shape in SHAPES
    for argnums in ARGNUMS
]


@pytest.mark.one_in(20)
@pytest.mark.parametrize(("shape", "argnums"), CASES)
def test_gradients_are_those_of_stored_states(shape: tuple[int, ...], argnums: Any) -> None:
    for steps in (1, 4):
        given = arguments(shape, steps)
        wave = WAVES[len(shape)]
        expected = tl.grad(wave, argnums=argnums, method="redundant")(*given)
        backwards = tl.grad(wave, argnums=argnums, method="reversible")
        for found in (backwards(*given), on_gpu(backwards, given)):
            pairs = zip(*(each if isinstance(each, tuple) else (each,) for each in (found, expected)), strict=True)
            for one, other in pairs:
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_no_steps_leave_the_gradient_of_the_sum() -> None:
    given = arguments((7, 8), 0)
    np.testing.assert_allclose(on_gpu(tl.grad(membrane, method="reversible"), given), 2.0 * given[0], rtol=1e-14)


def launches_of_loops(function: Any, given: tuple[Any, ...]) -> list[int]:
    """How many launches a step of each loop of the plan takes."""
    with emulated_cuda():
        plan = json.loads(tl.compile(function, given, target="cuda").calls._code.image.plan)
    loops = [step for step in walked(plan["steps"]) if step["do"] == "for"]
    return [sum(inner["do"] == "launch" for inner in loop["body"]) for loop in loops]


def walked(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The steps of a plan, and those of its branches."""
    for step in steps:
        yield step
        yield from walked([*step.get("then", []), *step.get("else", [])])


def test_a_step_is_one_launch_in_either_direction() -> None:
    given = arguments((8, 7, 9), 4)
    assert launches_of_loops(tl.grad(body, method="reversible"), given) == [1, 1]
