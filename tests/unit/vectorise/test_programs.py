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
