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
