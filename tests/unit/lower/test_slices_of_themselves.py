"""Slices computed from themselves are written in place only when no element is read after it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl


def same_slice(x):
    for _ in range(3):
        x[1:, 1:] = 2.0 * x[1:, 1:] + 1.0
    return x


def row_of_the_slice(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] + x[2, :]
    return x


def column_of_the_slice(x):
    for _ in range(3):
        x[:, 1:] = x[:, 1:] + x[:, 2:3]
    return x


def row_beside(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] * x[0, :]
    return x


def shifted(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] + x[:-1, :]
    return x


def transposed(x):
    for _ in range(3):
        x[1:4, 1:4] = x[1:4, 1:4] + x[1:4, 1:4].T
    return x


def sum_of_rows(x):
    for _ in range(3):
        x[1:, :] = x[1:, :] + x[1:, :].sum()
    return x


def every_other_row(x: tl.f64[7, 5]):
    for _ in range(3):
        x[::2] = 0.5 * x[::2] + x[6::-2]
    return x


def every_other_column_once(x: tl.f64[7, 5]):
    x[:, ::2] = x[:, ::2] + x[:, 4::-2]
    return x


def other_planes(x):
    for _ in range(3):
        first, second = x[0, 1:], x[1, 1:]
        x[0, :-1] = first + second
        x[1, :-1] = first * second
        x[2, 1:] = x[2, 1:] + first
    return x


def other_planes_of_copies(x):
    for _ in range(3):
        first, second = x[0, 1:].copy(), x[1, 1:].copy()
        x[0, :-1] = first + second
        x[1, :-1] = first * second
        x[2, 1:] = x[2, 1:] + first
    return x


ALONE = (
    same_slice,
    row_of_the_slice,
    column_of_the_slice,
    row_beside,
    shifted,
    transposed,
    sum_of_rows,
    every_other_row,
    every_other_column_once,
)
REFERENCES = {**{program: program for program in ALONE}, other_planes: other_planes_of_copies}


@pytest.mark.parametrize("program", REFERENCES, ids=lambda program: program.__name__)
def test_slices_of_themselves(program: Callable[..., Any]) -> None:
    x = np.random.default_rng(3).normal(size=(7, 5))
    found = tl.compile(program, (x,))(x)
    np.testing.assert_allclose(found, REFERENCES[program](x.copy()), rtol=1e-12)


def test_same_slice_needs_no_other_memory() -> None:
    kernel = tl.compile(same_slice, (np.ones((4, 5)),))
    assert "memref.alloc" not in str(kernel.ir("loops"))


@tl.function
def rows_turned_around(x: tl.f64[:, :]):
    sums = tl.cumsum(x, axis=0)
    return tl.map(lambda row: row[::-1] * 0.5 + row, sums)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (4, 5), (30, 41)])
def test_rows_are_not_written_over_before_they_are_read(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(4).normal(size=shape)
    sums = np.cumsum(x, axis=0)
    np.testing.assert_allclose(rows_turned_around(x), sums[:, ::-1] * 0.5 + sums, rtol=1e-12)
