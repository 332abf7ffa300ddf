"""Rows that are computed because a gather picks them: values, derivatives, refused places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

NAME = "soac-gather-before-map"
ROWS, PICKS = 40, {"few": 7, "as many": 40, "more": 100}


@tl.function
def picked_norms(x: tl.f64[:, :], keys: tl.i64[:]):
    """A function of rows, picked afterwards."""
    return tl.map(lambda row: tl.norm(row), 2.0 * x + 1.0)[keys]


@tl.function
def edges(points: tl.f64[:, 3], turn: tl.f64[3, 3], pairs: tl.i64[:, 2]):
    """Two rows for each pick."""
    placed = tl.map(lambda point: turn @ point + tl.sin(point), points)
    return tl.map(lambda pair: placed[pair[0]] - 2.0 * placed[pair[1]], pairs)


@tl.function
def numbered(x: tl.f64[:, :], keys: tl.i64[:]):
    """Rows that know their number."""
    return tl.map(lambda i: i * tl.sum(tl.exp(x[i])), tl.iota(len(x)))[keys]


def norms_by_numpy(x: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return np.linalg.norm(2.0 * x + 1.0, axis=1)[keys]


def edges_by_numpy(points: np.ndarray, turn: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    placed = points @ turn.T + np.sin(points)
    return placed[pairs[:, 0]] - 2.0 * placed[pairs[:, 1]]


def numbered_by_numpy(x: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return (np.arange(len(x)) * np.sum(np.exp(x), axis=1))[keys]


def arguments(program: Any, count: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(count)
    if program is edges:
        return rng.normal(size=(ROWS, 3)), rng.normal(size=(3, 3)), rng.integers(-ROWS, ROWS, size=(count, 2))
    return rng.normal(size=(ROWS, 4)), rng.integers(-ROWS, ROWS, size=count)


PROGRAMS = {
    "norms": (picked_norms, norms_by_numpy),
    "edges": (edges, edges_by_numpy),
    "i": (numbered, numbered_by_numpy),
}


@pytest.mark.parametrize("program, by_numpy", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("count", [0, 1, *PICKS.values()])
def test_picked_rows_have_the_values_of_numpy(program: Any, by_numpy: Callable[..., np.ndarray], count: int) -> None:
    given = arguments(program, count)
    np.testing.assert_allclose(program(*given), by_numpy(*given), rtol=1e-13, atol=1e-13)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
@pytest.mark.parametrize("program", [program for program, _ in PROGRAMS.values()], ids=PROGRAMS)
@pytest.mark.parametrize("count", PICKS.values(), ids=PICKS)
def test_derivatives_of_picked_rows(program: Any, count: int, method: str) -> None:
    given = arguments(program, count)
    if program is edges:
        tl.check_grads(lambda points, turn: edges(points, turn, given[2]), given[:2], order=1, methods=(method,))
    else:
        tl.check_grads(lambda x: program(x, given[1]), given[:1], order=1, methods=(method,))


def test_jacobians_compute_picked_rows_alone() -> None:
    kernel = tl.compile(tl.jacfwd(edges, argnums=1), arguments(edges, 7))
    assert "tapeless.copies_rows" in kernel.ir(NAME)
    few, many = arguments(edges, 7), arguments(edges, 100)
    for given in (few, many):
        points, _, pairs = given
        by_turn = np.einsum("ia,pb->piab", np.eye(3), points)
        np.testing.assert_allclose(kernel(*given), by_turn[pairs[:, 0]] - 2.0 * by_turn[pairs[:, 1]], rtol=1e-13)


@pytest.mark.parametrize("place", [ROWS, -ROWS - 1])
@pytest.mark.parametrize("count", PICKS.values(), ids=PICKS)
def test_places_outside_are_refused(place: int, count: int) -> None:
    x, keys = arguments(picked_norms, count)
    keys[count // 2] = place
    with pytest.raises(tl.errors.IndexOutOfRange, match=str(place)):
        picked_norms(x, keys)


def test_no_rows_and_no_picks() -> None:
    assert picked_norms(np.ones((0, 4)), np.zeros(0, np.int64)).shape == (0,)
