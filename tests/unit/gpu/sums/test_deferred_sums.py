"""Gradients of weights that loops use in every step, summed over many steps at once on the emulated GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.fake_gpu import FakeGpu
from emulated_gpu.kernels import emulated_cuda
from tapeless.backend import targets
from tapeless.passes.lower.in_block.loops_in_block import LoopsInBlock

pytestmark = pytest.mark.one_in(4)

Arrays = tuple[np.ndarray, ...]
TOLERANCES = {np.float64: 1e-12, np.float32: 1e-5}
# Steps, sequences, features, units.
SIZES = [
    (0, 3, 2, 4),
    (1, 1, 1, 1),
    (1, 5, 3, 2),
    (2, 17, 4, 3),
    (7, 3, 2, 4),
    (5, 20, 17, 9),
    (3, 0, 2, 2),
    (4, 2, 0, 3),
]
# Bytes that may be kept: of one step, of a few, of all.
KEPT = [1, 3000, 1 << 28]


@contextmanager
def keeping(most: int, seed: int = 0) -> Iterator[FakeGpu]:
    """An emulated GPU on which loops keep so many bytes for deferred sums."""
    with emulated_cuda(seed) as gpu:
        cuda = targets.TARGETS["cuda"]
        settings = replace(cuda, settings=lambda machine: {**cuda.settings(machine), "most_kept": most})
        with mock.patch.dict(targets.TARGETS, cuda=settings):
            yield gpu


def recurrent(x, w, u, b):
    """The weighted sum of the states of a recurrent network."""
    hidden = tl.zeros((x.shape[1], len(u)), x.dtype)
    total = tl.zeros((x.shape[1], len(u)), x.dtype)
    for t in range(len(x)):
        hidden = tl.tanh(x[t] @ w + hidden @ u + b)
        total = total + (1.0 + t) * hidden
    return tl.sum(total)


def recurrent_gradients(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray) -> Arrays:
    """The gradients by w, u and b, step by step from the last one."""
    states = [np.zeros((x.shape[1], len(u)), x.dtype)]
    for row in x:
        states.append(np.tanh(row @ w + states[-1] @ u + b))
    by_w, by_u, by_b, by_state = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b), np.zeros_like(states[0])
    for t in reversed(range(len(x))):
        by_state = by_state + (1.0 + t)
        inner = by_state * (1.0 - states[t + 1] ** 2)
        by_w, by_u, by_b = by_w + x[t].T @ inner, by_u + states[t].T @ inner, by_b + inner.sum(0)
        by_state = inner @ u.T
    return tuple(each.astype(x.dtype) for each in (by_w, by_u, by_b))


def gated(x, w, u, b):
    """The sum of the states of a network with long short-term memory, whose gates are slices of one array."""
    size = len(u)
    hidden = tl.zeros((x.shape[1], size), x.dtype)
    cell = tl.zeros((x.shape[1], size), x.dtype)
    total = tl.zeros((x.shape[1], size), x.dtype)
    for t in range(len(x)):
        gates = x[t] @ w + hidden @ u + b
        ingate, forget = tl.sigmoid(gates[:, :size]), tl.sigmoid(gates[:, size : 2 * size])
        change, outgate = tl.tanh(gates[:, 2 * size : 3 * size]), tl.sigmoid(gates[:, 3 * size :])
        cell = forget * cell + ingate * change
        hidden = outgate * tl.tanh(cell)
        total = total + hidden
    return tl.sum(total * total)


def going_back(x, w):
    """Rows from the end on, of two arrays at different places, and a decay that stays in the loop."""
    state = tl.zeros((x.shape[1], w.shape[1]), x.dtype)
    for t in range(len(x) - 1):
        state = 0.5 * state + tl.sin((x[len(x) - 1 - t] - x[len(x) - 2 - t]) @ w)
    return tl.sum(state * state)


def arguments(size: tuple[int, int, int, int], gates: int, dtype: type) -> Arrays:
    steps, sequences, features, units = size
    rng = np.random.default_rng(sum(size))
    shapes = ((steps, sequences, features), (features, gates * units), (units, gates * units), (gates * units,))
    return tuple((0.5 * rng.standard_normal(shape)).astype(dtype) for shape in shapes)


def types(dtype: type) -> tuple[Any, ...]:
    element = tl.f64 if dtype is np.float64 else tl.f32
    return element[:, :, :], element[:, :], element[:, :], element[:]


def agree(found: Any, expected: Any) -> None:
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        scale = max(1.0, float(np.max(np.abs(other), initial=0)))
        np.testing.assert_allclose(one, other, rtol=0, atol=TOLERANCES[one.dtype.type] * scale)


@pytest.mark.one_in(18)
@pytest.mark.parametrize(("most", "dtype"), list(product(KEPT, (np.float64, np.float32))))
def test_weights_of_a_recurrent_network(most: int, dtype: type) -> None:
    gradient = tl.grad(tl.function(recurrent), argnums=(1, 2, 3))
    with keeping(most, seed=most % 7):
        kernel = tl.compile(gradient, types(dtype), target="cuda")
        for size in SIZES:
            given = arguments(size, 1, dtype)
            agree(kernel(*given), recurrent_gradients(*given))


@pytest.mark.thorough
@pytest.mark.parametrize("most", KEPT)
def test_weights_of_a_network_with_gates(most: int) -> None:
    gradient = tl.grad(tl.function(gated), argnums=(0, 1, 2, 3))
    here = tl.compile(gradient, types(np.float64))
    with keeping(most, seed=most % 5):
        kernel = tl.compile(gradient, types(np.float64), target="cuda")
        for size in SIZES:
            given = arguments(size, 4, np.float64)
            agree(kernel(*given), here(*given))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("deterministic", [True, False])
def test_rows_from_the_end(deterministic: bool) -> None:
    signature = types(np.float64)[:2]
    gradient = tl.grad(tl.function(going_back), argnums=(0, 1))
    here = tl.compile(gradient, signature)
    with keeping(1000):
        kernel = tl.compile(gradient, signature, target="cuda", deterministic=deterministic)
        for size in SIZES[1:]:
            given = arguments(size, 1, np.float64)[:2]
            agree(kernel(*given), here(*given))


def test_known_sizes() -> None:
    size = (6, 5, 2, 4)
    given = arguments(size, 1, np.float64)
    gradient = tl.grad(tl.function(recurrent), argnums=(1, 2, 3))
    with keeping(400):
        kernel = tl.compile(gradient, tuple(tl.f64[each.shape] for each in given), target="cuda")
        agree(kernel(*given), recurrent_gradients(*given))


@pytest.mark.thorough
def test_steps_back_of_gates_take_two_launches() -> None:
    """What gates of one array leave for it is built in its place, and no step sums up weights."""
    gradient = tl.grad(tl.function(gated), argnums=(1, 2, 3))
    here = tl.compile(gradient, types(np.float32))
    with emulated_cuda() as gpu, mock.patch.object(LoopsInBlock, "run", lambda self, module: None):
        kernel = tl.compile(gradient, types(np.float32), target="cuda", checks="off")
        counts = []
        for steps in (4, 5):
            gpu.calls.clear()
            given = arguments((steps, 3, 2, 4), 4, np.float32)
            agree(kernel(*given), here(*given))
            counts.append(sum(call[0] == "launch" for call in gpu.calls))
        # Two products and what is elementwise on the way, and what is elementwise and a product on the way back.
        assert counts[1] - counts[0] == 5
