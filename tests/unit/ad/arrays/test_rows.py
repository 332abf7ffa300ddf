"""Derivatives of operators whose elements are rows: interchanged ones, general ones, matrix products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python

import tapeless as tl

A = np.linspace(0.4, 1.6, 12).reshape(4, 3) * np.array([1.0, -1.0, 1.0])
B = np.cos(np.arange(12.0)).reshape(3, 4)
ROWS = [0, 1, 4]


def row_sums(a):
    return tl.reduce(lambda p, q: p + q, tl.zeros(a.shape[1]), a * a)


def row_products(a):
    return tl.reduce(lambda p, q: p * q, tl.ones(a.shape[1]), a)


def row_maxima(a):
    return tl.reduce(lambda p, q: tl.maximum(p, q), tl.full(a.shape[1], -9.0), a)


def prefix_rows(a):
    return tl.cumprod(a), tl.cumsum(a * a), tl.cumprod(a, axis=1)


def prefix_rows_from_the_right(a):
    return tl.scan(lambda p, q: p * q, tl.ones(a.shape[1]), a, reverse=True, exclusive=True)


def rows_with_general_operator(a):
    return tl.reduce(lambda p, q: p + q + p * q, tl.zeros(a.shape[1]), a)


def scanned_rows_with_general_operator(a):
    return tl.scan(lambda p, q: p + q + p * q, tl.zeros(a.shape[1]), a)


def histogram_of_rows(a):
    keys = tl.iota(a.shape[0]) % 2
    return tl.hist(lambda p, q: p * q, tl.ones(a.shape[1]), tl.full((3, a.shape[1]), 2.0), keys, a)


def summed_histogram_of_rows(a):
    keys = tl.iota(a.shape[0]) % 2
    return tl.hist(lambda p, q: p + q, tl.zeros(a.shape[1]), tl.full((3, a.shape[1]), 2.0), keys, a * a)


def maps_of_rows(a):
    return tl.map(lambda row: row / tl.sum(row * row + 1.0), a)


def maps_of_rows_with_free_matrix(a):
    return tl.map(lambda row: tl.dot(row, row) * a[0] + a[:, 1].sum(), a)


FUNCTIONS = [row_sums, row_products, row_maxima, prefix_rows, prefix_rows_from_the_right, rows_with_general_operator]
FUNCTIONS += [scanned_rows_with_general_operator, histogram_of_rows, summed_histogram_of_rows, maps_of_rows]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("n", ROWS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_rows(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, A[:n]), A[:n])


def matrix_product(a, b):
    return a @ b


def chain(x, a, b):
    return tl.tanh(a @ (b @ x))


def row_softmax(a):
    return tl.softmax(a), tl.logsumexp(a, axis=0)


def product_of_matrices(ms):
    """2x2 matrices as four arrays, multiplied together from left to right."""
    return tl.scan(
        lambda a, b, c, d, e, f, g, h: (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h),
        (1.0, 0.0, 0.0, 1.0),
        ms[0],
        ms[1],
        ms[2],
        ms[3],
    )


def reduced_matrices(ms):
    return tl.reduce(lambda p, q: p @ q, tl.astype(tl.iota(4).reshape((2, 2)) % 3 == 0, tl.f64), ms)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (matrix_product, (A, B)),
        (chain, (A[0, :], A, A.T.copy()[:, :3])),
        (row_softmax, (A,)),
        (maps_of_rows_with_free_matrix, (A,)),
        (product_of_matrices, (A,)),
        (reduced_matrices, (A.reshape(3, 2, 2),)),
    ],
)
def test_matrices(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    check(from_python(function, *arguments), *arguments)


@tl.function
def joined_by_key(values: tl.f64[:, :], dest: tl.f64[:, :], neutral: tl.f64[:], keys: tl.i64[:]) -> tl.f64[:, :]:
    return tl.hist(lambda p, q: p + q + p * q, neutral, dest, keys, values)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("checks", ["on", "off"])
@pytest.mark.parametrize("columns", [0, 1, 5])
def test_histogram_of_rows_with_sizes_from_several_arrays(columns: int, checks: str) -> None:
    random = np.random.default_rng(3)
    values, dest, seeds = (random.uniform(0.5, 1.5, size=(rows, columns)) for rows in (6, 4, 4))
    keys, neutral = np.array([2, 0, 2, 7, 3, 2]), np.zeros(columns)

    def pulled(values, dest, neutral, keys, seeds):
        return tl.vjp(lambda v, d: joined_by_key(v, d, neutral, keys), values, dest)[1](seeds)

    arguments = (values, dest, neutral, keys, seeds)
    by_values, by_dest = tl.compile(pulled, arguments, checks=checks)(*arguments)
    totals = 1 + dest
    for key, row in zip(keys, values, strict=True):
        if key < len(dest):
            totals[key] *= 1 + row
    inside = keys < len(dest)
    wanted = np.zeros_like(values)
    wanted[inside] = (seeds * totals)[keys[inside]] / (1 + values[inside])
    np.testing.assert_allclose(by_values, wanted, rtol=1e-12)
    np.testing.assert_allclose(by_dest, seeds * totals / (1 + dest), rtol=1e-12)


def test_gradient_of_a_tangent_of_a_histogram_of_rows() -> None:
    random = np.random.default_rng(4)
    values, tangent, seeds = (random.normal(size=(5, 3)) for _ in range(3))
    keys, sizes = np.array([4, 1, 1, 0, 9]), np.zeros(3)

    def pulled(values, sizes, keys, tangent, seeds):
        def waves(rows):
            return tl.sin(tl.hist(lambda p, q: p + q, tl.zeros(len(sizes)), rows, keys, rows))

        return tl.grad(lambda rows: tl.sum(seeds * tl.jvp(waves, (rows,), (tangent,))[1]))(values)

    matrix = np.eye(5)
    for row, key in enumerate(keys):
        if key < 5:
            matrix[key, row] += 1
    found = tl.jit(pulled)(values, sizes, keys, tangent, seeds)
    np.testing.assert_allclose(found, matrix.T @ (-seeds * np.sin(matrix @ values) * (matrix @ tangent)), rtol=1e-12)
