"""Vectorised loops give what numpy gives, for sizes around the number of lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from shared_context import shared_context
from tapeless._mlir import ir
from tapeless.abi import Result
from tapeless.passes.lower.vectorise.vectorise import Vectorise

from . import kernels
from .running import vectorised

LIKE_X = (["dim", 0, 0], ["dim", 0, 1])
LIKE_Y = (["dim", 1, 0], ["dim", 1, 1])
SIZES = (0, 1, 7, 8, 31, 32, 33, 45, 64, 100)


def out(*dims: Any) -> Result:
    return Result("array", "f64", "out", dims)


def distances(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return ((x[:, None] - y[None]) ** 2).sum(-1)


def private(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    largest = distances(x, y).max(-1, initial=-np.inf)
    return np.where(largest > 1, largest**2, np.arange(len(x)))


KERNELS: dict[str, tuple[str, tuple[Result, ...], Callable]] = {
    "matmul": (kernels.MATMUL, (out(["dim", 0, 0], ["dim", 1, 1]),), lambda x, y: (x @ y,)),
    "nearest_sum": (
        kernels.NEAREST_SUM,
        (Result("scalar", "f64", "value"),),
        lambda x, y: (1 + distances(x, y).min(-1).sum(),),
    ),
    "private": (kernels.PRIVATE_BUFFERS, (out(LIKE_X[0]),), lambda x, y: (private(x, y),)),
    "sums": (
        kernels.SUMS_AND_ROWS,
        (out(*LIKE_Y), out(*LIKE_X)),
        lambda x, y: ((x[:, None] - y[None]).sum(0), ((x[:, None] - y[None]) ** 2).sum(1)),
    ),
    "in_place": (kernels.IN_PLACE, (out(LIKE_X[0]),), lambda x, y: (np.full(len(x), 1 + y[:, 0].sum()),)),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("bits", [128, 512])
@pytest.mark.parametrize("name", KERNELS)
def test_vectorised_loops(name: str, bits: int) -> None:
    text, results, reference = KERNELS[name]
    loops, calls = vectorised(text, results, bits)
    assert f"vector<{bits // 64 * 2}xf64>" in loops
    rng = np.random.default_rng(1)
    for n in SIZES:
        x, y = rng.normal(size=(n, 5)), rng.normal(size=(5, 5) if name == "matmul" else (3, 5))
        if name == "matmul":
            y = rng.normal(size=(5, n))
        for result, expected in zip(calls.general(x, y), reference(x, y), strict=True):
            np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12, err_msg=f"n = {n}")


# Loops that must stay as they are, and why.
LEFT_ALONE = {
    "the bounds of an inner loop depend on the lane": ("%c0 to %m step", "%c0 to %i step"),
    "a carried sum may not be reordered": (" fastmath<reassoc>", ""),
    "a partial result is used elsewhere": (
        "scf.yield %next",
        "%twice = arith.addf %next, %total : f64\n scf.yield %twice",
    ),
    "an op that cannot run in lanes": (
        "%least = arith.minimumf",
        "func.call @f() : () -> ()\n %least = arith.minimumf",
    ),
}


@pytest.mark.parametrize("reason", LEFT_ALONE)
def test_loops_left_alone(reason: str) -> None:
    text = kernels.NEAREST_SUM.replace(*LEFT_ALONE[reason]).replace("ABI", '""')
    with shared_context(), ir.Location.unknown():
        module = ir.Module.parse(text + "func.func private @f()")
        before = str(module)
        Vectorise().run(module)
        assert str(module) == before
