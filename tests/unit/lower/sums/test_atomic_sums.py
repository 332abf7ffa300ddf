"""Threads that add to the same arrays: as one thread does, but for rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.passes.lower.blocks import cuts


@pytest.fixture(autouse=True)
def eager_atomics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes copies for too dear and atomic additions for cheap."""
    monkeypatch.setattr(cuts, "LEAST_WORK", 1)
    monkeypatch.setattr(cuts, "WORK_PER_ATOMIC", 0)
    monkeypatch.setattr(cuts, "WORK_PER_COPIED_ELEMENT", {True: 1 << 40, False: 1 << 40})


@tl.function
def looked_up(keys: tl.i64[:], weights: tl.f64[:], table: tl.f64[:]):
    return tl.sum(tl.map(lambda k, w: tl.exp(tl.sin(w * table[k])), keys, weights))


@tl.function
def in_single_precision(keys: tl.i64[:], weights: tl.f32[:], table: tl.f32[:]):
    return tl.sum(tl.map(lambda k, w: tl.exp(tl.sin(w * table[k])), keys, weights))


@tl.function
def rows(keys: tl.i64[:], weights: tl.f64[:, :], table: tl.f64[:, :]):
    return tl.sum(tl.map(lambda k, w: tl.exp(-tl.sum((table[k] - w) ** 2)), keys, weights))


@tl.function
def columns(keys: tl.i64[:], weights: tl.f64[:, :], table: tl.f64[:, :]):
    """Adds at places that lie a stride apart, which vectors would otherwise work on in a copy."""
    return tl.sum(tl.map(lambda k, w: tl.sum(tl.map(lambda j: tl.exp(-w[j] * table[j, k]), tl.iota(3))), keys, weights))


@tl.function
def shared(keys: tl.i64[:], weights: tl.f64[:], table: tl.f64[:]):
    """Every iteration adds to the first element, too, in an inner loop."""

    def one(key, weight):
        return tl.sum(tl.map(lambda t: tl.sin(t * weight * table[0]), table[:3])) * table[key]

    return tl.sum(tl.map(one, keys, weights))


@tl.function
def in_steps(keys: tl.i64[:], weights: tl.f64[:], table: tl.f64[:]):
    total = 0.0
    for step in range(3):
        total = total + looked_up(keys, weights * step, table)
    return total


PROGRAMS: dict[Callable[..., Any], tuple[type, int]] = {
    looked_up: (np.float64, 1),
    in_single_precision: (np.float32, 1),
    rows: (np.float64, 2),
    columns: (np.float64, 2),
    shared: (np.float64, 1),
    in_steps: (np.float64, 1),
}


def arguments(program: Callable[..., Any], size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Few places, so that threads meet."""
    number, rank = PROGRAMS[program]
    random = np.random.default_rng(size)
    tail, places = ((3,), 3) if rank == 2 else ((), 5)
    weights = random.normal(size=(size, *tail)).astype(number)
    return random.integers(0, places, size), weights, random.normal(size=(places, *tail)).astype(number)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("program", PROGRAMS)
def test_free_gradients_agree_with_reproducible_ones(program: Callable[..., Any]) -> None:
    gradient = tl.grad(program, argnums=(1, 2))
    example = arguments(program, 40)
    free = tl.compile(gradient, example, threads=2, deterministic=False)
    fixed = {threads: tl.compile(gradient, example, threads=threads) for threads in (1, 2)}
    assert "llvm.atomicrmw" in free.ir("llvm")
    assert "llvm.atomicrmw" not in fixed[2].ir("llvm")
    tolerance = 1e-4 if PROGRAMS[program][0] is np.float32 else 1e-10
    for size in (0, 1, 40, 5003):
        given = arguments(program, size)
        wanted = fixed[1](*given)
        for result, same, expected in zip(free(*given), fixed[2](*given), wanted, strict=True):
            assert same.tobytes() == expected.tobytes()
            np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def test_one_thread_adds_as_always() -> None:
    kernel = tl.compile(tl.grad(looked_up, 2), arguments(looked_up, 40), threads=1, deterministic=False)
    assert "llvm.atomicrmw" not in kernel.ir("llvm")
