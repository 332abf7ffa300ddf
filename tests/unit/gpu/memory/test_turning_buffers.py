"""Buffers that take turns in loops that the host of a GPU runs: values and gradients against the processor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda

A, B = np.linspace(0.1, 0.4, 5), np.linspace(0.5, 0.2, 5)


def wave(a, b, trips):
    for _ in range(trips):
        after = 2.0 * b - a
        after[1:-1] += 0.2 * (b[2:] - 2.0 * b[1:-1] + b[:-2])
        a, b = b, after
    return a, b


def spare(a, b, trips):
    for _ in range(trips):
        a, b = b, b + 0.3 * a[::-1]
    return a, b


def circle(a, b, trips):
    c = a + b
    for _ in range(trips):
        a, b, c = b, c, a
    return a, b, c


def until(a, b, trips):
    k = 0
    while k < trips:
        a, b = b, 0.5 * a - b
        k += 1
    return b, a


string = tl.function(wave)


@tl.function
def energy(a, b, trips):
    a, b = string(a, b, trips)
    return tl.sum(a * b)


@pytest.fixture
def gpu() -> Iterator[FakeGpu]:
    with emulated_cuda() as found:
        yield found


@pytest.mark.parametrize("program", [wave, spare, circle, until])
def test_values(gpu: FakeGpu, program) -> None:
    kernel = tl.compile(program, (A, B, 1), target="cuda")
    for trips in (0, 1, 2, 3, 7):
        for found, expected in zip(kernel(A, B, trips), program(A.copy(), B.copy(), trips), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("method", ["redundant", "reversible"])
def test_gradients(gpu: FakeGpu, method: str) -> None:
    gradient = tl.grad(energy, argnums=(0, 1), method=method)
    kernel = tl.compile(gradient, (A, B, 1), target="cuda")
    here = tl.compile(gradient, (A, B, 1))
    for trips in (0, 1, 4):
        np.testing.assert_allclose(kernel(A, B, trips), here(A, B, trips), rtol=1e-10, atol=1e-12)
