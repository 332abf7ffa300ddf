"""Rows that threads read element by element, each its own, brought by blocks before, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

BROUGHT = 128


def weighed(rows, others, weights):
    """Two rows for each iteration, each read once for every row of weights, and a number of the first."""

    def one(row, other):
        return row[0] + tl.max(tl.map(lambda weight: tl.sum(row * other * weight), weights))

    return tl.map(one, rows, others)


def reference(rows: np.ndarray, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return rows[:, 0] + ((rows * others)[:, None] * weights).sum(axis=2).max(axis=1, initial=-np.inf)


def arguments(count: int, length: int, dtype: Any) -> list[np.ndarray]:
    random = np.random.default_rng(count + length)
    return [random.normal(size=(rows, length)).astype(dtype) for rows in (count, count, 3)]


@pytest.mark.parametrize("dtype", [np.float64, pytest.param(np.float32, marks=pytest.mark.thorough)])
def test_values(dtype: Any) -> None:
    """Short rows and such as do not fit are read as they are."""
    close = 1e-13 if dtype == np.float64 else 1e-5
    is_brought = []
    with emulated_cuda(seed=1, keeps_kernels=True) as gpu:
        kernel = tl.jit(weighed, target="cuda")
        for count, length in ((0, 6), (1, 6), (127, 6), (128, 7), (129, 23), (300, 8), (70, 1), (50, 100)):
            given = arguments(count, length, dtype)
            gpu.calls.clear()
            np.testing.assert_allclose(kernel(*given), reference(*given), rtol=close, atol=close)
            is_brought.append(any(call[3][0] == BROUGHT for call in gpu.calls if call[0] == "launch"))
        gpu.check_guards()
    assert is_brought == [False, True, True, True, True, True, False, False]


def test_fixed_sizes() -> None:
    given = arguments(150, 9, np.float64)
    with emulated_cuda(seed=2) as gpu:
        kernel = tl.compile(weighed, (tl.f64[150, 9], tl.f64[150, 9], tl.f64[3, 9]), target="cuda")
        np.testing.assert_allclose(kernel(*given), reference(*given), rtol=1e-13)
        gpu.check_guards()
