"""Extremes and sums over the columns of a contraction, which are not kept, on the emulated GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.tiles import tiles
from tapeless.passes.recipes.resident import resident

pytestmark = pytest.mark.one_in(3)

TOLERANCES = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-4}
# Rows, columns and steps: around tiles of 64 x 64 x 16 and 128 x 128 x 16, none at all, and too few for one.
FEW_COLUMNS = (140, 20, 9)
SIZES = [
    (64, 64, 16),
    FEW_COLUMNS,
    (65, 63, 17),
    (130, 257, 3),
    (16, 16, 1),
    (127, 129, 33),
    (0, 20, 4),
    (15, 20, 3),
    (20, 15, 3),
]


@tl.function
def nearest(points, centres):
    return tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points)


@tl.function
def furthest(points, centres):
    return tl.map(lambda p: 2.0 * tl.max(tl.map(lambda c: tl.sqrt(1.0 + tl.sum((p - c) ** 2)), centres)), points)


@tl.function
def density(points, centres):
    return tl.map(lambda p: tl.sum(tl.map(lambda c: tl.exp(-tl.sum((p - c) ** 2)), centres)), points)


@tl.function
def scores(points, centres):
    return tl.map(lambda p: 1.0 - tl.sum(tl.map(lambda c: tl.exp(tl.dot(p, c)), centres)), points)


@tl.function
def scores_in_groups(points, centres):
    return tl.map(scores, points, centres)


@tl.function
def in_groups(points, centres):
    return tl.map(nearest, points, centres)


@tl.function
def total(points, centres):
    return tl.sum(nearest(points, centres))


def distances(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return ((points[..., :, None, :].astype(float) - centres[..., None, :, :]) ** 2).sum(-1)


FORMS: dict[str, tuple[Any, Callable[[np.ndarray], np.ndarray]]] = {
    "nearest": (nearest, lambda d: d.min(-1)),
    "furthest": (furthest, lambda d: 2.0 * np.sqrt(1.0 + d.max(-1))),
    "density": (density, lambda d: np.exp(-d).sum(-1)),
}


def drawn(size: tuple[int, int, int], dtype: type, seed: int = 0) -> list[np.ndarray]:
    rows, columns, steps = size
    rng = np.random.default_rng(seed)
    return [(0.5 * rng.standard_normal((each, steps))).astype(dtype) for each in (rows, columns)]


def agree(found: Any, expected: Any) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCES[found.dtype] * scale)


@pytest.mark.one_in(36)
@pytest.mark.parametrize("fewest", [1, tiles.FEWEST_LARGE])
@pytest.mark.parametrize(
    ("name", "dtype"), [("nearest", np.float32), ("furthest", np.float64), ("density", np.float32)]
)
def test_values(name: str, dtype: type, fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few columns are left to threads if there are many rows."""
    monkeypatch.setattr(tiles, "FEWEST_LARGE", fewest)
    monkeypatch.setattr(tiles, "FEWEST_THREADS", 100 * fewest)
    function, reference = FORMS[name]
    with emulated_cuda(seed=2) as gpu:
        kernel = tl.jit(function, target="cuda")
        for size in SIZES:
            points, centres = drawn(size, dtype)
            gpu.calls.clear()
            agree(kernel(points, centres), reference(distances(points, centres)))
            launches = [call[2:] for call in gpu.calls if call[0] == "launch"]
            assert size != SIZES[0] or launches == [((1, 1, 1), (256, 1, 1))]
            assert size != FEW_COLUMNS or launches[0][1][0] == (128 if fewest == 1 else 256)
        gpu.check_guards()


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("dtype", "deterministic"), [(np.float32, True), (np.float64, False)])
def test_gradients(dtype: type, deterministic: bool) -> None:
    """The gradient of a sum of smallest distances goes to the first of the nearest."""
    with emulated_cuda(seed=4) as gpu:
        kernel = tl.jit(tl.grad(total, argnums=(0, 1)), target="cuda", deterministic=deterministic)
        for size in SIZES:
            points, centres = drawn(size, dtype, seed=1)
            if len(points) > 40:
                centres[7], centres[-1] = points[3], points[3]
            of_points, of_centres = kernel(points, centres)
            chosen = distances(points, centres).argmin(-1) if len(points) else np.zeros(0, int)
            apart = 2.0 * (points.astype(float) - centres[chosen])
            expected = np.zeros(centres.shape)
            np.add.at(expected, chosen, -apart)
            agree(of_points, apart)
            agree(of_centres, expected)
        gpu.check_guards()


