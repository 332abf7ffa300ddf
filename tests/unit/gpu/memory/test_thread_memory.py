"""Arrays that threads make for themselves, in memory that the host has planned for all of them, on the emulated GPU."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def filtered(row):
    """A recurrence that reads what it has written, in an array of the thread."""
    kept = row * 1.0
    for i in range(1, len(kept)):
        kept[i] = 0.5 * kept[i - 1] + kept[i]
    for i in range(1, len(kept)):
        kept[len(kept) - 1 - i] += 0.25 * kept[len(kept) - i]
    return kept


def each(x):
    return tl.map(lambda row: tl.max(filtered(row)), x)


def total(x):
    """The same in a reduction, whose threads take several rows."""
    return tl.sum(tl.map(lambda row: tl.sum(filtered(row) ** 2), x))


def planes(x):
    """An array of two axes for each thread."""

    def one(row):
        table = tl.map(lambda a: row * a, row)
        for i in range(1, len(row)):
            table[i, 0] = table[i - 1, 0] + table[i, i]
        return tl.sum(table)

    return tl.map(one, x)


def filtered_rows(x: np.ndarray) -> np.ndarray:
    kept = x * 1.0
    for i in range(1, x.shape[1]):
        kept[:, i] = 0.5 * kept[:, i - 1] + kept[:, i]
    for i in range(1, x.shape[1]):
        kept[:, x.shape[1] - 1 - i] += 0.25 * kept[:, x.shape[1] - i]
    return kept


def tables(x: np.ndarray) -> np.ndarray:
    table = x[:, :, None] * x[:, None, :]
    for i in range(1, x.shape[1]):
        table[:, i, 0] = table[:, i - 1, 0] + table[:, i, i]
    return table.sum(axis=(1, 2))


CASES = {
    each: lambda x: filtered_rows(x).max(axis=1),
    total: lambda x: np.sum(filtered_rows(x) ** 2),
    planes: tables,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_threads_have_arrays_of_their_own_and_no_heap(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(function, (tl.f64[:, :],), target="cuda")
        assert "heap" not in json.loads(kernel._code.image.plan)
        for shape in ((1, 1), (7, 5), (300, 9), (2, 40)):
            x = np.random.default_rng(shape[0]).normal(size=shape)
            assert np.allclose(kernel(x), CASES[function](x), rtol=1e-13, atol=1e-13), shape


def test_gradients_of_such_a_reduction() -> None:
    gradient = tl.grad(total)
    with emulated_cuda(keeps_kernels=True):
        kernel, other = (tl.compile(gradient, (tl.f64[:, :],), target=target) for target in ("cuda", "cpu"))
        for shape in ((1, 1), (6, 5), (70, 9)):
            x = np.random.default_rng(shape[0]).normal(size=shape)
            assert np.allclose(kernel(x), other(x), rtol=1e-12, atol=1e-12), shape


def test_panels_of_a_single_right_hand_side_have_memory_as_large_as_they_get() -> None:
    gradient = tl.grad(lambda a, b: tl.sum(tl.linalg.solve(a, b) ** 2), (0, 1))
    with emulated_cuda():
        kernel, other = (tl.compile(gradient, (tl.f64[:, :], tl.f64[:]), target=target) for target in ("cuda", "cpu"))
        assert "heap" not in json.loads(kernel._code.image.plan)
        for size in (1, 5, 40, 70):
            rng = np.random.default_rng(size)
            given = rng.normal(size=(size, size)) + 4.0 * np.eye(size), rng.normal(size=size)
            for found, expected in zip(kernel(*given), other(*given), strict=True):
                assert np.allclose(found, expected, rtol=1e-10, atol=1e-12), size
