"""Sums that the iterations of a map make for themselves, at indices of maps, on the emulated GPU against NumPy: they
are one sum into an array of all iterations, each element of which an owner sums."""

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


def curvature(w: tl.f64[:], x: tl.f64[:, :]) -> tl.f64[:, :]:
    """A second derivative, direction by direction, that begins with that of the last term."""

    def loss(v):
        return np.sum(tl.softplus(x @ v)) + 0.05 * np.dot(v, v)

    return tl.hessian(loss)(w)


def curvature_by_numpy(w: np.ndarray, x: np.ndarray) -> np.ndarray:
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    return (x.T * (p * (1.0 - p))) @ x + 0.1 * np.eye(len(w))


def slopes(tasks: tl.f64[:, :], x: tl.f64[:, :]) -> tl.f64[:, :]:
    """A gradient for each of some tasks, all with the same rows."""

    def loss(w):
        return tl.sum(tl.map(lambda row: tl.sin(tl.dot(row, w)) ** 2, x))

    return tl.map(lambda w: tl.grad(loss)(w) * w, tasks)


def slopes_by_numpy(tasks: np.ndarray, x: np.ndarray) -> np.ndarray:
    return (np.sin(2.0 * (tasks @ x.T)) @ x) * tasks


def always(self: Limits, width: ir.Value, kept: object) -> ir.Value:
    return arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result


@pytest.mark.parametrize(
    ("function", "by_numpy", "shape", "stages"),
    [(curvature, curvature_by_numpy, lambda n, d: (d,), 8), (slopes, slopes_by_numpy, lambda n, d: (7, d), 5)],
)
def test_sums_of_all_iterations_are_those_of_numpy(
    function: Callable[..., Any],
    by_numpy: Callable[..., Any],
    shape: Callable[[int, int], tuple[int, ...]],
    stages: int,
) -> None:
    """What is added is computed by launches before those of the owners."""
    random = np.random.default_rng(11)
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=9) as gpu:
        kernel = tl.jit(function, target="cuda")
        for n, d in ((1, 1), (5, 3), (70, 20)):
            given = random.normal(size=shape(n, d)), random.normal(size=(n, d))
            gpu.calls.clear()
            np.testing.assert_allclose(kernel(*given), by_numpy(*given), rtol=1e-11, atol=1e-11)
        gpu.check_guards()
    assert len([call for call in gpu.calls if call[0] == "launch"]) >= stages
