"""Adjoints of rows that are read element by element are added element by element."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.function
def areas(corners: tl.f64[:, 3, 2], picks: tl.i64[:]) -> tl.f64:
    def doubled(k):
        row = corners[k]
        return row[0, 0] * row[1, 1] - row[0, 1] * row[1, 0] + row[2, 1]

    return tl.sum(tl.map(doubled, picks))


def gradient_of_areas(corners: np.ndarray, picks: np.ndarray) -> np.ndarray:
    found = np.zeros_like(corners)
    for k in picks:
        (a, b), (c, d), _ = corners[k]
        found[k] += [[d, -c], [-b, a], [0.0, 1.0]]
    return found


def test_gradients_of_rows_read_by_elements() -> None:
    rng = np.random.default_rng(5)
    corners, picks = rng.normal(size=(7, 3, 2)), rng.integers(0, 7, size=40)
    for threads in (1, 2):
        found = tl.compile(tl.grad(areas), (corners, picks), threads=threads)(corners, picks)
        np.testing.assert_allclose(found, gradient_of_areas(corners, picks), rtol=1e-13, atol=1e-13)


def test_no_small_array_is_made_for_them() -> None:
    corners, picks = np.ones((7, 3, 2)), np.zeros(40, dtype=np.int64)
    loops = tl.compile(tl.grad(areas), (corners, picks)).ir("loops")
    assert "memref<3x2xf64>" not in loops


@tl.function
def one_of_rows(s: tl.f64) -> tl.f64:
    return (tl.full(8, s)[:, None] * tl.iota(3))[1, 2]


@tl.function
def one_of_slabs(s: tl.f64) -> tl.f64:
    return (tl.full((2, 3), s)[:, :, None] * tl.iota(3))[0, 1, 2]


def test_rows_of_few_known_elements() -> None:
    assert [tl.grad(f)(0.5) for f in (one_of_rows, one_of_slabs)] == [2.0, 2.0]
