"""Few long sums of pairs have teams of threads, and sums over two loops threads for parts of both, against NumPy."""

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
from tapeless.passes.soac.sums import runs

N, K = 45, 3


def always(self: Limits, width: ir.Value, kept: object) -> ir.Value:
    return arith.ConstantOp(ir.IntegerType.get_signless(1), 1).result


def boxed(x, side):
    """Pairs by loops: the number of coordinates is that of the array, which is known before alone."""
    energy = 0.0
    for i in range(len(x)):
        for j in range(i):
            square = 0.1
            for k in range(3):
                d = x[i, k] - x[j, k]
                d -= side * round(d / side)
                square += d * d
            if square < 2.0:
                energy += 1.0 / square
    return energy


def boxed_numpy(x, side):
    d = x[:, None] - x[None]
    d = d - side * np.round(d / side)
    square = np.sum(d * d, 2) + 0.1
    pairs = -2.0 * (np.tril(square < 2.0, -1) / square**2)[:, :, None] * d
    return np.sum(np.tril(square < 2.0, -1) / square), np.sum(pairs, 1) - np.sum(pairs, 0)


def attracted(x, m):
    """Pairs by axes: rows that a map makes are read at one place."""
    d = x[:, None, :] - x[None, :, :]
    return np.sum(m[:, None] * m[None, :] / np.sqrt(np.sum(d**2, axis=2) + 0.1))


def attracted_numpy(x, m):
    d = x[:, None] - x[None]
    one = 1.0 / np.sqrt(np.sum(d * d, 2) + 0.1)
    slope = -(m[:, None] * m[None] * one**3)[:, :, None] * d
    return np.sum(m[:, None] * m[None] * one), np.sum(slope, 1) - np.sum(slope, 0)


def repelled(density, repulsion):
    """Sums over two loops for each owner, which the same iterations add to at two places."""
    n = len(density)
    energy = 0.0
    for p in range(n):
        for q in range(n):
            for r in range(n):
                for s in range(n):
                    both = 2.0 * repulsion[p, q, r, s] - repulsion[p, r, q, s]
                    energy += density[p, q] * density[r, s] * both
    return energy


def repelled_numpy(density, repulsion):
    both = 2.0 * repulsion - np.swapaxes(repulsion, 1, 2)
    pq, rs = np.einsum("pqrs,rs->pq", both, density), np.einsum("pqrs,pq->rs", both, density)
    return np.sum(density * pq), pq + rs


def apart(width, x):
    """A branch adds to all elements of the gradient, or to none."""
    score = 0.0
    for i in range(len(x)):
        density = 0.0
        for j in range(len(x)):
            if i != j:
                square = 0.0
                for k in range(len(width)):
                    square += ((x[i, k] - x[j, k]) / width[k]) ** 2
                density += tl.exp(-0.5 * square)
        score += tl.log(density)
    return score


def apart_numpy(width, x):
    squares = (x[:, None] - x[None]) ** 2
    pairs = np.exp(-0.5 * np.sum(squares / width**2, 2)) * (1.0 - np.eye(len(x)))
    density = np.sum(pairs, 1)
    return np.sum(np.log(density)), np.sum(pairs[:, :, None] * squares / density[:, None, None], (0, 1)) / width**3


RANDOM = np.random.default_rng(1)
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]] = {
    "boxed": (boxed, boxed_numpy, (RANDOM.uniform(0.0, 3.0, (70, K)), 3.0)),
    "attracted": (attracted, attracted_numpy, (RANDOM.normal(size=(N, K)), RANDOM.uniform(size=N))),
    "apart": (apart, apart_numpy, (RANDOM.uniform(1.0, 2.0, K), RANDOM.normal(size=(N, K)))),
    "repelled": (repelled, repelled_numpy, (RANDOM.normal(size=(9, 9)), RANDOM.normal(size=(9, 9, 9, 9)))),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients(name: str) -> None:
    """Gradients are right, the same in each call, and no thread has as many iterations as the program."""
    function, numpy, arguments = CASES[name]
    short, hold = mock.patch.object(runs, "FEWEST_TERMS", 3), mock.patch.object(Limits, "hold", always)
    with short, hold, emulated_cuda(seed=2) as gpu:
        kernel = tl.jit(tl.value_and_grad(tl.function(function)), target="cuda")
        value, gradient = kernel(*arguments)
        again = kernel(*arguments)[1]
        widest = max(call[2][0] * call[3][0] for call in gpu.calls if call[0] == "launch")
        gpu.check_guards()
    wanted = numpy(*arguments)
    np.testing.assert_allclose(value, wanted[0], rtol=1e-11)
    np.testing.assert_allclose(gradient, wanted[1], rtol=1e-10, atol=1e-11)
    np.testing.assert_array_equal(gradient, again)
    assert widest >= 32 * len(arguments[0])


def test_more_coordinates_than_a_loop_takes() -> None:
    """The variant for equal sizes is not taken where the loop leaves elements alone."""
    x = RANDOM.uniform(0.0, 3.0, (70, 4))
    with mock.patch.object(Limits, "hold", always), emulated_cuda(seed=3) as gpu:
        found = tl.jit(tl.grad(tl.function(boxed)), target="cuda")(x, 3.0)
        gpu.check_guards()
    np.testing.assert_allclose(found[:, :3], boxed_numpy(x[:, :3], 3.0)[1], rtol=1e-10, atol=1e-11)
    np.testing.assert_array_equal(found[:, 3], 0.0)
