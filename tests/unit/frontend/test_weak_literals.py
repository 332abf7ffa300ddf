"""Literals beside f32 values leave them f32, as Python's numbers do in numpy: every class of operators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

HALF = 0.5
TABLE: dict[str, Callable[[Any], Any]] = {
    "x + 0.5": lambda x: x + 0.5,
    "0.5 - x": lambda x: 0.5 - x,
    "x * 2": lambda x: x * 2,
    "x / 2": lambda x: x / 2,
    "0.5 / x": lambda x: 0.5 / x,
    "x // 0.5": lambda x: x // 0.5,
    "x % 0.75": lambda x: x % 0.75,
    "x ** 2": lambda x: x**2,
    "x ** 1.5": lambda x: x**1.5,
    "2.0 ** x": lambda x: 2.0**x,
    "x * True": lambda x: x * True,
    "x * (1.0 / 3.0)": lambda x: x * (1.0 / 3.0),
    "outside name": lambda x: x * HALF,
    "math.pi": lambda x: x * math.pi,
    "np.pi": lambda x: x * np.pi,
    "maximum": lambda x: np.maximum(x, 1.5),
    "minimum": lambda x: np.minimum(1.5, x),
    "clip": lambda x: np.clip(x, 0.0, 1.5),
    "where": lambda x: np.where(x > 1.5, x, 0.0),
    "where, first": lambda x: np.where(x > 1.5, 1.0, x),
    "power": lambda x: np.power(x, 1.5),
    "hypot": lambda x: np.hypot(x, 1.0),
    "arctan2": lambda x: np.arctan2(1.0, x),
    "function of a product": lambda x: np.exp(x * 0.5),
    "full_like": lambda x: np.full_like(x, 0.5) * x,
    "choice": lambda x: x * 0.5 if HALF > 0.0 else x,
}
OF_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: np.sum(x * 0.5) + 1.0,
    "mean": lambda x: np.mean(x) * 0.5,
    "dot": lambda x: np.dot(x, x) * 0.5,
    "cumsum": lambda x: np.cumsum(x) * 0.5,
    "element": lambda x: x[0] * 0.5,
}


@tl.function
def updated(x):
    total, row = 0.0, x * 2.0
    row[0] = 0.5
    row[1:] += 0.25
    row *= 2.0
    for i in range(len(x)):
        total += x[i] * 0.5
    return row, total


@pytest.mark.parametrize("is_array", [True, False])
def test_results_stay_f32(is_array: bool) -> None:
    x = np.array([1.25, 2.0, 3.5], np.float32) if is_array else np.float32(1.25)
    table = TABLE | OF_ARRAYS if is_array else TABLE
    programs = tuple(table.values())
    found = tl.function(lambda x: tuple(each(x) for each in programs))(x)
    for name, result in zip(table, found, strict=True):
        expected = table[name](x)
        assert np.asarray(result).dtype == np.asarray(expected).dtype == np.float32, name
        np.testing.assert_allclose(result, expected, rtol=1e-6, err_msg=name)


def test_comparisons_and_updates() -> None:
    x = np.array([1.25, 2.0, 3.5], np.float32)
    row, total = updated(x)
    assert row.dtype == np.float32 and type(total) is np.float32
    np.testing.assert_array_equal(row, np.array([1.0, 8.5, 14.5], np.float32))
    assert tl.function(lambda x: x > 1.1)(np.float32(1.1)) == (np.float32(1.1) > 1.1)


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_derivatives_stay_f32(method: str) -> None:
    x = np.array([1.25, 2.0], np.float32)
    loss = tl.function(lambda x: np.sum(np.exp(x * 0.5) * 2.0 + x**1.5))
    slope = tl.grad(loss, method=method)(x)
    assert slope.dtype == np.float32
    np.testing.assert_allclose(slope, np.exp(x / 2) + 1.5 * np.sqrt(x), rtol=1e-5)
    value, tangent = tl.jvp(loss, (x,), (x,), method=method)
    assert type(value) is type(tangent) is np.float32
