"""Rows added at few places of arrays, by threads that own a column each, on the emulated GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)


@tl.function
def distances(points, centres):
    return tl.sum(tl.map(lambda p: tl.min(tl.map(lambda c: tl.sum((p - c) ** 2), centres)), points))


@tl.function
def nearest(points, centres):
    return tl.grad(distances, argnums=1)(points, centres)


def nearest_reference(points: np.ndarray, centres: np.ndarray) -> list[np.ndarray]:
    bar = np.zeros(centres.shape)
    if len(points):
        place = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
        np.add.at(bar, place, 2 * (centres[place] - points))
    return [bar]


def newton(points, centres):
    """Two arrays of sums at once."""
    return tl.jvp(lambda c: nearest(points, c), (centres,), (tl.ones_like(centres),))


def newton_reference(points: np.ndarray, centres: np.ndarray) -> list[np.ndarray]:
    second = np.zeros(centres.shape)
    if len(points):
        place = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
        np.add.at(second, place, 2.0)
    return [*nearest_reference(points, centres), second]


def weighted(points, weights, centres):
    """What is found is used in a branch, with numbers of the iteration beside it; rows lie inside of others."""

    def loss(c):
        def one(p, w):
            nearest = tl.min(tl.map(lambda row: tl.sum((p - row) ** 2), c))
            total = 0.0
            if w > 0:
                total = w * nearest
            return total

        return tl.sum(tl.map(one, points[:, 1:], weights))

    return tl.grad(loss)(centres)


def weighted_reference(points: np.ndarray, weights: np.ndarray, centres: np.ndarray) -> list[np.ndarray]:
    bar, points = np.zeros(centres.shape), points[:, 1:]
    if len(points):
        place = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
        np.add.at(bar, place, 2 * np.maximum(weights, 0)[:, None] * (centres[place] - points))
    return [bar]


def curvature(points, weights, centres):
    """Beside rows, one number for each of their elements is added, which comes from the data."""

    def loss(c):
        def one(p, w):
            return w * tl.min(tl.map(lambda row: tl.sum((p - row) ** 2), c))

        return tl.sum(tl.map(one, points, weights))

    return tl.jvp(tl.grad(loss), (centres,), (tl.ones_like(centres),))


def curvature_reference(points: np.ndarray, weights: np.ndarray, centres: np.ndarray) -> list[np.ndarray]:
    bar, second = np.zeros(centres.shape), np.zeros(centres.shape)
    if len(points):
        place = np.argmin(((points[:, None] - centres) ** 2).sum(axis=2), axis=1)
        np.add.at(bar, place, 2 * weights[:, None] * (centres[place] - points))
        np.add.at(second, place, 2 * weights[:, None])
    return [bar, second]


def beside_weights(points: int, places: int, length: int, dtype: Any) -> tuple[np.ndarray, ...]:
    rows, centres = around(points, places, length, dtype)
    return rows, np.random.default_rng(points).normal(size=points).astype(dtype), centres


def with_weights(points: int, places: int, length: int, dtype: Any) -> tuple[np.ndarray, ...]:
    rows, centres = around(points, places, length + 1, dtype)
    centres = np.ascontiguousarray(centres[:, 1:])
    return rows, np.random.default_rng(points).normal(size=points).astype(dtype), centres


def around(points: int, places: int, length: int, dtype: Any) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(points + length)
    return random.normal(size=(points, length)).astype(dtype), random.normal(size=(places, length)).astype(dtype)


def picked(table, keys, sides, rows):
    """Rows of an array with three axes, some of which are left out."""

    def loss(t):
        def one(key, side, row):
            total = 0.0
            if side >= 0:
                total = tl.sum(t[key, side] * row)
            return total

        return tl.sum(tl.map(one, keys, sides, rows))

    return tl.grad(loss)(table)


def picked_reference(table: np.ndarray, keys: np.ndarray, sides: np.ndarray, rows: np.ndarray) -> list[np.ndarray]:
    bar, is_taken = np.zeros(table.shape), sides >= 0
    np.add.at(bar, (keys[is_taken], sides[is_taken]), rows[is_taken])
    return [bar]


def keyed(count: int, places: int, length: int, dtype: Any) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(count + length)
    table = random.normal(size=(places, 2, length)).astype(dtype)
    keys, sides = random.integers(0, places, size=count), random.integers(-1, 2, size=count)
    return table, keys, sides, random.normal(size=(count, length)).astype(dtype)


# A program, what it must give, how its arguments are made, and how many places have room in shared memory.
Case = tuple[Callable[..., Any], Callable[..., list[np.ndarray]], Callable[..., tuple[np.ndarray, ...]]]
CASES: dict[str, Case] = {
    "nearest": (nearest, nearest_reference, around),
    "newton": (newton, newton_reference, around),
    "curvature": (curvature, curvature_reference, beside_weights),
    "weighted": (weighted, weighted_reference, with_weights),
    "picked": (picked, picked_reference, keyed),
}
# Iterations, places, elements of a row: none, fewer and more than a block has threads for, several blocks, no room.
SIZES = (
    (0, 3, 5),
    (1, 1, 1),
    (7, 3, 35),
    (300, 3, 0),
    (113, 5, 35),
    (128, 3, 34),
    (900, 5, 35),
    (2100, 2, 3),
    (70, 3, 256),
    (40, 2, 257),
    (90, 2, 600),
    (200, 120, 4),
)


SHARE = (
    ("nearest", np.float32, True),
    ("newton", np.float32, True),
    ("curvature", np.float64, False),
    ("weighted", np.float64, True),
    ("picked", np.float64, True),
)
ALL = [(name, dtype, is_fixed) for name in CASES for dtype in (np.float64, np.float32) for is_fixed in (True, False)]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(
    ("name", "dtype", "deterministic"),
    [pytest.param(*each, marks=[] if each in SHARE else pytest.mark.thorough) for each in ALL],
)
def test_sums(name: str, dtype: Any, deterministic: bool) -> None:
    function, reference, arguments = CASES[name]
    close = 1e-12 if dtype == np.float64 else 3e-5
    with emulated_cuda(seed=3, keeps_kernels=True) as gpu:
        kernel = tl.jit(function, target="cuda", deterministic=deterministic)
        for sizes in SIZES:
            given = arguments(*sizes, dtype)
            results = kernel(*given)
            wide = [each.astype(np.float64) if each.dtype == dtype else each for each in given]
            for found, wanted in zip(
                results if isinstance(results, tuple) else [results], reference(*wide), strict=True
            ):
                np.testing.assert_allclose(found, wanted, rtol=close, atol=close * np.max(np.abs(wanted), initial=1))
        gpu.check_guards()


# Points, centres, numbers of each: around what a block takes at a time and what a thread compares at once.
FEW = (
    (1, 1, 1),
    (127, 2, 2),
    (128, 3, 3),
    (129, 4, 4),
    (700, 5, 35),
    (257, 7, 5),
    (130, 8, 7),
    (128, 9, 36),
    (300, 16, 32),
    (0, 5, 35),
    (140, 16, 64),
    (129, 6, 120),
    (130, 20, 9),
    (129, 24, 6),
    (131, 25, 5),
)


@pytest.mark.parametrize("dtype", [np.float32, pytest.param(np.float64, marks=pytest.mark.thorough)])
def test_few_places(dtype: Any) -> None:
    """Rows arrive in shared memory by themselves, and four centres are compared at once; the first of equals wins."""
    close = 1e-12 if dtype == np.float64 else 3e-5
    with emulated_cuda(seed=5, keeps_kernels=True) as gpu:
        kernel = tl.jit(newton, target="cuda")
        for sizes in FEW:
            given = around(*sizes, dtype)
            given[1][-2:] = given[1][:2][: len(given[1][-2:])]
            expected = newton_reference(*(each.astype(np.float64) for each in given))
            for found, wanted in zip(kernel(*given), expected, strict=True):
                np.testing.assert_allclose(found, wanted, rtol=close, atol=close * np.abs(wanted).max())
        gpu.check_guards()


def test_threads_do_not_matter() -> None:
    """Sums have the same bits in every order of threads and blocks; all of them take one launch, and one after it."""
    given = around(1500, 5, 7, np.float32)
    found = []
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True) as gpu:
            found.append(b"".join(each.tobytes() for each in tl.jit(newton, target="cuda")(*given)))
            blocks = [call[2:] for call in gpu.calls if call[0] == "launch"]
            assert blocks[0] == ((12, 1, 1), (256, 1, 1)) and len(blocks) == 2
            assert not any(call[0] == "copy" for call in gpu.calls)
    assert len(set(found)) == 1
