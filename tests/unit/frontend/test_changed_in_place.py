"""Statements that change arrays in numpy, `np.fill_diagonal(m, 0.0)` and `x.sort()`, against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from frontend.running import check, compare
from tapeless.frontend.statements.in_place import CHANGES
from tapeless.frontend.syntax import updates

X, M = np.array([0.3, -1.2, 2.5, 0.7, 1.1]), np.arange(12.0).reshape(3, 4)
K = np.array([1, 4, 1, 0])


def fill_diagonal(m):
    other = m * 2.0
    np.fill_diagonal(other, m[:, 0][: min(len(m), len(m[0]))])
    np.fill_diagonal(other[:, 1:], -1.0)
    np.fill_diagonal(m, 0.5)
    return m, other


def put_along_axis(m):
    np.put_along_axis(m, np.argmax(m, axis=1)[:, None], 0.0, axis=1)
    np.put_along_axis(m, np.zeros((1, len(m[0])), int), m[:1] * 2.0, 0)
    return m


def sort(m):
    rows = -m
    rows.sort()
    m.sort(axis=0)
    m[0].sort()
    return rows, m


def fill(m):
    row = m[1] * 1.0
    m.fill(m[0, 0] + 1.0)
    m[1].fill(2.0)
    return m, row


def copyto_put_and_putmask(m):
    other = np.zeros((len(m), len(m[0])))
    np.copyto(other, m[0] * 2.0)
    np.put(other, [0, -1], [9.0, 8.0])
    np.putmask(other, other > 3.0, m)
    np.putmask(other, other < 1.0, -1.0)
    return other, m


def loops(m):
    for i in range(len(m)):
        if i > 0:
            m[i].sort()
            np.put(m, [i], 7.0)
        np.maximum.at(m[i], [0, 1, 0], np.array([0.5, 3.0, 1.0]))
    return m


def extremes(m):
    np.maximum.at(m, (K[:3] % 2, K[:3] % 3), np.array([9.0, -1.0, 3.0]))
    np.minimum.at(m, (slice(None), [0, 0]), m[:, 1:3] - 1.0)
    np.minimum.at(m, (0, 1), 0.5)
    np.maximum.at(m, (slice(1, None), slice(0, 2, None)), 4.5)
    return m


FUNCTIONS: list[Callable[..., Any]] = [
    fill_diagonal,
    put_along_axis,
    sort,
    fill,
    copyto_put_and_putmask,
    loops,
    extremes,
]


def test_every_change_has_a_definition() -> None:
    assert CHANGES.keys() == {*updates.CHANGING, *updates.METHODS}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_as_numpy(function: Callable[..., Any]) -> None:
    """The caller's array stays as it was, compiled or run by Python."""
    for matrix in (M, -M.T.copy(), np.sin(M).astype(np.float32)):
        expected = function(matrix.copy())
        check(function, matrix, expected=expected, rtol=1e-6 if matrix.dtype == np.float32 else 1e-12)
        with tl.disable_jit():
            found = tl.function(function)(matrix)
        compare(found, expected)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_derivatives(method: str) -> None:
    """The sum of what all statements leave, whose slopes central differences give."""

    def plain(m):
        total = 0.0
        for part in (*fill_diagonal(m * 1.0), put_along_axis(m * 1.1), *sort(m * 1.2), extremes(m * 1.3)):
            total = total + np.sum(np.sin(part) * part)
        return total

    point = np.cos(M * 1.7)
    steps = 1e-6 * np.eye(point.size).reshape(-1, *point.shape)
    slopes = np.array([(plain(point + h) - plain(point - h)) / 2e-6 for h in steps]).reshape(point.shape)
    np.testing.assert_allclose(tl.grad(tl.function(plain), method=method)(point), slopes, rtol=1e-6, atol=1e-6)


AT_RUN_TIME: list[tuple[Callable[..., Any], type[Exception], str]] = [
    (lambda m: filled(m, m[0, :2]), tl.ShapeMismatch, "give one value for each element of the diagonal"),
    (lambda m: placed(m, np.array([[4], [0], [0]])), tl.IndexOutOfRange, "out of range"),
    (lambda m: copied(m, m.T), tl.ShapeMismatch, "sizes"),
    (lambda m: sorted_by(m, "up"), tl.ArgumentError, "'sort': got an unexpected keyword argument 'order'"),
]


def sorted_by(m, order):
    m.sort(order=order)
    return m


def filled(m, v):
    np.fill_diagonal(m, v)
    return m


def placed(m, k):
    np.put_along_axis(m, k, 0.0, axis=1)
    return m


def copied(m, v):
    np.copyto(m, v)
    return m


@pytest.mark.parametrize(("function", "kind", "message"), AT_RUN_TIME, ids=[each[2] for each in AT_RUN_TIME])
def test_checked_when_running(function: Callable[..., Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        tl.function(function)(M)
