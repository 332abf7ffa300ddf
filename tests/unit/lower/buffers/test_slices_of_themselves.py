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


@pytest.mark.one_in(3)
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


@tl.function
def scattered_over_itself(x, keys):
    y = tl.cumsum(x)
    return tl.scatter(y, keys, y)


@tl.function
def added_to_itself(x, keys):
    y = tl.cumsum(x)
    return tl.hist(lambda a, b: a + b, 0.0, y, keys, y)


@tl.function
def changed_parts(x, m):
    y, sums = tl.cumsum(x), tl.cumsum(m, axis=0)
    part, row, column = y[2:], sums[1], sums[:, 1]
    part[0] = 5.0
    row[1] = 6.0
    column[1] = 7.0
    return part, row, column


def test_what_is_written_is_read_before() -> None:
    x, keys = np.array([1.0, 2.0, 4.0, 8.0, 16.0]), np.array([4, 3, 2, 1, 0])
    y = np.cumsum(x)
    np.testing.assert_array_equal(scattered_over_itself(x, keys), y[::-1])
    np.testing.assert_array_equal(added_to_itself(x, keys), y + y[::-1])


def test_parts_are_changed_where_they_lie() -> None:
    x, m = np.arange(1.0, 6.0), np.arange(12.0).reshape(3, 4)
    y, sums = np.cumsum(x), np.cumsum(m, axis=0)
    part, row, column = changed_parts(x, m)
    np.testing.assert_array_equal(part, [5.0, *y[3:]])
    np.testing.assert_array_equal(row, [sums[1, 0], 6.0, *sums[1, 2:]])
    np.testing.assert_array_equal(column, [sums[0, 1], 7.0, sums[2, 1]])


@tl.function
def changed_again_and_again(x, keys):
    y, total = tl.cumsum(x), tl.zeros(len(x))
    for k in keys:
        total = total + tl.cumsum(y)
        z = y
        z[k] = 0.0
        total = total + tl.cumsum(z)
    return total


def test_every_iteration_starts_from_the_same_array() -> None:
    x, keys = np.array([1.0, 2.0, 4.0]), np.array([0, 2, 1])
    y = np.cumsum(x)
    wanted = sum(np.cumsum(y) + np.cumsum(np.where(np.arange(3) == k, 0.0, y)) for k in keys)
    np.testing.assert_array_equal(changed_again_and_again(x, keys), wanted)


@tl.function
def turned_around_again_and_again(x):
    sums = tl.reduce(lambda total, row: total[::-1] * 0.5 + row, tl.zeros(4), x)
    return sums, tl.scan(lambda total, row: total[::-1] * 0.5 + row, tl.zeros(4), x)


def test_running_rows_are_read_before_they_are_written_over() -> None:
    x = np.random.default_rng(5).normal(size=(5, 4))
    wanted = [np.zeros(4)]
    for row in x:
        wanted.append(wanted[-1][::-1] * 0.5 + row)
    sums, prefixes = turned_around_again_and_again(x)
    np.testing.assert_allclose(sums, wanted[-1], rtol=1e-12)
    np.testing.assert_allclose(prefixes, wanted[1:], rtol=1e-12)
