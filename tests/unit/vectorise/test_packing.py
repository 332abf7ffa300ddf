"""Rows that are copied lane-major, read and written: all sizes of blocks, squares and what is left of them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

TOLERANCES = {np.float64: 1e-12, np.float32: 2e-5}
SHORT = [(rows, columns) for rows in (0, 1, 15, 17, 64, 203) for columns in (1, 3, 4, 7, 16, 33)]
SHAPES = [*SHORT, *((rows, columns) for rows in (1, 17, 64) for columns in (0, 127, 128, 129, 300))]


@tl.function
def bumps(x: tl.f64[:, :]) -> tl.f64:
    return tl.sum(tl.map(lambda row: tl.exp(-tl.sum(row * row)), x))


@tl.function
def single_bumps(x: tl.f32[:, :]) -> tl.f32:
    return tl.sum(tl.map(lambda row: tl.exp(-tl.sum(row * row)), x))


@tl.function
def logistic_loss(w: tl.f64[:], x: tl.f64[:, :], y: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.log1p(tl.exp(-y * (x @ w))))


@tl.function
def norms(x: tl.f64[:, :, :]):
    def norm(matrix):
        return tl.exp(-tl.sum(tl.map(lambda row: tl.sum(row * row), matrix)))

    return tl.map(norm, x)


BUMPS = {np.float64: bumps, np.float32: single_bumps}


@pytest.mark.one_in(14)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_that_are_written(shape: tuple[int, int], dtype: type) -> None:
    x = (np.random.default_rng(1).normal(size=shape) / shape[1]).astype(dtype)
    value, gradient = tl.value_and_grad(BUMPS[dtype])(x)
    heights = np.exp(-(x.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(value, heights.sum(), rtol=TOLERANCES[dtype])
    np.testing.assert_allclose(gradient, -2 * x * heights, rtol=TOLERANCES[dtype])


@pytest.mark.one_in(7)
@pytest.mark.parametrize("shape", SHAPES)
def test_gradient_of_a_loss_of_rows(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(2)
    w, x, y = random.normal(size=shape[1]), random.normal(size=shape), random.choice([-1.0, 1.0], size=shape[0])
    value, (by_w, by_x) = tl.value_and_grad(logistic_loss, argnums=(0, 1))(w, x, y)
    margins = -y * (x @ w)
    slopes = -y / (1 + np.exp(-margins))
    np.testing.assert_allclose(value, np.log1p(np.exp(margins)).sum(), rtol=1e-12)
    np.testing.assert_allclose(by_w, slopes @ x, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(by_x, np.outer(slopes, w), rtol=1e-10, atol=1e-12)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(40, 3, 5), (33, 1, 8), (16, 2, 4), (70, 4, 3)])
def test_matrices(shape: tuple[int, int, int]) -> None:
    x = np.random.default_rng(3).normal(size=shape)
    np.testing.assert_allclose(norms(x), np.exp(-(x * x).sum(axis=(1, 2))), rtol=1e-12)


def test_squares_are_transposed() -> None:
    text = tl.compile(tl.grad(bumps), (np.zeros((64, 16)),)).ir("lower-vectorise")
    squares = [line for line in text.splitlines() if line.endswith(": memref<?x?xf64>, vector<4xf64>")]
    assert any("vector.load" in line for line in squares)
    assert any("vector.store" in line for line in squares)
