"""Reductions to arrays run in blocks: in order, from the neutral element, the same bits on any number of threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.passes.lower.blocks import cuts
from tapeless.runtime.counters import memory_counters

SIZES = [0, 1, 40, 5003]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cuts work that would be too little for several blocks."""
    monkeypatch.setattr(cuts, "LEAST_WORK", 1 << 14)


def sum_of_rows(x: tl.f64[:, :]):
    return tl.sum(x, axis=0)


def rows_and_scalars(x: tl.f64[:, :]):
    """A row, a scalar and a map's result from one pass."""
    first = tl.map(lambda row: tl.exp(row[0]), x)
    total, largest = tl.reduce(
        lambda a, s, b, t: (a + b, tl.maximum(s, t)), (tl.zeros(x.shape[1]), -tl.inf), x, x[:, 1]
    )
    return total, largest, first


def products(x: tl.f64[:, :]):
    """A product of matrices that do not commute."""
    matrices = tl.map(
        lambda row: tl.stack((tl.stack((tl.cos(row[0]), 0.1 * row[1])), tl.stack((-tl.sin(row[0]), 1.0)))), x
    )
    return tl.reduce(lambda a, b: a @ b, tl.stack((tl.stack((1.0, 0.0)), tl.stack((0.0, 1.0)))), matrices)


def in_steps(x: tl.f64[:, :]):
    """Inside a loop, where few rows take the plain way."""
    total = tl.zeros(x.shape[1])
    for _ in range(3):
        total = 0.5 * total + tl.sum(x * total + x, axis=0)
    return total


def expected_products(x: np.ndarray) -> np.ndarray:
    result = np.eye(2)
    for a, b, *_ in x:
        matrix = np.array([[np.cos(a), 0.1 * b], [-np.sin(a), 1.0]])
        result = result @ matrix
    return result


def expected_steps(x: np.ndarray) -> np.ndarray:
    total = np.zeros(x.shape[1])
    for _ in range(3):
        total = 0.5 * total + (x * total + x).sum(axis=0)
    return total


EXPECTED: dict[Callable[..., Any], Callable[[np.ndarray], tuple[Any, ...]]] = {
    sum_of_rows: lambda x: (x.sum(axis=0),),
    rows_and_scalars: lambda x: (x.sum(axis=0), x[:, 1].max(initial=-np.inf), np.exp(x[:, 0])),
    products: lambda x: (expected_products(x),),
    in_steps: lambda x: (expected_steps(x),),
}


def results(function: Callable[..., Any], x: np.ndarray, threads: int) -> list[np.ndarray]:
    found = tl.compile(tl.function(function), (x,), threads=threads)(x)
    return [np.asarray(array) for array in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.one_in(16)
@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("function", EXPECTED)
def test_blocks_reduce_in_order(function: Callable[..., Any], count: int) -> None:
    x = 0.01 * np.random.default_rng(count).normal(size=(count, 7))
    first, *others = [results(function, x, threads) for threads in (1, 2, 3)]
    for found, wanted in zip(first, EXPECTED[function](x), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
    for other in others:
        assert [array.tobytes() for array in first] == [array.tobytes() for array in other]


@pytest.mark.parametrize("function", EXPECTED)
def test_memory_is_given_back(function: Callable[..., Any]) -> None:
    x = np.ones((5003, 7))
    before = memory_counters().live_bytes
    results(function, x, 2)
    assert memory_counters().live_bytes == before
