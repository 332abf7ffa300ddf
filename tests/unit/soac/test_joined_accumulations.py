"""Return sweeps of programs over whole arrays are one accumulation, whose loops over rows can be merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tapeless as tl

RNG = np.random.default_rng(5)


def log_densities(rates, weights, x):
    """Scores of rows are made, normalised and differentiated by a statement each."""
    z = np.sum((x[:, None, :] * np.exp(-rates)) ** 2, axis=2)
    return np.sum(tl.logsumexp(weights - 0.5 * z, axis=1))


def log_densities_by_hand(rates, weights, x):
    squares = (x[:, None, :] * np.exp(-rates)) ** 2
    scores = weights - 0.5 * np.sum(squares, axis=2)
    shares = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    shares /= np.sum(shares, axis=1, keepdims=True)
    return np.einsum("nk,nkd->kd", shares, squares), np.sum(shares, axis=0)


def coverage(places, weights, points):
    """Distances of all pairs, whose differences the gradient needs again."""
    away = np.sum((points[:, None, :] - places[None, :, :]) ** 2, axis=2)
    return np.sum(np.log(1.0 + weights / (1.0 + away)))


def coverage_by_hand(places, weights, points):
    apart = points[:, None, :] - places[None, :, :]
    near = 1.0 + np.sum(apart**2, axis=2)
    by_share = 1.0 / (1.0 + weights / near)
    by_away = -by_share * weights / near**2
    return -2.0 * np.einsum("nk,nkd->kd", by_away, apart), np.sum(by_share / near, axis=0)


PROGRAMS = [(log_densities, log_densities_by_hand), (coverage, coverage_by_hand)]


def arguments(pairs: int, rows: int, width: int) -> tuple[Any, ...]:
    return RNG.normal(size=(pairs, width)), RNG.uniform(0.5, 1.0, pairs), RNG.normal(size=(rows, width))


@pytest.mark.parametrize("sizes", [(3, 7, 2), (1, 1, 1), (5, 0, 3), (17, 40, 9), (2, 3, 0)])
@pytest.mark.parametrize(("function", "by_hand"), PROGRAMS, ids=lambda each: each.__name__)
def test_gradients_are_those_by_hand(
    function: Callable[..., Any], by_hand: Callable[..., Any], sizes: Sequence[int]
) -> None:
    given = arguments(*sizes)
    found = tl.grad(tl.function(function), argnums=(0, 1))(*given)
    for one, other in zip(found, by_hand(*given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("function", [function for function, _ in PROGRAMS])
def test_the_return_sweep_is_one_accumulation(function: Callable[..., Any]) -> None:
    gradient = tl.grad(tl.function(function), argnums=(0, 1))
    text = tl.compile(gradient, arguments(3, 4, 2)).ir("soac-fuse")
    assert text.count("soac.with_acc") == 1
