"""Convolutions where the shorter vector lies within the longer one, whichever comes first, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

RANDOM, STEP = np.random.default_rng(4), 1e-6
SIZES = [(1, 1), (4, 4), (7, 3), (3, 7), (1, 5), (5, 1)]


def valid(a, v):
    return np.convolve(a, v, mode="valid"), np.correlate(a, v, mode="valid")


def loss(a, v):
    return np.sum(np.sin(np.convolve(a, v, mode="valid"))) + np.sum(np.correlate(a, v, mode="valid") ** 2)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_values(dtype: type[Any]) -> None:
    function = tl.function(valid)
    for n, m in SIZES:
        a, v = ((4 * RANDOM.normal(size=size)).astype(dtype) for size in (n, m))
        for found, wanted in zip(function(a, v), valid(a, v), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-4 if dtype is np.float32 else 1e-12, atol=1e-5)
            assert found.dtype == wanted.dtype and found.shape == wanted.shape


def test_gradients() -> None:
    gradient = tl.grad(tl.function(loss), argnums=(0, 1))
    for n, m in SIZES:
        a, v = RANDOM.normal(size=n), RANDOM.normal(size=m)
        by_a, by_v = gradient(a, v)
        slopes = [(loss(a + STEP * e, v) - loss(a - STEP * e, v)) / (2 * STEP) for e in np.eye(n)]
        np.testing.assert_allclose(by_a, slopes, rtol=1e-6, atol=1e-7)
        slopes = [(loss(a, v + STEP * e) - loss(a, v - STEP * e)) / (2 * STEP) for e in np.eye(m)]
        np.testing.assert_allclose(by_v, slopes, rtol=1e-6, atol=1e-7)


def test_known_sizes() -> None:
    """Which vector is the shorter one is known when compiling: there is one loop, and no choice."""

    @tl.function
    def smoothed(a: tl.f64[7], v: tl.f64[3]) -> tl.f64[5]:
        return np.convolve(a, v, mode="valid")

    a, v = np.arange(7.0), np.array([0.25, 0.5, 1.0])
    np.testing.assert_allclose(smoothed(a, v), np.convolve(a, v, mode="valid"))
    assert "scf.if" not in tl.compile(smoothed).ir("soac-fuse")
