"""Sums of arrays of several axes on the emulated GPU: one reduction over all elements, threads side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

SHAPES = (
    (0, 3),
    (3, 0, 2),
    (1, 1),
    (1, 255),
    (16, 16),
    (257, 1),
    (9, 57),
    (40, 130),
    (3, 4, 5),
    (7, 11, 13),
    (2, 3, 4, 5),
)


def totals(x):
    return tl.sum(x * x), tl.sum(tl.where(x > 0.0, 1, 0)), tl.prod(1.0 + 0.01 * x)


def extremes(x):
    return tl.min(x), tl.max(x)


def inner_energy(x):
    inner = x[1:-1, 1:-1]
    return tl.sum(inner * (x[2:, 1:-1] - x[:-2, 1:-1]))


def shifted(x):
    """A sum beside what it sums: both are made in one launch."""
    y = x * x + 1.0
    return tl.sum(y), y


def farthest(x, y):
    return tl.max(tl.abs(x - y))


def on_gpu(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    with emulated_cuda(keeps_kernels=True):
        return tl.compile(function, arguments, target="cuda", **options)(*arguments)


@pytest.mark.one_in(7)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_of_all_elements_are_those_of_numpy(shape: tuple[int, ...], dtype: type) -> None:
    x = np.random.default_rng(1).standard_normal(shape).astype(dtype)
    wide = x.astype(float)
    expected = np.sum(wide * wide), np.sum(x > 0.0), np.prod(1.0 + 0.01 * wide)
    np.testing.assert_allclose(on_gpu(totals, x), expected, rtol=1e-5 if dtype is np.float32 else 1e-12)
    if x.size:
        assert on_gpu(extremes, x) == (x.min(), x.max())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(3, 3), (17, 33), (40, 19)])
def test_sums_of_slices_and_their_gradients(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(2).standard_normal(shape)
    inner = x[1:-1, 1:-1]
    np.testing.assert_allclose(on_gpu(inner_energy, x), np.sum(inner * (x[2:, 1:-1] - x[:-2, 1:-1])), rtol=1e-12)
    expected = np.zeros(shape)
    expected[1:-1, 1:-1] += x[2:, 1:-1] - x[:-2, 1:-1]
    expected[2:, 1:-1] += inner
    expected[:-2, 1:-1] -= inner
    np.testing.assert_allclose(on_gpu(tl.grad(tl.function(inner_energy)), x), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_summed_may_be_a_result_too(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(3).standard_normal(shape)
    total, made = on_gpu(shifted, x)
    np.testing.assert_allclose(made, x * x + 1.0, rtol=1e-15)
    np.testing.assert_allclose(total, np.sum(made), rtol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("deterministic", [True, False])
def test_the_largest_difference_and_where_it_is(deterministic: bool) -> None:
    x, y = np.random.default_rng(4).standard_normal((2, 33, 65))
    away = np.abs(x - y)
    np.testing.assert_allclose(on_gpu(farthest, x, y, deterministic=deterministic), away.max())
    found = on_gpu(tl.grad(tl.function(farthest)), x, y, deterministic=deterministic)
    np.testing.assert_array_equal(found, np.where(away == away.max(), np.sign(x - y), 0.0))
