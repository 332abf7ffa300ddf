"""Inner loops that lanes leave at different times: values and gradients against numpy, and what is left alone."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl

SIZES = (0, 1, 7, 16, 33, 100)
METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def halvings(x):
    """A loop until a number is small, which takes 0 to some 40 iterations."""

    def one(start):
        y = start
        total = 0.0
        while y > 0.1:
            total += tl.sin(y)
            y = 0.7 * y
        return total + y

    return tl.map(one, x)


def halvings_by_numpy(x):
    """Values and slopes."""
    y, slope, total, of_total = x.copy(), np.ones(len(x)), np.zeros(len(x)), np.zeros(len(x))
    while np.any(there := y > 0.1):
        total += np.where(there, np.sin(y), 0.0)
        of_total += np.where(there, np.cos(y) * slope, 0.0)
        slope = np.where(there, 0.7 * slope, slope)
        y = np.where(there, 0.7 * y, y)
    return total + y, of_total + slope


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", SIZES)
def test_loops_until_a_lane_is_done(n: int, dtype: type) -> None:
    rng = np.random.default_rng(n)
    x = np.where(rng.random(n) < 0.2, -1.0, np.exp(3.0 * rng.normal(size=n))).astype(dtype)
    values, slopes = halvings_by_numpy(x.astype(np.float64))
    within = 1e-11 if dtype is np.float64 else 1e-3
    np.testing.assert_allclose(halvings(x), values, rtol=within, atol=within)
    total = tl.function(lambda x: tl.sum(halvings(x)))
    for method in METHODS:
        np.testing.assert_allclose(tl.grad(total, method=method)(x), slopes, rtol=within, atol=within)


@tl.function
def powers(x, counts, table):
    """A loop to a bound of its own for each element, with a table that all share, and terms of which one is read."""

    def one(a, count):
        terms = tl.zeros(len(table))
        y = a
        for k in range(count):
            y = table[k] * tl.cos(y) + a
            terms[k] = y * y
        return tl.sum(terms) + y

    return tl.map(one, x, counts)


def powers_by_numpy(x, counts, table):
    total, slopes = np.zeros(len(x)), np.zeros(len(x))
    for i, count in enumerate(counts):
        y, slope = x[i], 1.0
        for k in range(count):
            y, slope = table[k] * np.cos(y) + x[i], 1.0 - table[k] * np.sin(y) * slope
            total[i] += y * y
            slopes[i] += 2.0 * y * slope
        total[i] += y
        slopes[i] += slope
    return total, slopes


@pytest.mark.parametrize("n", SIZES)
def test_bounds_of_lanes(n: int) -> None:
    rng = np.random.default_rng(n)
    x, counts, table = rng.normal(size=n), rng.integers(-1, 9, n), rng.normal(size=9)
    values, slopes = powers_by_numpy(x, counts, table)
    kernel = tl.compile(powers, (x, counts, table), checks="off")
    np.testing.assert_allclose(kernel(x, counts, table), values, rtol=1e-12, atol=1e-12)
    total = tl.function(lambda x, counts, table: tl.sum(powers(x, counts, table)))
    for method in METHODS:
        gradient = tl.compile(tl.grad(total, method=method), (x, counts, table), checks="off")
        np.testing.assert_allclose(gradient(x, counts, table), slopes, rtol=1e-9, atol=1e-9)


@tl.function
def nested(x, limits):
    """Loops in loops, both of which lanes leave at different times."""

    def one(a, limit):
        y, rounds = a, 0
        for k in range(limit):
            z = y
            while abs(z) > 0.5:
                z = 0.6 * z - 0.01 * k
                rounds += 1
            y = tl.sin(y + z) + 0.1 * rounds
        return y

    return tl.map(one, x, limits)


@pytest.mark.parametrize("n", SIZES)
def test_loops_in_loops(n: int) -> None:
    rng = np.random.default_rng(n)
    x, limits = 3.0 * rng.normal(size=n), rng.integers(0, 6, n)
    expected = np.zeros(n)
    for i in range(n):
        y, rounds = x[i], 0
        for k in range(limits[i]):
            z = y
            while abs(z) > 0.5:
                z = 0.6 * z - 0.01 * k
                rounds += 1
            y = np.sin(y + z) + 0.1 * rounds
        expected[i] = y
    np.testing.assert_allclose(nested(x, limits), expected, rtol=1e-12, atol=1e-12)


@tl.function
def pairs(points):
    """A triangular loop over pairs."""
    energy = 0.0
    for i in range(points.shape[0]):
        for j in range(i):
            square = 0.1
            for d in range(points.shape[1]):
                square += (points[i, d] - points[j, d]) ** 2
            energy += 1.0 / tl.sqrt(square)
    return energy


@pytest.mark.parametrize("n", SIZES)
def test_triangles(n: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 3))
    offsets = points[:, None] - points
    cubes = (0.1 + (offsets**2).sum(-1)) ** -1.5
    expected = 0.5 * (np.cbrt(cubes).sum() - np.trace(np.cbrt(cubes)))
    np.testing.assert_allclose(pairs(points), expected, rtol=1e-12, atol=1e-12)
    for method in METHODS:
        found = tl.grad(pairs, method=method)(points)
        np.testing.assert_allclose(found, -(cubes[:, :, None] * offsets).sum(1), rtol=1e-9, atol=1e-9)
