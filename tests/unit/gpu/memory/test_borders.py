"""Steps on arrays with borders are one launch: what stays of borders, and what is added to them, is part of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.in_block.loops_in_block import LoopsInBlock

pytestmark = pytest.mark.one_in(3)


@pytest.fixture(autouse=True)
def launches_of_steps() -> Iterator[None]:
    """Steps as small as these would be done by one block, all of them."""
    with mock.patch.object(LoopsInBlock, "run", lambda self, module: None):
        yield


@tl.function
def flow(f, omega, weights, steps):
    """Populations of two axes that come from neighbours, two of them from two cells away, and meet."""
    for _ in range(steps):
        a, b, c, d = f[0, :-3, 1:-1], f[1, 3:, 2:], f[2, 1:-2, :-2], f[3, 2:-1, 1:-1]
        met = a * b + c * d
        f[0, 1:-2, 1:-1] = a + omega * met
        f[1, 1:-2, 1:-1] = b - omega * met * met
        f[2, 1:-2, 1:-1] = c * (1.0 - omega * a)
        f[3, 1:-2, 1:-1] = d * omega
    return tl.sum(weights * f)


def types(shape: tuple[int, ...], kind: Any = tl.f64) -> tuple[Any, ...]:
    cells = kind[(4, *shape)]
    return cells, kind, cells, tl.i64


def expected(f: np.ndarray, omega: float, weights: np.ndarray, steps: int) -> Any:
    for _ in range(steps):
        a, b, c, d = f[0, :-3, 1:-1], f[1, 3:, 2:], f[2, 1:-2, :-2], f[3, 2:-1, 1:-1]
        met = a * b + c * d
        f = f.copy()
        f[:, 1:-2, 1:-1] = np.stack([a + omega * met, b - omega * met * met, c * (1 - omega * a), d * omega])
    return np.sum(weights * f)


def arguments(shape: tuple[int, ...], steps: int, kind: Any = np.float64) -> tuple[Any, ...]:
    rng = np.random.default_rng(steps)
    size = (4, *shape)
    return rng.normal(size=size).astype(kind), 0.3, rng.normal(size=size).astype(kind), steps


@pytest.mark.one_in(39)
@pytest.mark.parametrize("shape", [(4, 3), (5, 31), (9, 34), (20, 63)])
@pytest.mark.parametrize("deterministic", (True, False))
def test_values_and_gradients(shape: tuple[int, ...], deterministic: bool) -> None:
    for steps in (0, 1, 3):
        f, omega, weights, _ = given = arguments(shape, steps)
        with emulated_cuda(seed=steps, keeps_kernels=True):
            kernel = tl.compile(tl.value_and_grad(flow), types(shape), target="cuda", deterministic=deterministic)
            value, gradient = kernel(*given)
        assert np.isclose(value, expected(*given), rtol=1e-12)
        direction = np.random.default_rng(1).normal(size=f.shape)
        slope = expected(f + 1e-30j * direction, omega, weights, steps).imag / 1e-30
        assert np.isclose(np.sum(gradient * direction), slope, rtol=1e-11)


def test_single_precision() -> None:
    shape, steps = (11, 40), 4
    given = arguments(shape, steps, np.float32)
    on_cpu = tl.compile(tl.grad(flow), types(shape, tl.f32))(*given)
    with emulated_cuda(seed=2):
        on_gpu = tl.compile(tl.grad(flow), types(shape, tl.f32), target="cuda")(*given)
    np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-5, atol=1e-5)


def launches(function: Any, steps: int) -> int:
    shape = (20, 31)
    with emulated_cuda() as gpu:
        kernel = tl.compile(function, types(shape), target="cuda", checks="off")
        gpu.calls.clear()
        kernel(*arguments(shape, steps))
        return sum(call[0] == "launch" for call in gpu.calls)


def test_a_step_is_one_launch_and_a_step_back_another() -> None:
    assert launches(flow, 5) - launches(flow, 2) == 3
    assert launches(tl.grad(flow), 5) - launches(tl.grad(flow), 2) == 3 * 2


BODY = tl.f64[7, 6, 9]


@tl.function
def heated(u: BODY, rate: tl.f64, steps: tl.i64) -> tl.f64:
    """Heat in a body, of which one side loses some in each step and another one gets it."""
    for _ in range(steps):
        inner = u[1:-1, 1:-1, 1:-1]
        around = u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1] + u[1:-1, :-2, 1:-1]
        new = inner + rate * (around + u[1:-1, 1:-1, 2:] * u[1:-1, 1:-1, :-2] - 6.0 * inner)
        lost = 0.9 * u[0]
        gained = u[-1] + 0.1 * u[0]
        u[1:-1, 1:-1, 1:-1] = new
        u[0] = lost
        u[-1] = gained
    return tl.sum(u * u)


def test_borders_that_change() -> None:
    u = np.random.default_rng(3).normal(size=(7, 6, 9))
    for steps in (1, 4):
        given = (u, 0.05, steps)
        on_cpu = tl.compile(tl.value_and_grad(heated, argnums=(0, 1)), given)(*given)
        with emulated_cuda(seed=steps, keeps_kernels=True):
            on_gpu = tl.compile(tl.value_and_grad(heated, argnums=(0, 1)), given, target="cuda")(*given)
        np.testing.assert_allclose(on_gpu[0], on_cpu[0], rtol=1e-13)
        for one, other in zip(on_gpu[1], on_cpu[1], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@tl.function
def mixed(f, omega, weights, steps):
    """Six populations of which only the sum decides how much each changes."""
    for _ in range(steps):
        a, b, c = f[0, :-2, 1:-1], f[1, 2:, 1:-1], f[2, 1:-1, :-2]
        d, e, g = f[3, 1:-1, 2:], f[4, :-2, :-2], f[5, 2:, 2:]
        total = a + b + c + d + e + g
        change = omega * total * total
        f[0, 1:-1, 1:-1], f[1, 1:-1, 1:-1], f[2, 1:-1, 1:-1] = a + change, b - change, c * 0.5
        f[3, 1:-1, 1:-1], f[4, 1:-1, 1:-1], f[5, 1:-1, 1:-1] = d + change, e - 0.5 * change, g * 0.9
    return tl.sum(weights * f)


@tl.function
def mixed_in_strips(f, omega, weights, steps):
    for _ in tl.range(steps, stripmine=2):
        a, b, c = f[0, :-2, 1:-1], f[1, 2:, 1:-1], f[2, 1:-1, :-2]
        d, e, g = f[3, 1:-1, 2:], f[4, :-2, :-2], f[5, 2:, 2:]
        total = a + b + c + d + e + g
        change = omega * total * total
        f[0, 1:-1, 1:-1], f[1, 1:-1, 1:-1], f[2, 1:-1, 1:-1] = a + change, b - change, c * 0.5
        f[3, 1:-1, 1:-1], f[4, 1:-1, 1:-1], f[5, 1:-1, 1:-1] = d + change, e - 0.5 * change, g * 0.9
    return tl.sum(weights * f)


@pytest.mark.one_in(96)
@pytest.mark.parametrize("shape", [(3, 3), (5, 31), (9, 34), (18, 66)])
@pytest.mark.parametrize("kind", (tl.f64, tl.f32))
@pytest.mark.parametrize("function", (mixed, mixed_in_strips))
def test_what_steps_store_beside_their_arrays(shape: tuple[int, ...], kind: Any, function: Any) -> None:
    cells, rng = kind[(6, *shape)], np.random.default_rng(4)
    f, weights = (rng.uniform(0.1, 0.2, (6, *shape)).astype(kind.numpy) for _ in range(2))
    for steps in (0, 1, 5):
        given = (f, 0.1, weights, steps)
        kernels = [tl.grad(function), (cells, kind, cells, tl.i64)]
        on_cpu = tl.compile(*kernels)(*given)
        with emulated_cuda(seed=steps, keeps_kernels=True):
            on_gpu = tl.compile(*kernels, target="cuda", checks="off")(*given)
        np.testing.assert_allclose(on_gpu, on_cpu, rtol=1e-5 if kind is tl.f32 else 1e-13)


def test_a_step_that_stores_beside_its_arrays_is_one_launch() -> None:
    cells = tl.f64[6, 20, 31]
    with emulated_cuda() as gpu:
        kernel = tl.compile(tl.grad(mixed), (cells, tl.f64, cells, tl.i64), target="cuda", checks="off")
        counts = []
        for steps in (2, 5):
            gpu.calls.clear()
            kernel(np.ones((6, 20, 31)), 0.1, np.ones((6, 20, 31)), steps)
            counts.append(sum(call[0] == "launch" for call in gpu.calls))
    assert counts[1] - counts[0] == 3 * 2
