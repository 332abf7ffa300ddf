"""The adjoint of a minimum or maximum has one element that is not zero: only that one is run back."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def farthest(points: tl.f64[:, :], centre: tl.f64[:], scale: tl.f64) -> tl.f64:
    return tl.max(tl.map(lambda p: scale * tl.sum((p - centre) ** 2), points))


@tl.function
def nearest_cost(points: tl.f64[:, :], centres: tl.f64[:, :]) -> tl.f64:
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


@tl.function
def largest_or_one(x: tl.f64[:]) -> tl.f64:
    return tl.reduce(tl.maximum, 1.0, tl.map(lambda v: v * v, x))


@tl.function
def used_twice(x: tl.f64[:]) -> tl.f64:
    squares = tl.map(lambda v: v * v * v, x)
    return tl.max(squares) * tl.min(squares) + tl.sum(squares)


@pytest.mark.thorough
def test_free_values_of_the_map() -> None:
    rng = np.random.default_rng(4)
    points, centre = rng.normal(size=(5, 3)), rng.normal(size=3)
    far = np.argmax(((points - centre) ** 2).sum(-1))
    point_bars, centre_bar, scale_bar = tl.grad(farthest, argnums=(0, 1, 2))(points, centre, 1.5)
    expected = np.zeros_like(points)
    expected[far] = 3.0 * (points[far] - centre)
    np.testing.assert_allclose(point_bars, expected)
    np.testing.assert_allclose(centre_bar, -expected[far])
    np.testing.assert_allclose(scale_bar, ((points[far] - centre) ** 2).sum())
    tl.check_grads(farthest, (points, centre, 1.5), order=2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", [0, 1, 7, 16, 37])
def test_inside_a_map(n: int) -> None:
    rng = np.random.default_rng(n)
    points, centres = rng.normal(size=(n, 4)), rng.normal(size=(3, 4))
    best = ((points[:, None] - centres[None]) ** 2).sum(-1).argmin(-1)
    expected = np.zeros_like(centres)
    np.add.at(expected, best, 2 * (centres[best] - points))
    point_bars, centre_bars = tl.grad(nearest_cost, argnums=(0, 1))(points, centres)
    np.testing.assert_allclose(centre_bars, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(point_bars, 2 * (points - centres[best]), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("x", "expected"),
    [([], []), ([0.5, 0.1], [0.0, 0.0]), ([3.0, -3.0, 2.0], [6.0, 0.0, 0.0]), ([0.0, -2.0], [0.0, -4.0])],
)
def test_nothing_ties_and_the_start_value(x: list[float], expected: list[float]) -> None:
    np.testing.assert_array_equal(tl.grad(largest_or_one)(np.array(x)), expected)


@pytest.mark.thorough
def test_second_order_with_other_uses_of_the_array() -> None:
    tl.check_grads(used_twice, (np.array([0.3, -1.2, 0.9, 0.4]),), order=2)


def test_other_uses_of_the_array() -> None:
    tl.check_grads(used_twice, (np.array([0.3, -1.2, 0.9, 0.4]),), order=1)
