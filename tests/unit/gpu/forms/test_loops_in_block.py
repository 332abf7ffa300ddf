"""Loops of the host around small launches, on the emulated GPU: one block does them, or launches, as sizes decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.soac.in_thread.loops_in_thread import LoopsInThread

METHODS = ("redundant", "reversible", "coarsened")
TYPES = (tl.f64[:], tl.f64[:, :], tl.i64)


@pytest.fixture(autouse=True)
def no_single_threads() -> Iterator[None]:
    with mock.patch.object(LoopsInThread, "run", lambda self, module: None):
        yield


def exchanged(x, w, n):
    """States that change places, whose memory does so, too."""
    before = 0.9 * x
    for _ in range(n):
        x, before = 1.5 * x - before + 0.1 * np.tanh(w @ x), x
    return np.sum(x * before)


def factors(x, w, n):
    """A factor in place with inner loops whose lengths depend on the outer one, and roots on the diagonal."""
    a = w @ w.T + 3.0 * np.eye(len(x))
    for k in range(len(x)):
        root = np.sqrt(a[k, k] - np.dot(a[k, :k], a[k, :k]))
        a[k, k] = root
        for i in range(k + 1, len(x)):
            a[i, k] = (a[i, k] - np.dot(a[i, :k], a[k, :k])) / root
    return np.sum(np.log(np.diag(a))) + np.dot(x, a @ x) + 0.0 * n


def solved(x, w, n):
    """Systems of equations with exchanges of rows, which depend on data."""
    for _ in range(n):
        x = 0.1 * x + np.linalg.solve(w + 2.0 * np.eye(len(x)), x)
    return np.sum(x * x)


def signed(x, w, n):
    """A determinant, whose sign says whether the number of exchanges is odd, which the device knows alone."""
    for _ in range(n):
        x = 0.5 * x + np.linalg.det(w + np.diag(x)) * np.linalg.inv(w + np.eye(len(x)))[0]
    return np.sum(x * x)


def elements(x, w, n):
    """Elements that are read and written one after the other between operators."""
    for t in range(n):
        total = np.sum(w * x)
        for i in range(1, len(x)):
            x[i] = 0.5 * x[i - 1] + 0.1 * x[i] + 0.01 * total
        x[t % len(x)] += 1.0
    return np.sum(x * x)


def until(x, w, n):
    """A loop inside that ends when the numbers say so, and a branch with operators in it."""
    for _ in range(n):
        steps = 0
        while np.sum(x * x) > 0.5 and steps < 3:
            x = 0.5 * x + 0.01 * (w @ x)
            steps += 1
        if x[0] > 0.0:
            x = x + np.sum(x) * np.sin(x)
            x = 0.9 * x
        else:
            x = 1.5 * x
    return np.sum(x)


def gated(x, w, n):
    """Functions of numbers between operators, and a chain of elements in which most of the time goes."""
    for _ in range(n):
        gate = tl.sigmoid(np.sum(w @ x))
        x = gate * x
        for i in range(1, len(x)):
            x[i] = 0.9 * x[i] + 0.1 * np.sin(x[i - 1])
    return np.sum(x * x)


def arguments(size: int, steps: int) -> tuple[Any, ...]:
    random = np.random.default_rng(size)
    return random.normal(size=size), random.normal(size=(size, size)) / (2 + size), steps


def agree(function: Any, sizes: tuple[tuple[int, int], ...]) -> None:
    """Compares what a function gives on the emulated GPU and on the CPU, number by number."""
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(function, TYPES, target="cuda"), tl.compile(function, TYPES)
        for given in (arguments(*size) for size in sizes):
            for found, expected in zip(numbers(kernel(*given)), numbers(other(*given)), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)


def numbers(result: Any) -> list[Any]:
    return [each for part in result for each in numbers(part)] if isinstance(result, tuple) else [np.asarray(result)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", [exchanged, elements, until, gated], ids=lambda function: function.__name__)
def test_gradients_agree_with_the_cpu(function: Any, method: str) -> None:
    agree(tl.value_and_grad(function, argnums=(0, 1), method=method), ((1, 1), (3, 4), (4, 0), (40, 3)))


@pytest.mark.parametrize("function", [factors, solved, signed], ids=lambda function: function.__name__)
def test_systems_of_equations_agree_with_the_cpu(function: Any) -> None:
    agree(function, ((1, 1), (33, 1), (40, 2)))


def launches(kernel: Any, size: int, steps: int) -> int:
    lines = kernel.explain(tl.f64[size], tl.f64[size, size], steps).splitlines()
    assert not any("reads from the GPU" in line for line in lines)
    return int(next(line for line in lines if line.startswith("  gpu")).split()[1].replace(",", ""))


def test_small_launches_are_one_and_large_ones_are_many() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(exchanged, TYPES, target="cuda")
        assert launches(kernel, 20, 1000) < 20
        assert launches(kernel, 2000, 1000) > 1000
        assert launches(tl.compile(signed, TYPES, target="cuda"), 20, 10) < 200
        # What one thread does in any case counts for neither.
        assert launches(tl.compile(gated, TYPES, target="cuda"), 60, 1000) < 20


def test_states_of_known_size_change_places_in_a_block() -> None:
    gradient = tl.value_and_grad(exchanged, argnums=(0, 1))
    types = (tl.f64[20], tl.f64[20, 20], tl.i64)
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        assert launches(kernel, 20, 1000) < 40
        for steps in range(4):
            given = arguments(20, steps)
            for found, expected in zip(numbers(kernel(*given)), numbers(other(*given)), strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-10)


def panels(x, w, n):
    """A factorisation by blocks: each panel is narrow, what lies behind it is not."""
    return np.sum(np.log(np.diag(np.linalg.cholesky(w @ w.T + 3.0 * np.eye(len(x)))))) + np.sum(x) * n


def test_inner_loops_are_in_a_block_where_launches_beside_them_are_large() -> None:
    agree(panels, ((33, 1), (100, 1)))
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(panels, TYPES, target="cuda")
        # Of 13 panels with 32 columns each, the columns are launched together, and what lies behind by many blocks.
        assert 13 + 12 < launches(kernel, 400, 1) < 100


def gathered(x, places, n):
    """Every thread reads elsewhere, and some outside; then all go on with what was read."""
    for t in range(n):
        y = x[places + t] * 0.5
        x = x + 0.01 * np.sum(y)
    return x


def one_by_one(x, places, n):
    """The first thread alone reads outside."""
    for t in range(n):
        total = np.sum(x)
        for i in range(len(places)):
            x[places[i] + t] = 0.5 * x[i] + 0.1 * total
    return x


@pytest.mark.parametrize("function", [gathered, one_by_one], ids=lambda function: function.__name__)
def test_all_threads_end_where_a_check_of_one_fails(function: Any) -> None:
    types = (tl.f64[:], tl.i64[:], tl.i64)
    x, places = np.linspace(0.0, 1.0, 70), np.arange(70) // 2
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, types, target="cuda")
        np.testing.assert_allclose(kernel(x, places, 30), tl.compile(function, types)(x, places, 30), rtol=1e-13)
        with pytest.raises(IndexError, match="index 70 is out of range for axis 0 with size 70"):
            kernel(x, places, 50)


def turned(x, w, n):
    """States in two places that take turns, of which the last has to be where the result is."""
    before = 0.5 * x
    for _ in range(n):
        x, before = np.tanh(w @ x) - before, x
    return x, before


@pytest.mark.parametrize("steps", range(4))
def test_states_that_take_turns_end_where_results_are(steps: int) -> None:
    agree(turned, ((20, steps),))
