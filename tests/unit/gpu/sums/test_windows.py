"""Windows of an array, cut by loops at places that they compute, on the emulated GPU against NumPy: a size that is
checked in each iteration is one of all, and products with windows have a thread for each of their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless._mlir import arith, ir
from tapeless.passes.soac.spread.guard import Limits

Arrays = tuple[np.ndarray, ...]


def framed(signal: tl.f64[:], weights: tl.f64[:, :], target: tl.f64[:, :]) -> tl.f64:
    """Overlapping frames, through a product with a matrix."""
    hop = weights.shape[1] // 2
    loss = 0.0
    for f in range(target.shape[0]):
        frame = signal[f * hop : f * hop + 2 * hop]
        loss += tl.sum((tl.log((weights @ frame) ** 2 + 0.5) - target[f]) ** 2)
    return loss


def delayed(signal: tl.f64[:], weights: tl.f64[:, :], target: tl.f64[:, :]) -> tl.f64:
    """Frames that begin where data say."""

    def each(row):
        first = int(row[0])
        return tl.sum(tl.tanh(weights @ signal[first : first + weights.shape[1]]) * row)

    return tl.sum(tl.map(each, target))


def framed_by_numpy(signal: np.ndarray, weights: np.ndarray, target: np.ndarray) -> Any:
    width = weights.shape[1]
    frames = np.array([signal[f : f + width] for f in width // 2 * np.arange(len(target))])
    return np.sum((np.log((frames @ weights.T) ** 2 + 0.5) - target) ** 2)


def delayed_by_numpy(signal: np.ndarray, weights: np.ndarray, target: np.ndarray) -> Any:
    firsts = target[:, 0].real.astype(int)
    frames = np.array([signal[f : f + weights.shape[1]] for f in firsts])
    return np.sum(np.tanh(frames @ weights.T) * target)


def arguments(frames: int, window: int, rows: int) -> Arrays:
    random = np.random.default_rng(frames + rows)
    signal, weights = random.normal(size=(frames + 1) * (window // 2)), random.normal(size=(rows, window)) / window
    target = random.normal(size=(frames, rows))
    target[:, :1] = random.integers(0, len(signal) - window + 1, size=(frames, 1))
    return signal, weights, target


def always(self: Limits, width: ir.Value, kept: object) -> ir.Value:
    return arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result


PROGRAMS = pytest.mark.parametrize(("function", "by_numpy"), [(framed, framed_by_numpy), (delayed, delayed_by_numpy)])


@PROGRAMS
def test_gradients_are_those_of_numpy(function: Callable[..., Any], by_numpy: Callable[..., Any]) -> None:
    """By the value and by complex steps along a direction; the stages of an iteration are launches."""
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=7) as gpu:
        kernel = tl.jit(tl.value_and_grad(function, argnums=(0, 1)), target="cuda")
        for sizes in ((1, 2, 1), (5, 6, 3), (40, 16, 21)):
            signal, weights, target = arguments(*sizes)
            gpu.calls.clear()
            value, found = kernel(signal, weights, target)
            launches = [call for call in gpu.calls if call[0] == "launch"]
            np.testing.assert_allclose(value, by_numpy(signal, weights, target), rtol=1e-12)
            for position, slopes in enumerate(found):
                random = np.random.default_rng(position).normal(size=slopes.shape)
                moved = [signal + 0j, weights + 0j, target]
                moved[position] = moved[position] + 1e-30j * random
                wanted = by_numpy(*moved).imag / 1e-30
                np.testing.assert_allclose(np.sum(slopes * random), wanted, rtol=1e-10, atol=1e-12)
        gpu.check_guards()
    assert len(launches) >= 8


@PROGRAMS
def test_windows_cut_short_are_refused(function: Callable[..., Any], by_numpy: object) -> None:
    """The check comes before all that reads behind the end."""
    signal, weights, target = arguments(5, 6, 3)
    target[3, 0] = len(signal) - 4
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=8) as gpu:
        kernel = tl.jit(tl.value_and_grad(function, argnums=(0, 1)), target="cuda")
        with pytest.raises(tl.ShapeMismatch, match="sizes 6 and 4 of axis 1 do not match"):
            kernel(signal[: len(signal) - 2 * (function is framed)], weights, target)
        gpu.check_guards()
