"""Products of matrices in all layouts: panels, tiles, few rows, few columns, and the same bits on two threads."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import tapeless as tl

ROWS = (0, 1, 3, 7, 8, 9, 21)
COLUMNS = (1, 5, 15, 16, 17, 40)
SUMMED = (0, 1, 5, 19)


@tl.function
def plain(a: tl.f64[:, :], b: tl.f64[:, :]):
    return a @ b


@tl.function
def right_transposed(a: tl.f64[:, :], b: tl.f64[:, :]):
    return a @ b.T


@tl.function
def left_transposed(a: tl.f64[:, :], b: tl.f64[:, :]):
    return a.T @ b


@tl.function
def both_transposed(a: tl.f64[:, :], b: tl.f64[:, :]):
    return a.T @ b.T


@tl.function
def both_transposed_f32(a: tl.f32[:, :], b: tl.f32[:, :]):
    return a.T @ b.T


@tl.function
def of_slices(a: tl.f64[:, :, :], b: tl.f64[:, :, :], t: tl.i64):
    return a[t] @ b[:, t].T


@tl.function
def scaled(a: tl.f64[:, :], b: tl.f64[:, :], s: tl.f64[:]):
    return tl.map(lambda row, x: x * (b @ row) + 1.0, a, s)


LAYOUTS = {plain: "nn", right_transposed: "nt", left_transposed: "tn", both_transposed: "tt", both_transposed_f32: "tt"}


def matrices(layout: str, rows: int, columns: int, summed: int, dtype: type = np.float64) -> list[np.ndarray]:
    shapes = (rows, summed), (summed, columns)
    rng = np.random.default_rng([rows, columns, summed])
    stored = zip(shapes, layout, strict=True)
    return [rng.normal(size=shape if way == "n" else shape[::-1]).astype(dtype) for shape, way in stored]


def expected(layout: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a if layout[0] == "n" else a.T) @ (b if layout[1] == "n" else b.T)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", LAYOUTS, ids=lambda function: function.__name__)
def test_all_sizes(function: object) -> None:
    layout = LAYOUTS[function]
    is_single = function is both_transposed_f32
    for rows, columns, summed in product(ROWS, COLUMNS, SUMMED):
        a, b = matrices(layout, rows, columns, summed, np.float32 if is_single else np.float64)
        tolerance = 1e-5 if is_single else 1e-13
        np.testing.assert_allclose(function(a, b), expected(layout, a, b), rtol=tolerance, atol=tolerance)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", [plain, right_transposed, left_transposed, both_transposed])
def test_same_bits_on_two_threads(function: object) -> None:
    for rows in (99, 197):
        a, b = matrices(LAYOUTS[function], rows, 35, 23)
        one, two = (tl.compile(function, (a, b), threads=threads)(a, b) for threads in (1, 2))
        np.testing.assert_array_equal(one, two)


def test_panels_of_slices() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(3, 11, 7)), rng.normal(size=(18, 3, 7))
    np.testing.assert_allclose(of_slices(a, b, 2), a[2] @ b[:, 2].T, rtol=1e-13)


def test_products_with_more_around_the_sum() -> None:
    rng = np.random.default_rng(1)
    a, b, s = rng.normal(size=(13, 9)), rng.normal(size=(33, 9)), rng.normal(size=13)
    np.testing.assert_allclose(scaled(a, b, s), s[:, None] * (a @ b.T) + 1.0, rtol=1e-13)


def test_many_blocks_of_columns() -> None:
    for function, layout in ((plain, "nn"), (right_transposed, "nt")):
        a, b = matrices(layout, 9, 203, 1500)
        np.testing.assert_allclose(function(a, b), expected(layout, a, b), rtol=1e-11, atol=1e-11)


@tl.function
def narrow(a, b):
    return a.T @ b


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_few_columns_of_large_and_small_matrices(dtype: type) -> None:
    """Register tiles of a quarter of the lanes read small matrices as they are, and large ones from copies."""
    rng = np.random.default_rng(4)
    for rows, summed in ((20, 300), (20, 1500), (512, 1100)):
        for columns in (5, 9, 12):
            a, b = rng.normal(size=(summed, rows)).astype(dtype), rng.normal(size=(summed, columns)).astype(dtype)
            within = 1e-11 if dtype is np.float64 else 1e-2
            np.testing.assert_allclose(narrow(a, b), a.T.astype(np.float64) @ b, rtol=within, atol=within)
