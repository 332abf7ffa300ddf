"""Gradients sum into arrays from many iterations: on threads they are the same bits, checked and leak-free."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from held_memory import held_by
from tapeless.passes.lower.blocks import cuts
from tapeless.runtime.counters import memory_counters

pytestmark = pytest.mark.one_in(2)

THREADS = (1, 2, 3, 4)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts work that would be too little for several blocks."""
    monkeypatch.setattr(cuts, "LEAST_WORK", 1 << 14)


@tl.function
def nearest(points: tl.f64[:, :], centres: tl.f64[:, :]):
    def distance(p):
        return tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres))

    return tl.sum(tl.map(distance, points))


@tl.function
def mixture(points: tl.f64[:, :], centres: tl.f64[:, :], scales: tl.f64[:, :]):
    def density(p):
        return tl.logsumexp(tl.map(lambda c, s: -tl.sum((tl.exp(s) * (p - c)) ** 2) + tl.sum(s), centres, scales))

    return tl.sum(tl.map(density, points))


@tl.function
def looked_up(keys: tl.i64[:], weights: tl.f64[:], table: tl.f64[:]):
    return tl.sum(tl.map(lambda k, w: tl.sin(w * table[k] * table[0]), keys, weights))


@tl.function
def in_steps(points: tl.f64[:, :], centres: tl.f64[:, :]):
    total = 0.0
    for step in range(3):
        total = total + nearest(points, centres * (1.0 + 0.1 * step))
    return total


@tl.function
def by_parts(keys: tl.i64[:], weights: tl.f64[:], table: tl.f64[:]):
    first = looked_up(keys, weights, table[:7])
    return first * first + looked_up(keys, weights, table[5:])


def normal(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape)


def keys(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 7, count)


def arguments(count: int) -> dict[str, tuple[Callable[..., Any], tuple[int, ...], tuple[np.ndarray, ...]]]:
    """Programs, the arguments to differentiate, and arguments."""
    return {
        "nearest": (nearest, (0, 1), (normal(count, 3), normal(6, 3))),
        "mixture": (mixture, (1, 2), (normal(count, 4), normal(5, 4), 0.1 * normal(5, 4))),
        "looked_up": (looked_up, (1, 2), (keys(count), normal(count), normal(12))),
        "in_steps": (in_steps, (1,), (normal(count, 3), normal(6, 3))),
        "by_parts": (by_parts, (2,), (keys(count), normal(count), normal(12))),
    }


def results(name: str, count: int, **options: Any) -> list[np.ndarray]:
    function, wrt, values = arguments(count)[name]
    value, gradients = tl.compile(tl.value_and_grad(function, argnums=wrt), values, **options)(*values)
    return [np.asarray(value), *gradients]


@pytest.mark.one_in(60)
@pytest.mark.parametrize("count", [0, 1, 33, 5003])
@pytest.mark.parametrize("name", arguments(1))
def test_same_bits_on_any_number_of_threads(name: str, count: int) -> None:
    first, *others = [results(name, count, threads=threads) for threads in THREADS]
    for other in others:
        assert [array.tobytes() for array in first] == [array.tobytes() for array in other]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", arguments(1))
def test_blocks_give_the_gradient(name: str, threads: int) -> None:
    """A directional derivative by finite differences, at a size that makes many blocks."""
    function, wrt, values = arguments(5003)[name]
    gradients = results(name, 5003, threads=threads)[1:]
    directions = [normal(*values[k].shape[::-1]).T for k in wrt]

    def moved(step: float) -> float:
        changed = list(values)
        for k, direction in zip(wrt, directions, strict=True):
            changed[k] = values[k] + step * direction
        return function(*changed)

    expected = (moved(1e-6) - moved(-1e-6)) / 2e-6
    slope = sum(np.vdot(gradient, direction) for gradient, direction in zip(gradients, directions, strict=True))
    np.testing.assert_allclose(slope, expected, rtol=1e-5)


@pytest.mark.parametrize("name", arguments(1))
def test_memory_is_given_back(name: str) -> None:
    results(name, 5003, threads=2)
    before = memory_counters().live_bytes
    results(name, 5003, threads=2)
    assert memory_counters().live_bytes == before


@pytest.mark.one_in(2)
@pytest.mark.parametrize("threads", THREADS)
def test_a_failed_check_in_a_block_is_the_first_one(threads: int) -> None:
    values = (keys(5003), normal(5003), normal(12))
    kernel = tl.compile(tl.grad(looked_up, argnums=2), values, threads=threads, checks="on")
    kernel(*values)
    before = memory_counters().live_bytes
    values[0][[3001, 4800]] = 100, 200
    with pytest.raises(tl.IndexOutOfRange, match=r"index 100 .* size 12"):
        kernel(*values)
    assert memory_counters().live_bytes == before


def peak_of(count: int, size: int, **options: Any) -> float:
    """The memory that the gradient of look-ups in a table takes, in tables."""
    values = (keys(count), normal(count), normal(size))
    kernel = tl.compile(tl.grad(looked_up, argnums=2), values, **options)
    kernel(*values)
    return held_by(kernel, *values) / values[2].nbytes


def test_sums_larger_than_the_work_are_not_copied() -> None:
    assert peak_of(5003, 400_000, threads=2) < 1.5
    assert peak_of(5003, 400_000, threads=2, deterministic=False) < 1.5


def test_large_sums_are_copied_when_results_may_depend_on_threads() -> None:
    assert peak_of(200_000, 10_000, threads=2, deterministic=True) < 1.5
    assert peak_of(200_000, 10_000, threads=1, deterministic=False) < 1.5
    assert peak_of(200_000, 10_000, threads=2, deterministic=False) > 2.0
    values = (keys(200_000), normal(200_000), normal(10_000))
    exact, free = (
        tl.compile(tl.grad(looked_up, argnums=2), values, threads=2, deterministic=flag)(*values)
        for flag in (True, False)
    )
    np.testing.assert_allclose(free, exact, rtol=1e-9, atol=1e-9)
