"""Whole programs whose outer loops vectorise, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def masked_nearest(x: tl.f64[:, :], y: tl.f64[:, :], wanted: tl.bool_[:]) -> tl.f64[:]:
    def point(row, use):
        best = tl.min(tl.map(lambda other: tl.sum((row - other) ** 2), y))
        return best if use else -best

    return tl.map(point, x, wanted)


@tl.function
def largest_flags(x: tl.f64[:, :], y: tl.f64[:, :]) -> tl.i64[:]:
    def point(row):
        above = tl.map(lambda other: tl.sum(row * other) > 0.0, y)
        return tl.sum(tl.map(lambda flag: 1 if flag else 0, above))

    return tl.map(point, x)


@pytest.mark.parametrize("n", [3, 16, 41])
def test_bools_in_memory(n: int) -> None:
    rng = np.random.default_rng(n)
    x, y, wanted = rng.normal(size=(n, 4)), rng.normal(size=(5, 4)), rng.random(n) > 0.5
    best = ((x[:, None] - y[None]) ** 2).sum(-1).min(-1)
    np.testing.assert_allclose(masked_nearest(x, y, wanted), np.where(wanted, best, -best), rtol=1e-12)
    np.testing.assert_array_equal(largest_flags(x, y), (x @ y.T > 0).sum(-1))


@tl.function
def mixture(means: tl.f64[:, :], factors: tl.f64[:, :, :], x: tl.f64[:, :]) -> tl.f64:
    def log_density(point):
        terms = tl.map(lambda mean, factor: -0.5 * tl.sum((factor @ (point - mean)) ** 2), means, factors)
        return tl.logsumexp(terms)

    return tl.sum(tl.map(log_density, x))


@pytest.mark.one_in(7)
@pytest.mark.parametrize("d", [1, 3, 10, 17])
@pytest.mark.parametrize("n", [0, 5, 16, 40, 64, 77, 150])
def test_gradient_that_sums_over_points(n: int, d: int) -> None:
    rng = np.random.default_rng(n)
    means, factors, x = rng.normal(size=(4, d)), rng.normal(size=(4, d, d)) / d, rng.normal(size=(n, d))
    centred = x[:, None] - means
    y = np.einsum("kij,nkj->nki", factors, centred)
    weights = np.exp(-0.5 * (y**2).sum(-1))
    weights /= weights.sum(-1, keepdims=True)
    of_means, of_factors = tl.grad(mixture, argnums=(0, 1))(means, factors, x)
    np.testing.assert_allclose(of_means, np.einsum("nk,nki,kij->kj", weights, y, factors), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(of_factors, -np.einsum("nk,nki,nkj->kij", weights, y, centred), rtol=1e-9, atol=1e-11)


@tl.function
def cross_entropy(w, x, labels):
    """Classes of which there may be fewer than lanes: sums that step along a stride, inside of a larger map."""

    def entropy(row, label):
        scores = row @ w
        return tl.logsumexp(scores) - scores[label]

    return tl.sum(tl.map(entropy, x, labels))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_few_iterations_run_in_fewer_lanes(method: str, dtype: type) -> None:
    rng = np.random.default_rng(5)
    kernel = tl.compile(
        tl.grad(cross_entropy), (np.ones((5, 4), dtype), np.ones((9, 5), dtype), np.zeros(9, np.int64)), method=method
    )
    tolerance = 1e-12 if dtype is np.float64 else 1e-4
    for classes in (1, 2, 3, 5, 8, 10, 13, 33):
        w, x = rng.normal(size=(5, classes)).astype(dtype), rng.normal(size=(9, 5)).astype(dtype)
        labels = rng.integers(0, classes, 9)
        shares = np.exp(x.astype(float) @ w)
        shares = shares / shares.sum(1, keepdims=True) - np.eye(classes)[labels]
        np.testing.assert_allclose(kernel(w, x, labels), x.T.astype(float) @ shares, rtol=tolerance, atol=tolerance)
