"""Products and sums of gathered rows of any length computed once per row, however they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from tapeless.passes.soac.tabulate.map_before_gather import MapBeforeGather

METHODS = ("redundant", "reversible", "coarsened")
RNG = np.random.default_rng(4)
ROWS, WEIGHTS = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 4))
PICKS = {"many": np.array([2, 0, 1, 1, 4, 0, 2, 3, 1, 4, 4]), "few": np.array([2, 3]), "none": np.array([], np.int64)}


def gathered(rows, keys, w):
    return np.tanh(rows[keys] @ w)


def in_a_map(rows, keys, w):
    return tl.map(lambda k: np.tanh(rows[k] @ w), keys)


def in_a_loop(rows, keys, w):
    sums = np.zeros((5, 4))
    for e in range(len(keys)):
        sums[keys[e]] += np.tanh(rows[keys[e]] @ w)
    return sums


def norms(rows, keys, w):
    return tl.map(lambda row: np.sum(row * row), rows[keys]) * np.sum(w)


def in_time(rows, keys, w):
    state = rows
    for _ in range(2):
        received = np.zeros_like(state)
        received[keys] += (np.tanh(state[keys] @ w) @ w.T) * 0.3
        state = state + received
    return state


def by_numpy(function: Callable[..., Any], rows: np.ndarray, keys: np.ndarray, w: np.ndarray) -> np.ndarray:
    if function is norms:
        return np.sum(rows[keys] ** 2, axis=1) * np.sum(w)
    if function is in_time:
        for _ in range(2):
            received = np.zeros_like(rows)
            np.add.at(received, keys, (np.tanh(rows[keys] @ w) @ w.T) * 0.3)
            rows = rows + received
        return rows
    each = np.tanh(rows[keys] @ w)
    if function is not in_a_loop:
        return each
    sums = np.zeros((5, 4))
    np.add.at(sums, keys, each)
    return sums


PROGRAMS = [gathered, in_a_map, in_a_loop, norms, in_time]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_values(function: Callable[..., Any]) -> None:
    kernel = tl.compile(function, (ROWS, PICKS["few"], WEIGHTS))
    for keys in PICKS.values():
        np.testing.assert_allclose(
            kernel(ROWS, keys, WEIGHTS), by_numpy(function, ROWS, keys, WEIGHTS), rtol=1e-13, atol=1e-14
        )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(function: Callable[..., Any], method: str) -> None:
    inner = tl.function(function)

    @tl.function
    def loss(rows, keys, w):
        return tl.sum(inner(rows, keys, w) ** 2)

    kernel = tl.compile(tl.grad(loss, argnums=(0, 2), method=method), (ROWS, PICKS["few"], WEIGHTS))
    steps = RNG.normal(size=ROWS.shape), RNG.normal(size=WEIGHTS.shape)
    for keys in PICKS.values():
        found = sum(np.sum(bar * step) for bar, step in zip(kernel(ROWS, keys, WEIGHTS), steps, strict=True))
        ahead, back = (
            np.sum(by_numpy(function, ROWS + s * steps[0], keys, WEIGHTS + s * steps[1]) ** 2) for s in (1e-6, -1e-6)
        )
        assert found == pytest.approx((ahead - back) / 2e-6, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("function", [gathered, in_a_map, in_a_loop], ids=lambda f: f.__name__)
def test_sizes_that_do_not_match_are_found(function: Callable[..., Any]) -> None:
    """Rows are computed where they are fewer than the picks: never of a product whose sizes were not compared."""
    kernel = tl.compile(function, (ROWS, PICKS["few"], WEIGHTS))
    with pytest.raises(tl.ShapeMismatch):
        kernel(ROWS, PICKS["many"], RNG.normal(size=(6, 4)))


def test_loops_that_do_not_run_compare_nothing() -> None:
    kernel = tl.compile(in_a_loop, (ROWS, PICKS["few"], WEIGHTS))
    np.testing.assert_array_equal(kernel(ROWS, PICKS["none"], RNG.normal(size=(600, 4))), np.zeros((5, 4)))


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_rows_are_tabulated(function: Callable[..., Any]) -> None:
    text = tl.compile(function, (ROWS, PICKS["few"], WEIGHTS)).ir(MapBeforeGather.name)
    assert "scf.if" in text


def test_maps_without_results_of_their_own() -> None:
    """Reverse sweeps of a jacobian have maps that only add to arrays."""
    found = tl.jacrev(gathered, argnums=2)(ROWS, PICKS["many"], WEIGHTS)
    step = RNG.normal(size=WEIGHTS.shape)
    expected = (
        by_numpy(gathered, ROWS, PICKS["many"], WEIGHTS + 1e-6 * step)
        - by_numpy(gathered, ROWS, PICKS["many"], WEIGHTS - 1e-6 * step)
    ) / 2e-6
    np.testing.assert_allclose(np.einsum("ijkl,kl->ij", found, step), expected, atol=1e-8)


def in_a_map_of_maps(rows, keys, w):
    return tl.map(lambda some: tl.map(lambda k: np.sum(rows[k] @ w), some), keys)


def test_maps_in_maps_stay() -> None:
    text = tl.compile(in_a_map_of_maps, (ROWS, np.array([[0, 1], [2, 3]]), WEIGHTS)).ir(MapBeforeGather.name)
    assert "scf.if" not in text
