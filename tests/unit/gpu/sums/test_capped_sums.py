"""Sums at places that iterations count, into arrays too large for copies of enough threads, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def neighbours(x):
    return tl.sum(tl.map(lambda i: tl.sin(x[i]) * x[i + 1] * x[i + 2], tl.iota(len(x) - 2)))


def neighbours_bar(x: np.ndarray) -> np.ndarray:
    bar = np.zeros_like(x)
    a, b, c = x[:-2], x[1:-1], x[2:]
    bar[:-2] += np.cos(a) * b * c
    bar[1:-1] += np.sin(a) * c
    bar[2:] += np.sin(a) * b
    return bar


def strided(x):
    return tl.sum(tl.map(lambda i: x[2 * i] * x[len(x) - 1 - i], tl.iota(len(x) // 2)))


def strided_bar(x: np.ndarray) -> np.ndarray:
    bar, i = np.zeros_like(x), np.arange(len(x) // 2)
    bar[2 * i] += x[len(x) - 1 - i]
    bar[len(x) - 1 - i] += x[2 * i]
    return bar


def weighted(x):
    """Rows that are left beside the sums."""
    rows = tl.map(lambda i: x[i] * x[i + 1], tl.iota(len(x) - 1))
    return tl.sum(rows * rows)


def weighted_bar(x: np.ndarray) -> np.ndarray:
    bar = np.zeros_like(x)
    rows = x[:-1] * x[1:]
    bar[:-1] += 2 * rows * x[1:]
    bar[1:] += 2 * rows * x[:-1]
    return bar


CASES = {neighbours: neighbours_bar, strided: strided_bar, weighted: weighted_bar}
SIZES = (3, 64, 257, 5000)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_adjoints_of_neighbours_are_right_and_the_same_in_every_order(function: Any) -> None:
    found: dict[int, np.ndarray] = {}
    for seed in (1, 2):
        with emulated_cuda(seed, keeps_kernels=True):
            kernel = tl.compile(tl.grad(function), (tl.f64[:],), target="cuda")
            for size in SIZES:
                x = np.random.default_rng(size).normal(size=size)
                bar = kernel(x)
                assert np.allclose(bar, CASES[function](x), rtol=1e-13, atol=1e-13), size
                assert np.array_equal(bar, found.setdefault(size, bar)), size


def test_there_is_a_thread_for_each_iteration() -> None:
    with emulated_cuda(keeps_kernels=True):
        lines = tl.compile(tl.grad(neighbours), (tl.f64[:],), target="cuda").explain(tl.f64[1_000_000]).splitlines()
    assert not [line for line in lines if line.startswith("  slow")]


def centred(x):
    """Sums of columns beside the rows that they are sums of, and beside those that these are made of."""
    squares = (x - 0.5) ** 2
    return np.sum(squares, axis=0), squares, np.sum(x + 1.0, axis=0), x + 1.0


def normalised(x):
    normal = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + 0.1)
    return np.sum(normal**3, axis=0)


def test_columns_are_reduced_beside_the_rows_they_are_made_of() -> None:
    with emulated_cuda(keeps_kernels=True):
        both, other = (tl.compile(each, (tl.f64[:, :],), target="cuda") for each in (centred, normalised))
        for shape in ((0, 3), (1, 1), (5, 300), (700, 3), (130, 40)):
            x = np.random.default_rng(shape[0]).normal(size=shape)
            for found, wanted in zip(both(x), centred(x), strict=True):
                assert np.allclose(found, wanted, rtol=1e-13, atol=1e-13), shape
            if shape[0]:
                assert np.allclose(other(x), normalised(x), rtol=1e-11, atol=1e-11), shape
