"""Tables that are filled by antidiagonals on a processor, against plain Python and the loops as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from table_programs import PROGRAMS, TYPES, arguments, by_rows, by_rows_with_borders, scored
from tapeless.passes.soac.skew.skewing import Skewing

# Its cells call no function.
CHEAP = "relaxed"
SHAPES = ((12, 7), (5, 31), (40, 40), (1, 1), (1, 9), (9, 1))


@contextmanager
def skewed_nests(count: int) -> Iterator[None]:
    watched = mock.patch.object(Skewing, "carry_out", autospec=True, side_effect=Skewing.carry_out)
    with watched as carried_out:
        yield
    assert carried_out.call_count == count


@pytest.mark.parametrize("method", ["redundant", "reversible"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_the_loops(name: str, method: str) -> None:
    gradient = tl.value_and_grad(PROGRAMS[name], (0, 1), method=method)
    with skewed_nests(int(name != CHEAP)):
        kernel = tl.compile(gradient, TYPES)
    by_loops = tl.value_and_grad(PROGRAMS[name], (0, 1), method="coarsened")
    for shape in SHAPES:
        given = arguments(*shape)
        found, found_parts = kernel(*given)
        assert found == pytest.approx(PROGRAMS[name](*given), rel=1e-12)
        for part, found_part in zip(by_loops(*given)[1], found_parts, strict=True):
            np.testing.assert_allclose(found_part, part, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != CHEAP])
def test_as_differences(name: str) -> None:
    given = arguments(11, 8)
    parts = tl.grad(PROGRAMS[name], (0, 1))(*given)
    for place, part in enumerate(parts):
        for element in np.ndindex(part.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [np.array(each) for each in given]
                moved[place][element] += step
                ends.append(PROGRAMS[name](*moved))
            assert part[element] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-7)


def test_f32() -> None:
    given = arguments(14, 11, np.float32)
    found, found_parts = tl.value_and_grad(by_rows_with_borders, (0, 1))(*given)
    wide = tuple(each.astype(np.float64) if each.dtype == np.float32 else each for each in given)
    value, parts = tl.value_and_grad(by_rows_with_borders, (0, 1), method="coarsened")(*wide)
    assert found == pytest.approx(value, rel=1e-5)
    for part, found_part in zip(parts, found_parts, strict=True):
        assert found_part.dtype == np.float32
        np.testing.assert_allclose(found_part, part, rtol=1e-3, atol=1e-5)


def test_bits_with_threads() -> None:
    given = arguments(40, 33)
    one, two = (tl.compile(tl.grad(by_rows), TYPES, threads=threads)(*given) for threads in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_rows_that_nobody_stores_stay() -> None:
    tangents = (np.ones((3, 3)), np.ones(1))
    given = arguments(12, 7)
    with skewed_nests(0):
        tl.compile(by_rows, TYPES)
        pushed = tl.compile(
            tl.function(lambda s, g, a, b: tl.jvp(lambda s, g: by_rows(s, g, a, b), (s, g), tangents)),
            given,
        )
    assert pushed(*given)[0] == pytest.approx(by_rows(*given), rel=1e-12)


def test_empty_tables_stay_as_they_were() -> None:
    kernel = tl.compile(tl.value_and_grad(scored, (0, 1)), TYPES)
    for shape in ((0, 4), (4, 0), (0, 0)):
        value, parts = kernel(*arguments(*shape))
        assert value == 0.0
        assert not any(part.any() for part in parts)


def test_checks_of_places_fail_as_in_loops() -> None:
    scores, gap, a, b = arguments(12, 10)
    a[5] = 3
    kernel = tl.compile(tl.value_and_grad(scored, (0, 1)), TYPES)
    with pytest.raises(IndexError, match="index 3"):
        kernel(scores, gap, a, b)


def summing_rows(x, row):
    """Cells that need the sum of the whole row above."""
    for i in range(x.shape[0]):
        total = np.sum(row)
        new = np.zeros_like(row)
        for j in range(1, row.shape[0]):
            new[j] = np.tanh(new[j - 1] + row[j] * 0.5 + row[j - 1] * total) + x[i, j]
        row = new
    return np.sum(row * x[0])


def scaling_rows(x, row):
    """Cells that read the row above times its sum."""
    for i in range(x.shape[0]):
        scaled, new = row * np.sum(row), np.zeros_like(row)
        for j in range(1, row.shape[0]):
            new[j] = np.tanh(new[j - 1] + scaled[j] + scaled[j - 1] * 0.5) + x[i, j]
        row = new
    return np.sum(row * x[0])


def in_branches(x, row):
    """Cells that read rows in branches alone."""
    for i in range(x.shape[0]):
        new = np.zeros_like(row)
        for j in range(1, row.shape[0]):
            y = x[i, j]
            if y > 0.1:
                y += 0.1 * np.sum(np.exp(-x[i] * x[i]) * new[j - 1])
            else:
                y += np.tanh(row[j - 1] * new[j - 1]) * x[i, j - 1]
            new[j] = y
        row = new
    return np.sum(row * x[0])


def checking_in_branches(x, row):
    """Rows that are read in a branch, which checks the place."""
    largest = 0.0
    for i in range(x.shape[0]):
        new = np.ones_like(row)
        for j in range(1, row.shape[0]):
            new[j] = np.tanh(new[j - 1] + row[j - 1] * x[i, j])
        if x[i, 0] > 0.0:
            largest = max(largest, new[1] * row[1])
        row = new
    return np.sum(row * x[0]) + largest


def adding_rows(x, row):
    """Cells that read the row above and that of a matrix as one."""
    for i in range(x.shape[0]):
        both, new = row + x[i], np.zeros_like(row)
        for j in range(1, row.shape[0]):
            new[j] = np.tanh(new[j - 1] + both[j])
        row = new
    return np.sum(row * x[0])


@pytest.mark.parametrize("program", [summing_rows, scaling_rows, in_branches, checking_in_branches, adding_rows])
def test_rows_that_are_not_read_by_elements_stay(program: Callable[..., Any]) -> None:
    rng = np.random.default_rng(1)
    given = 0.3 * rng.normal(size=(12, 10)), 0.3 * rng.normal(size=10)
    with skewed_nests(0):
        found = tl.grad(program, (0, 1))(*given)
    along = tuple(rng.normal(size=each.shape) for each in given)
    ends = [program(*(each + step * way for each, way in zip(given, along, strict=True))) for step in (1e-6, -1e-6)]
    slope = sum(np.sum(part * way) for part, way in zip(found, along, strict=True))
    assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


def test_first_elements_are_computed_after_their_checks() -> None:
    def begun(x, row, starts, k):
        for i in range(x.shape[0]):
            new = np.zeros_like(row)
            new[0] = starts[k[i]]
            for j in range(1, row.shape[0]):
                new[j] = np.tanh(new[j - 1] + row[j] * 0.5 + row[j - 1]) + x[i, j]
            row = new
        return np.sum(row)

    k = np.zeros(12, np.int64)
    given = np.zeros((12, 10)), np.zeros(10), np.ones(3), k
    with skewed_nests(1):
        kernel = tl.compile(tl.grad(begun), given)
    assert np.shape(kernel(*given)) == (12, 10)
    for place in (-9, 3, 10**11):
        k[5] = place
        with pytest.raises(IndexError, match=f"index {place}"):
            kernel(*given)


def test_rows_without_cells_are_checked() -> None:
    def filled(t, x, k):
        for i in range(1, t.shape[0]):
            w = x[k[i]]
            for j in range(1, t.shape[1]):
                t[i, j] = np.tanh(t[i - 1, j] + t[i, j - 1]) + w
        return t

    with skewed_nests(1):
        kernel = tl.compile(filled, (tl.f64[:, :], tl.f64[:], tl.i64[:]))
    k = np.zeros(12, np.int64)
    np.testing.assert_array_equal(kernel(np.ones((12, 1)), np.ones(3), k), np.ones((12, 1)))
    k[7] = 3
    for columns in (1, 5):
        with pytest.raises(IndexError, match="index 3"):
            kernel(np.ones((12, columns)), np.ones(3), k)


def test_elements_that_no_cell_reads_are_checked() -> None:
    def scaled(x, row, factors, k):
        for i in range(x.shape[0]):
            parts, new = row * factors[k], np.zeros_like(row)
            for j in range(1, row.shape[0]):
                new[j] = np.tanh(new[j - 1] + row[j - 1] * parts[j]) + x[i, j]
            row = new
        return np.sum(row)

    k = np.arange(10) % 3
    given = np.zeros((12, 10)), np.zeros(10), np.ones(3), k
    kernel = tl.compile(tl.grad(scaled), given)
    kernel(*given)
    k[0] = 3
    with pytest.raises(IndexError, match="index 3"):
        kernel(*given)
