"""Temporaries of an iteration in lanes: elements at places that are data, and bools."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

SIZES = (0, 1, 7, 16, 33, 150)


@tl.function
def cross_entropy(w, x, labels):
    def entropy(row, label):
        scores = row @ w
        return tl.logsumexp(scores) - scores[label]

    return tl.sum(tl.map(entropy, x, labels))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", SIZES)
def test_places_that_are_labels(n: int, dtype: type) -> None:
    rng = np.random.default_rng(n)
    w, x, labels = rng.normal(size=(6, 5)), rng.normal(size=(n, 6)), rng.integers(0, 5, n)
    scores = x @ w
    weights = np.exp(scores - scores.max(-1, keepdims=True, initial=0.0))
    weights /= weights.sum(-1, keepdims=True)
    weights[np.arange(n), labels] -= 1.0
    within = 1e-10 if dtype is np.float64 else 1e-4
    for method in ("redundant", "reversible", "coarsened"):
        found = tl.grad(cross_entropy, method=method)(w.astype(dtype), x.astype(dtype), labels)
        np.testing.assert_allclose(found, x.T @ weights, rtol=within, atol=within)


@tl.function
def spread_out(keys, values, levels):
    """Each row adds two values to numbers by keys, then takes functions of these numbers."""

    def row(key, value):
        counted = tl.zeros(len(levels))
        counted[key[0]] += value[0]
        counted[key[1]] += value[1]
        total = 0.0
        for k in range(len(levels)):
            total += levels[k] * tl.exp(-counted[k] * counted[k])
        return total + counted[key[0]]

    return tl.map(row, keys, values)


@tl.function
def total_of_counts(values, keys, levels):
    return tl.sum(spread_out(keys, values, levels))


@pytest.mark.parametrize("n", SIZES)
def test_histograms_of_iterations(n: int) -> None:
    rng = np.random.default_rng(n)
    keys, values, levels = rng.integers(0, 4, (n, 2)), rng.normal(size=(n, 2)), rng.normal(size=4)
    counted = np.zeros((n, 4))
    for i in range(2):
        counted[np.arange(n), keys[:, i]] += values[:, i]
    expected = np.exp(-(counted**2)) @ levels + counted[np.arange(n), keys[:, 0]]
    counting = tl.compile(spread_out, (keys, values, levels), checks="off")
    np.testing.assert_allclose(counting(keys, values, levels), expected, rtol=1e-12, atol=1e-12)
    slopes = -2.0 * counted * levels * np.exp(-(counted**2))
    slopes[np.arange(n), keys[:, 0]] += 1.0
    gradient = tl.compile(tl.grad(total_of_counts), (values, keys, levels), checks="off")
    np.testing.assert_allclose(
        gradient(values, keys, levels), np.take_along_axis(slopes, keys, 1), rtol=1e-10, atol=1e-12
    )


@tl.function
def capped(x, steps):
    """Loops whose way back needs which of two numbers was chosen in each iteration."""

    def one(start):
        y = start
        for k in range(steps):
            y += min(0.3 * tl.sin(y), 0.1 * (k % 2))
        return y * y

    return tl.sum(tl.map(one, x))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", SIZES)
def test_bools_of_iterations(n: int, dtype: type) -> None:
    x = np.random.default_rng(n).normal(size=n)
    y, slope = x.copy(), np.ones(n)
    for k in range(9):
        change, cap = 0.3 * np.sin(y), 0.1 * (k % 2)
        slope *= np.where(change < cap, 1.0 + 0.3 * np.cos(y), 1.0)
        y = y + np.minimum(change, cap)
    within = 1e-10 if dtype is np.float64 else 1e-4
    for method in ("redundant", "reversible", "coarsened"):
        found = tl.grad(capped, method=method)(x.astype(dtype), 9)
        np.testing.assert_allclose(found, 2.0 * y * slope, rtol=within, atol=within)
