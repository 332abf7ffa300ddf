"""Small products in each lane, which become straight code: values and derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def moved(turns: tl.f64[:, 4, 4], points: tl.f64[:, 4], shares: tl.f64[:, :]):
    """Points that each follow several transformations."""

    def place(point, share):
        return tl.sum(tl.map(lambda s, turn: s * (turn @ point)[:3], share, turns), axis=0)

    return tl.map(place, points, shares)


@tl.function
def in_rounds(kernel: tl.f64[3, 3], signals: tl.f64[:, 3]):
    """A state of three numbers for each signal, which a small matrix changes a few times."""

    def last(signal):
        state = signal
        for _ in range(4):
            state = tl.tanh(kernel @ state + signal)
        return tl.sum(state)

    return tl.sum(tl.map(last, signals))


def moved_by_numpy(turns: np.ndarray, points: np.ndarray, shares: np.ndarray) -> np.ndarray:
    return np.einsum("pb,bij,pj->pi", shares, turns, points)[:, :3]


@pytest.mark.parametrize("count", [1, 3, 8, 21, 70])
def test_small_products_in_lanes_have_the_values_of_numpy(count: int) -> None:
    rng = np.random.default_rng(count)
    turns, points, shares = rng.normal(size=(5, 4, 4)), rng.normal(size=(count, 4)), rng.random((count, 5))
    expected = moved_by_numpy(turns, points, shares)
    np.testing.assert_allclose(moved(turns, points, shares), expected, rtol=1e-13, atol=1e-14)
    by_turns = tl.jacfwd(moved)(turns, points, shares)
    unit = np.eye(4)[:3]
    wanted = np.einsum("pb,pj,ia->pibaj", shares, points, unit)
    np.testing.assert_allclose(by_turns, wanted, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_gradients_of_small_products_in_lanes(method: str) -> None:
    rng = np.random.default_rng(1)
    kernel, signals = 0.3 * rng.normal(size=(3, 3)), rng.normal(size=(21, 3))
    tl.check_grads(in_rounds, (kernel, signals), methods=(method,))