def score_reference(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return 1.0 - np.exp(points @ np.swapaxes(centres, -1, -2)).sum(-1)


# Rows, columns and steps, and the threads of a block: four warps; and by tiles of both sides, or a thread for each row,
# where steps are few or too many, or rows are few.
PRODUCTS = [
    ((256, 32, 8), 128),
    ((257, 31, 9), 128),
    ((16, 1, 17), 128),
    ((64, 64, 16), 128),
    ((65, 33, 31), 128),
    ((63, 130, 40), 128),
    ((40, 40, 7), 256),
    ((20, 40, 170), 256),
    ((15, 40, 20), 128),
    ((0, 40, 20), None),
]


def test_products() -> None:
    """Sums over columns of a product of doubles, which stay in shared memory."""
    with emulated_cuda(seed=6) as gpu:
        kernel = tl.jit(scores, target="cuda")
        for size, threads in PRODUCTS:
            points, centres = (0.3 * each for each in drawn(size, np.float64))
            gpu.calls.clear()
            agree(kernel(points, centres), score_reference(points, centres))
            launches = [call[3][0] for call in gpu.calls if call[0] == "launch"]
            assert launches == ([] if threads is None else [threads])
        gpu.check_guards()


def test_products_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block takes up to eight tiles of rows of its group here."""
    monkeypatch.setattr(resident, "WANTED_BLOCKS", 1)
    monkeypatch.setattr(resident, "MOST_TURNS", 8)
    rng = np.random.default_rng(3)
    points, centres = 0.3 * rng.standard_normal((2, 600, 9)), 0.3 * rng.standard_normal((2, 70, 9))
    with emulated_cuda() as gpu:
        agree(tl.jit(scores_in_groups, target="cuda")(points, centres), score_reference(points, centres))
        (launch,) = [call for call in gpu.calls if call[0] == "launch"]
        gpu.check_guards()
    assert launch[2:] == ((4, 1, 1), (128, 1, 1))


def test_groups() -> None:
    rng = np.random.default_rng(3)
    points, centres = rng.standard_normal((3, 70, 5)), rng.standard_normal((3, 40, 5))
    with emulated_cuda() as gpu:
        agree(tl.jit(in_groups, target="cuda")(points, centres), distances(points, centres).min(-1))
        (launch,) = [call for call in gpu.calls if call[0] == "launch"]
    assert launch[2] == (6, 1, 1)


def test_numbers_that_are_none() -> None:
    """A point with a NaN has no distance; one that is infinitely far from all centres has the first."""

    @tl.function
    def first_place(points, centres):
        return tl.map(lambda p: tl.argmin(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points)

    points, centres = drawn((70, 90, 4), np.float32)
    points[5, 2], points[9] = np.nan, 3e38
    with np.errstate(over="ignore"):
        expected = distances(points, centres).astype(np.float32).min(-1)
    with emulated_cuda():
        found = tl.jit(nearest, target="cuda")(points, centres)
        places = tl.jit(first_place, target="cuda")(points, centres)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert np.isnan(found[5])
    assert np.isinf(found[9])
    assert places[9] == 0
    others = np.delete(np.arange(70), [5, 9])
    np.testing.assert_array_equal(places[others], distances(points, centres).argmin(-1)[others])


def test_the_same_bits_as_without_tiles() -> None:
    points, centres = drawn((66, 70, 9), np.float32)
    with emulated_cuda():
        kernel = tl.jit(nearest, target="cuda")
        whole = kernel(points, centres)
        np.testing.assert_array_equal(kernel(points[:9], centres), whole[:9])
