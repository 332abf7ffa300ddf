"""Loops that change the sizes of arrays: short ones are straight code before they are differentiated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")


def grown(trips: int) -> Any:
    """The array gets longer by as much as it began with, each time."""

    def function(x):
        y = x
        for i in range(trips):
            y = tl.concat((np.sin(y) * (i + 1.0), x * x))
        return np.sum(y * y)

    return function


def grown_by_hand(trips: int, x: np.ndarray) -> float:
    y = x
    for i in range(trips):
        y = np.concatenate((np.sin(y) * (i + 1.0), x * x))
    return float(np.sum(y * y))


def layers(trips: int) -> Any:
    """Rows go through a matrix whose columns nobody knows to be as many as its rows."""

    def function(x):
        w = np.stack((x, x * 0.5, 1.0 - x))
        rows = w * 2.0
        for _ in range(trips):
            rows = tl.map(lambda row: np.tanh(row @ w), rows)
        return np.sum(rows**2)

    return function


def layers_by_hand(trips: int, x: np.ndarray) -> float:
    w = np.stack((x, x * 0.5, 1.0 - x))
    rows = w * 2.0
    for _ in range(trips):
        rows = np.tanh(rows @ w)
    return float(np.sum(rows**2))


CASES = {grown: grown_by_hand, layers: layers_by_hand}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("trips", [0, 1, 3, 5])
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_gradients(make: Any, trips: int, method: str) -> None:
    x, h = np.array([0.3, -0.7, 0.9]), 1e-6
    value, gradient = tl.value_and_grad(make(trips), method=method)(x)
    by_hand = CASES[make]
    steps = np.eye(len(x)) * h
    slopes = [(by_hand(trips, x + step) - by_hand(trips, x - step)) / (2 * h) for step in steps]
    np.testing.assert_allclose(value, by_hand(trips, x), rtol=1e-13)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-7, atol=1e-8)


def test_a_short_loop_stores_no_sizes() -> None:
    """The derivative has neither a loop nor a run before that finds sizes; that of a longer one has both."""
    short, long = (tl.compile(tl.grad(grown(trips)), (tl.f64[:],)).ir("ad") for trips in (3, 5))
    assert "scf.for" not in short
    assert "scf.for" in long
