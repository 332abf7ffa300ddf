"""Steps on arrays with borders: small launches run beside each other, and gradients are built where they end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.in_block.loops_in_block import LoopsInBlock

pytestmark = pytest.mark.one_in(2)


@pytest.fixture(autouse=True)
def launches_of_steps() -> Iterator[None]:
    """Steps as small as these would be done by one block, all of them."""
    with mock.patch.object(LoopsInBlock, "run", lambda self, module: None):
        yield


ROWS, COLUMNS = 20, 31
CELLS = tl.f64[3, 20, 31]


@tl.function
def flow(f: CELLS, omega: tl.f64, weights: CELLS, steps: tl.i64) -> tl.f64:
    """Three populations that come from neighbours and meet; those on the border stay."""
    for _ in range(steps):
        a, b, c = f[0, :-2, 1:-1], f[1, 2:, 2:], f[2, 1:-1, :-2]
        met = a * b * c
        f[0, 1:-1, 1:-1] = a + omega * met
        f[1, 1:-1, 1:-1] = b - omega * met * met
        f[2, 1:-1, 1:-1] = c * (1.0 - omega * a)
    return tl.sum(weights * f)


def expected(f: np.ndarray, omega: float, weights: np.ndarray, steps: int) -> Any:
    for _ in range(steps):
        a, b, c = f[0, :-2, 1:-1], f[1, 2:, 2:], f[2, 1:-1, :-2]
        met = a * b * c
        f = f.copy()
        f[:, 1:-1, 1:-1] = np.stack([a + omega * met, b - omega * met * met, c * (1 - omega * a)])
    return np.sum(weights * f)


def arguments(steps: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(steps)
    return rng.normal(size=(3, ROWS, COLUMNS)), 0.3, rng.normal(size=(3, ROWS, COLUMNS)), steps


@pytest.mark.one_in(16)
@pytest.mark.parametrize("steps", (0, 1, 4, 5))
@pytest.mark.parametrize("deterministic", (True, False))
def test_values_and_gradients(steps: int, deterministic: bool) -> None:
    f, omega, weights, _ = given = arguments(steps)
    with emulated_cuda(seed=steps, keeps_kernels=True):
        kernel = tl.compile(tl.value_and_grad(flow), given, target="cuda", deterministic=deterministic)
        value, gradient = kernel(*given)
    assert np.isclose(value, expected(*given), rtol=1e-12)
    rng = np.random.default_rng(1)
    for _ in range(5):
        direction = rng.normal(size=f.shape)
        slope = expected(f + 1e-30j * direction, omega, weights, steps).imag / 1e-30
        assert np.isclose(np.sum(gradient * direction), slope, rtol=1e-11)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("steps", (1, 6))
def test_few_states(steps: int) -> None:
    @tl.function
    def in_strips(f: CELLS, omega: tl.f64, weights: CELLS, steps: tl.i64) -> tl.f64:
        for _ in tl.range(steps, stripmine=2):
            a, b = f[0, :-2, 1:-1], f[1, 2:, 2:]
            f[0, 1:-1, 1:-1] = a + omega * a * b
            f[1, 1:-1, 1:-1] = b - omega * a
        return tl.sum(weights * f)

    given = arguments(steps)
    on_cpu = tl.compile(tl.grad(in_strips), given)(*given)
    with emulated_cuda(seed=steps, keeps_kernels=True):
        kernel = tl.compile(tl.grad(in_strips), given, target="cuda")
        on_gpu = kernel(*given)
    assert np.allclose(on_gpu, on_cpu, rtol=1e-14, atol=1e-14)
    # The length of strips is read once; all that is counted from it is known to the host.
    plan = json.loads(kernel.calls._code.image.plan)
    assert [depth for depth, step in walked(plan["steps"]) if step["do"] == "read"] == [0]


def walked(steps: list[dict[str, Any]], depth: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """All steps of a plan, with the number of loops and branches around them."""
    for step in steps:
        yield depth, step
        for part in ("body", "then", "else", "before", "after"):
            yield from walked(step.get(part, []), depth + 1)


def test_a_step_back_is_one_launch() -> None:
    """What stays of the border and sums on it are part of the launch of the inner cells, forwards and backwards."""
    with emulated_cuda() as gpu:
        gpu.calls.clear()
        given = arguments(3)
        kernel = tl.compile(tl.grad(flow), given, target="cuda", checks="off")
        kernel(*given)
        launches = [call for call in gpu.calls if call[0] == "launch"]
    assert 3 * (1 + 1) - 1 <= len(launches) <= 3 * (1 + 1) + 2
