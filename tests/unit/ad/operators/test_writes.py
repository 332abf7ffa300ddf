"""Derivatives of histograms and scatters: duplicate keys, keys outside, ties, zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python, jvp, run, vjp

import tapeless as tl

KEYS = np.array([2, 0, 2, 7, -1, 2, 0, 3])
VALUES = np.array([0.4, -1.2, 0.9, 1.7, -0.3, 2.2, 0.8, 1.1])
DEST = np.array([0.5, -0.7, 1.4, 0.2])
SIZES = [0, 1, 8]


def added(dest, keys, values):
    return tl.hist(lambda a, b: a + b, 0.0, dest * dest, keys, values * values)


def multiplied(dest, keys, values):
    return tl.hist(lambda a, b: a * b, 1.0, dest, keys, values)


def largest(dest, keys, values):
    return tl.hist(tl.maximum, -100.0, dest, keys, values * 2.0)


def smallest(dest, keys, values):
    return tl.hist(tl.minimum, 100.0, dest, keys, values)


def general(dest, keys, values):
    return tl.hist(lambda a, b: a + b + a * b, 0.0, dest, keys, values)


def pairs(dest, keys, values):
    def compose(a, b, c, d):
        return a * c, b * c + d

    return tl.hist(compose, (1.0, 0.0), (dest, dest * dest), keys, (values, tl.sin(values)))


def free_in_operator(dest, keys, values):
    w = dest[1]
    return tl.hist(lambda a, b: a + b + w * a * b, 0.0, dest, keys, values)


def in_a_map(dest, keys, values):
    return tl.map(lambda s: tl.sum(tl.hist(lambda a, b: a * b, 1.0, dest, keys, values * s)), values)


def in_a_loop(dest, keys, values):
    for _ in range(3):
        dest = tl.hist(lambda a, b: a + b, 0.0, dest * dest, keys, values)
    return dest


FUNCTIONS = [added, multiplied, largest, smallest, general, pairs, free_in_operator, in_a_map, in_a_loop]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_histograms(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, DEST, KEYS[:n], VALUES[:n]), DEST, KEYS[:n], VALUES[:n])


@pytest.mark.parametrize("function", [added, multiplied, largest, general])
def test_no_bins(function: Callable[..., Any]) -> None:
    check(from_python(function, DEST[:0], KEYS, VALUES), DEST[:0], KEYS, VALUES)


@pytest.mark.parametrize("zeros", [[0], [0, 2], [1, 6], [0, 1, 2]])
def test_products_with_zeros(zeros: list[int]) -> None:
    values, dest = VALUES.copy(), DEST.copy()
    values[zeros] = 0.0
    check(from_python(multiplied, dest, KEYS, values), dest, KEYS, values)
    dest[2] = 0.0
    check(from_python(multiplied, dest, KEYS, values), dest, KEYS, values)


def extreme(dest, keys, values):
    return tl.hist(tl.maximum, -100.0, dest, keys, values)


def test_ties_go_to_the_destination_then_to_the_first() -> None:
    dest, keys, values = np.array([1.0, 0.0]), np.array([0, 1, 1, 0, 1]), np.array([1.0, 2.0, 5.0, 1.0, 5.0])
    program = from_python(extreme, dest, keys, values)
    dest_bar, value_bar = run(vjp(program), dest, keys, values, np.array([3.0, 4.0]))[1:]
    np.testing.assert_array_equal(dest_bar, [3.0, 0.0])
    np.testing.assert_array_equal(value_bar, [0.0, 0.0, 4.0, 0.0, 0.0])
    tangents = np.arange(10.0, 60.0, 10.0)
    np.testing.assert_array_equal(run(jvp(program), dest, keys, values, np.array([1.0, 2.0]), tangents)[1], [1.0, 30.0])


def written(dest, keys, values):
    return tl.scatter(dest * dest, keys, tl.sin(values))


@pytest.mark.parametrize("keys", [[], [2], [3, 0, 1], [9, 2, -1], [3, 2, 1, 0]])
def test_scatter(keys: list[int]) -> None:
    arguments = DEST, np.array(keys, dtype=np.int64), VALUES[: len(keys)]
    check(from_python(written, *arguments), *arguments)


def test_equal_values_written_to_one_place() -> None:
    """Which of equal writers is seen does not matter to the value; the last one alone has the adjoint of the place."""
    arguments = DEST, np.array([1, 1]), np.array([0.5, 0.5])
    dest_bar, value_bar = run(vjp(from_python(written, *arguments)), *arguments, np.ones(4))[1:]
    np.testing.assert_allclose(dest_bar, 2 * DEST * [1, 0, 1, 1])
    np.testing.assert_allclose(value_bar, np.cos([0.5, 0.5]) * [0, 1])


def looked_up_and_written(dest, keys, values):
    return tl.scatter(dest, keys, values[keys] * values[keys])


@pytest.mark.parametrize("shape", [(4,), (4, 2)])
def test_scatter_of_what_was_looked_up_by_the_same_keys(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    arguments = rng.normal(size=shape), np.array([2, 0, 2, 2, 0]), rng.normal(size=shape)
    check(from_python(looked_up_and_written, *arguments), *arguments)


def test_scatter_of_rows() -> None:
    dest, rows = np.arange(8.0).reshape(4, 2), np.arange(4.0).reshape(2, 2) + 0.3
    arguments = dest, np.array([3, 1]), rows
    check(from_python(written, *arguments), *arguments)
