"""Plans that read from the GPU are recorded in stretches between reads; what follows depends on what was read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.runtime.cuda.recordings import graphs, stretches
from tapeless.runtime.cuda.recordings.graphs import can_record

pytestmark = pytest.mark.one_in(3)


@pytest.fixture
def gpu() -> Iterator[FakeGpu]:
    with emulated_cuda(keeps_kernels=True) as found:
        yield found


@tl.function
def string(before, u, speed, steps):
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1] += speed[1:-1] * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        before, u = u, after
    return tl.sum(u * u)


@tl.function
def damped(before, u, damping, steps):
    """Goes astray on its way back, and runs again with three states kept."""
    for _ in tl.range(steps, budget=3):
        before, u = u, (2.0 - damping) * u - 0.01 * (1.0 - damping) * before
    return tl.sum(u * u)


def signs(x):
    """Which way is taken is read from the GPU."""
    total = tl.sum(x)
    return tl.cumsum(x) if total > 0.0 else x * x, total


def replays(gpu: FakeGpu, kernel: Any, *arguments: Any) -> tuple[Any, int]:
    """What a call gives, and how many graphs it started."""
    before = len(gpu.calls)
    result = kernel(*arguments)
    return result, sum(call[0] == "replay" for call in gpu.calls[before:])


def given(steps: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(6)
    return rng.standard_normal(70), rng.standard_normal(70), np.full(70, 0.3), steps


@pytest.mark.one_in(5)
@pytest.mark.parametrize("wave", [string, damped])
def test_gradients_by_running_backwards_are_replayed(gpu: FakeGpu, wave: Any) -> None:
    gradient = tl.grad(wave, argnums=(0, 1, 2), method="reversible")
    arguments = given(12)
    expected = gradient(*arguments)
    kernel = tl.compile(gradient, arguments, target="cuda")
    numbers = []
    for _ in range(4):
        found, count = replays(gpu, kernel, *arguments)
        numbers.append(count)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    assert numbers[0] == 0
    assert numbers[1] == numbers[2] == numbers[3] > 1


def test_other_values_take_other_ways(gpu: FakeGpu) -> None:
    """The same memory has other contents: what is read decides, not what was read before."""
    x = np.linspace(-1.0, 2.0, 600)
    kernel = tl.compile(signs, (x,), target="cuda")
    for sign in (1.0, 1.0, 1.0, -1.0, -1.0, 1.0, -1.0):
        (y, total), _ = replays(gpu, kernel, sign * x)
        np.testing.assert_allclose(total, sign * np.sum(x))
        np.testing.assert_allclose(y, np.cumsum(x) if sign > 0 else x * x, rtol=1e-9, atol=1e-9)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("limits", [{"MOST_STRETCHES": 1}, {"MOST_STRETCHES": 5}, {"MOST_QUEUED": 3}])
def test_beyond_the_limits_of_a_recording_the_rest_is_queued(gpu: FakeGpu, limits: dict[str, int]) -> None:
    gradient = tl.grad(damped, argnums=(0, 2), method="reversible")
    arguments = given(9)
    expected = gradient(*arguments)
    kernel = tl.compile(gradient, arguments, target="cuda")
    with mock.patch.multiple(stretches, **limits):
        for _ in range(4):
            found, _ = replays(gpu, kernel, *arguments)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_recordings_that_are_too_large_are_not_kept(gpu: FakeGpu) -> None:
    arguments = given(5)
    gradient = tl.grad(string, argnums=2, method="reversible")
    kernel = tl.compile(gradient, arguments, target="cuda")
    with mock.patch.multiple(graphs, MOST_BYTES=1024, MEMORY_SHARE=1 << 30):
        counts = [replays(gpu, kernel, *arguments)[1] for _ in range(4)]
    assert counts[1] > 0
    assert counts[2] == counts[3] == 0
    np.testing.assert_allclose(kernel(*arguments), gradient(*arguments), rtol=1e-12, atol=1e-12)


def test_large_gpus_keep_large_recordings(gpu: FakeGpu) -> None:
    arguments = given(5)
    kernel = tl.compile(tl.grad(string, argnums=2, method="reversible"), arguments, target="cuda")
    with mock.patch.multiple(graphs, MOST_BYTES=1024):
        counts = [replays(gpu, kernel, *arguments)[1] for _ in range(4)]
    assert all(counts[1:])


def test_recordings_give_up_their_memory(gpu: FakeGpu) -> None:
    """A call gets the memory that recordings of other calls keep, when there is no other."""
    arguments = given(5)
    gradient = tl.grad(string, argnums=2, method="reversible")
    kernel = tl.compile(gradient, arguments, target="cuda")
    assert [replays(gpu, kernel, *arguments)[1] for _ in range(3)][2] > 0
    gpu.pool.trim()
    kept = gpu.pool.live
    with mock.patch.object(gpu, "_limit", kept + 512):
        address = gpu.pool.allocate(kept // 2)
    gpu.pool.free(address)
    assert gpu.pool.live < kept // 2
    np.testing.assert_allclose(kernel(*arguments), gradient(*arguments), rtol=1e-12, atol=1e-12)


def test_what_can_be_recorded() -> None:
    read: dict[str, Any] = {"do": "read"}
    loop = {"do": "for", "body": [read]}
    end = {"do": "return", "values": [{"read": 1, "type": "f64"}]}
    assert can_record([read, {"do": "if", "then": [loop], "else": []}, end])
    assert not can_record([loop, end])
    assert not can_record([{"do": "while", "before": [{"do": "if", "then": [read], "else": []}], "after": []}, end])
    assert not can_record([{"do": "return", "values": [{"address": 1, "dims": []}]}])


def test_calls_get_the_same_memory_whatever_came_back_first(gpu: FakeGpu) -> None:
    """Small results of a call share a size with memory that the call itself needs."""
    sizes = (96, 200, 512, 4)
    first = [gpu.pool.allocate(size) for size in sizes]
    for order in itertools.permutations(range(len(sizes))):
        for number in order:
            gpu.pool.free(first[number])
        assert [gpu.pool.allocate(size) for size in sizes] == first
