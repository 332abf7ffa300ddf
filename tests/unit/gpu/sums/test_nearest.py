"""Searches for the nearest of many points by products of small matrices, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.recipes import contractions
from tapeless.passes.recipes.nearest import proof
from tapeless.passes.recipes.nearest.search import launch_search

pytestmark = pytest.mark.one_in(2)

# Rows, columns, steps: around blocks of 256 rows and tiles of 128 columns, and more steps than there is room for.
SIZES = ((1, 1, 1), (257, 129, 10), (40, 20, 11), (0, 5, 2))
MORE_SIZES = ((256, 128, 10), (300, 130, 9), (257, 1, 3), (255, 127, 2), (520, 260, 7))


@tl.function
def nearest(points, centres):
    return tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points)


@tl.function
def moved(points, centres):
    """Sums at the places that were found."""
    return tl.grad(lambda p, c: tl.sum(nearest(p, c)), argnums=1)(points, centres)


def results(monkeypatch: Any, function: Any, given: list[tuple[np.ndarray, ...]], *, searches: bool) -> list[Any]:
    monkeypatch.setattr(contractions, "FEWEST_LARGE", 0 if searches else 1 << 20)
    monkeypatch.setattr(contractions, "FEWEST_SEARCHED", 1)
    launched = []
    monkeypatch.setattr(
        contractions, "launch_search", lambda nearest: launched.append(nearest) or launch_search(nearest)
    )
    with emulated_cuda(seed=2) as gpu:
        kernel = tl.jit(function, target="cuda")
        found = [np.asarray(kernel(*each)) for each in given]
        gpu.check_guards()
    assert launched
    return found


def drawn(size: tuple[int, int, int]) -> tuple[np.ndarray, ...]:
    rows, columns, steps = size
    random = np.random.default_rng(sum(size))
    return tuple(random.normal(size=(each, steps)).astype(np.float32) for each in (rows, columns))


def hard() -> list[tuple[np.ndarray, ...]]:
    """Ties, numbers that are none, too large or too small ones, points far from zero."""
    points, centres = drawn((30, 50, 6))
    twice = centres.copy()
    twice[30:] = twice[:20]
    odd = points.copy()
    odd[3], odd[7, 2], odd[11], odd[13] = np.nan, np.inf, 1e30, 1e-30
    broken = centres.copy()
    broken[17, 1] = np.nan
    small = np.float32(1e-21)
    far = np.float32(4096)
    return [(odd, twice), (odd, broken), (points * small, centres * small), (points + far, centres + far)]


CASES = (
    (nearest, proof.SCORE_ERROR, SIZES),
    pytest.param(moved, proof.SCORE_ERROR, SIZES, marks=pytest.mark.thorough),
    (nearest, 1e30, ((20, 30, 4),)),
    *(
        pytest.param(each, error, MORE_SIZES, marks=pytest.mark.thorough)
        for each in (nearest, moved)
        for error in (proof.SCORE_ERROR, 1e30)
    ),
)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("function", "error", "sizes"), CASES)
def test_has_the_bits_of_the_program(
    function: Any, error: float, sizes: tuple[tuple[int, int, int], ...], monkeypatch: Any
) -> None:
    """Whether rows are sure or not: with large errors, none is."""
    given = [*map(drawn, sizes), *hard()]
    expected = results(monkeypatch, function, given, searches=False)
    monkeypatch.setattr(proof, "SCORE_ERROR", error)
    for one, other in zip(results(monkeypatch, function, given, searches=True), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_most_rows_are_sure(monkeypatch: Any) -> None:
    """Without the rows that are not, few are missing; and these are near another column."""
    monkeypatch.setattr(proof.Proof, "_as_written", lambda *_: None)
    points, centres = drawn((256, 100, 5))
    (found,) = results(monkeypatch, nearest, [(points, centres)], searches=True)
    squares = ((points[:, None].astype(float) - centres) ** 2).sum(axis=2)
    squares.sort(axis=1)
    is_missing = np.isnan(found)
    assert np.mean(is_missing) < 0.02
    np.testing.assert_allclose(found[~is_missing], squares[~is_missing, 0], rtol=1e-5)
    assert np.all((squares[:, 1] - squares[:, 0])[is_missing] < 1e-2)
