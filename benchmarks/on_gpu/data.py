"""Arguments of the benchmark's programs: random numbers from a seeded generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Rng = np.random.Generator
Arguments = tuple[Any, ...]
Maker = Callable[[Rng], Arguments]
LENGTH = 100_000_000
BINS = 401
F32 = np.float32


def normal(rng: Rng) -> Arguments:
    """Numbers, and a cotangent for results of the same length."""
    return rng.standard_normal(LENGTH, F32), rng.standard_normal(LENGTH, F32)


def near_one(rng: Rng) -> Arguments:
    """Factors whose products stay moderate, and a cotangent."""
    return 1 + rng.standard_normal(LENGTH, F32) * F32(1e-5), rng.standard_normal(LENGTH, F32)


def keyed(rng: Rng) -> Arguments:
    keys = rng.integers(0, BINS, LENGTH, np.int32)
    return np.zeros(BINS, F32), keys, rng.standard_normal(LENGTH, F32), rng.standard_normal(BINS, F32)


def matrices(size: int, kind: str) -> Maker:
    """Two square factors, and a cotangent of their product."""
    dtype = {"f32": np.float32, "f64": np.float64}[kind]
    return lambda rng: tuple(rng.standard_normal((size, size), dtype) for _ in range(3))


def clusters(n: int, k: int, d: int) -> Maker:
    return lambda rng: (rng.standard_normal((n, d), F32), rng.standard_normal((k, d), F32))


def mixture(n: int, k: int, d: int) -> Maker:
    def make(rng: Rng) -> Arguments:
        icf = 0.3 * rng.standard_normal((k, d * (d + 1) // 2))
        return rng.standard_normal(k), rng.standard_normal((k, d)), icf, rng.standard_normal((n, d)), 1.0, 0

    return make


def sequences(batch: int, steps: int, features: int, size: int) -> Maker:
    def make(rng: Rng) -> Arguments:
        x = rng.standard_normal((steps, batch, features), F32)
        shapes = ((features, 4 * size), (size, 4 * size), (4 * size,))
        return (x, *(rng.standard_normal(shape, F32) * F32(size**-0.5) for shape in shapes))

    return make


def obstacles(steps: int) -> Maker:
    """Populations near equilibrium at rest, in a body of which one cell in twenty is solid."""

    def make(rng: Rng) -> Arguments:
        shares = np.array([1 / 3] + [1 / 18] * 6 + [1 / 36] * 12, F32)[:, None, None, None]
        f = shares * (1 + F32(0.1) * rng.random((19, 120, 120, 150), F32))
        return f, rng.random((120, 120, 150)) < 0.05, 1.2, rng.standard_normal(f.shape, F32), steps

    return make


def pointwise(lookups: int, energies: int) -> Maker:
    def make(rng: Rng) -> Arguments:
        grid = np.sort(rng.random(energies, F32))
        grid[0], grid[-1] = 0, 1
        return rng.random(lookups, F32), grid, 0.5 + rng.random((energies, 5), F32)

    return make


def multipole(lookups: int, windows: int) -> Maker:
    """Four poles a window, off the real axis."""

    def make(rng: Rng) -> Arguments:
        poles = np.stack((rng.random((windows, 4), F32), 0.05 + 0.15 * rng.random((windows, 4), F32)), axis=-1)
        energies = F32(0.05) + F32(0.95) * rng.random(lookups, F32)
        return energies, poles.astype(F32), rng.standard_normal((windows, 4, 3, 2), F32), 1.3

    return make


def nuclides(lookups: int) -> Maker:
    from redundant_data import pointwise_tables

    return lambda rng: pointwise_tables(rng, lookups, 64, 1000)


def views(observations: int, cameras: int, points: int) -> Maker:
    """Cameras that look along an axis at points in front of them."""

    def make(rng: Rng) -> Arguments:
        table = 0.1 * rng.standard_normal((cameras, 11))
        table[:, 5] -= 6.0
        table[:, 6] += 1.0
        seen = rng.standard_normal((points, 3))
        numbers = [rng.integers(0, count, observations, np.int32) for count in (cameras, points)]
        return table, seen, rng.random(observations), *numbers, rng.standard_normal((observations, 2))

    return make


def box(side: int, steps: int) -> Maker:
    def make(rng: Rng) -> Arguments:
        u = rng.standard_normal((side,) * 3, F32)
        return u, u.copy(), 0.1, steps

    return make
