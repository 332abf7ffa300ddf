"""The first operand wins ties, whichever operand is a constant: all functions with kinks, methods, modes and floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
ZEROS, SCALE = np.zeros(3), np.float64(2.0)


@tl.function
def larger(a, b):
    return tl.maximum(a, b)


@tl.function
def largest(x):
    best = 0.0
    for v in x:
        best = max(best, v)
    return best + 0.0 * x


# Functions of numbers, with their slope where both operands are equal, at 0.
NUMBERS: dict[str, tuple[Callable[..., Any], float]] = {
    "maximum(0, x)": (lambda x: tl.maximum(0, x), 0.0),
    "maximum(0.0, x)": (lambda x: tl.maximum(0.0, x), 0.0),
    "maximum(x, 0)": (lambda x: tl.maximum(x, 0), 1.0),
    "minimum(0, x)": (lambda x: tl.minimum(0, x), 0.0),
    "minimum(x, 0.0)": (lambda x: tl.minimum(x, 0.0), 1.0),
    "max(0, x)": (lambda x: max(0, x), 0.0),
    "max(x, 0, -1)": (lambda x: max(x, 0, -1), 1.0),
    "max(0, x, x)": (lambda x: max(0, x, x), 0.0),
    "min(0, x)": (lambda x: min(0, x), 0.0),
    "np.maximum(0.0, x)": (lambda x: np.maximum(0.0, x), 0.0),
    "fmax(0, x)": (lambda x: np.fmax(0.0, x), 0.0),
    "fmin(x, 0)": (lambda x: np.fmin(x, 0.0), 1.0),
    "relu": (lambda x: tl.relu(x), 0.0),
    "clip below": (lambda x: tl.clip(x, 0, 1), 1.0),
    "clip above": (lambda x: tl.clip(x, -1, 0), 1.0),
    "clamp": (lambda x: tl.clamp(x, 0.0, 1.0), 1.0),
    "abs": (lambda x: tl.abs(x), 0.0),
    "abs of -x": (lambda x: abs(-x) * 2.0, 0.0),
    "negated": (lambda x: -tl.maximum(0.0, -x), 0.0),
    "of a call": (lambda x: larger(0.0, x), 0.0),
    "to a call": (lambda x: larger(x, 0.0), 1.0),
    "folded": (lambda x: tl.maximum(SCALE * 0.0, x), 0.0),
    "both orders": (lambda x: 2.0 * tl.maximum(x, 0.0) + 3.0 * tl.maximum(0.0, x), 2.0),
}
# Functions of arrays.
ARRAYS: dict[str, tuple[Callable[..., Any], float]] = {
    "zeros": (lambda x: tl.maximum(tl.zeros(3), x), 0.0),
    "zeros_like": (lambda x: tl.minimum(tl.zeros_like(x), x), 0.0),
    "captured": (lambda x: tl.maximum(ZEROS, x), 0.0),
    "captured second": (lambda x: tl.maximum(x, ZEROS), 1.0),
    "a loop": (largest, 0.0),
}


def slopes(f: Callable[..., Any], x: Any, method: str) -> list[Any]:
    one = np.ones_like(x) if isinstance(x, np.ndarray) else type(x)(1)
    reverse = tl.vjp(f, x, method=method)[1](one)[0]
    return [np.ravel(each) for each in (reverse, tl.jvp(f, (x,), (one,), method=method)[1])]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_numbers(method, dtype):
    names, functions = list(NUMBERS), [function for function, _ in NUMBERS.values()]
    first, second, third = functions[:8], functions[8:16], functions[16:]
    for chosen in (first, second, third):
        wanted = [NUMBERS[names[functions.index(function)]][1] for function in chosen]
        f0, f1, f2, f3, f4, f5, f6, *rest = (tl.function(function) for function in chosen)
        f7 = rest[0] if rest else f6
        together = tl.function(lambda x: tl.stack((f0(x), f1(x), f2(x), f3(x), f4(x), f5(x), f6(x), f7(x))))
        found = tl.jacrev(together, method=method)(dtype(0.0)), tl.jacfwd(together, method=method)(dtype(0.0))
        for each in found:
            assert list(each[: len(wanted)]) == wanted, names


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
def test_arrays(method):
    for name, (function, slope) in ARRAYS.items():
        for found in slopes(tl.function(function), np.zeros(3), method):
            assert list(found) == [slope] * 3, name


def test_values_stay():
    points = np.array([-1.0, -0.0, 0.0, 2.0, np.inf, np.nan])
    for swapped, expected in ((np.maximum(0.0, points), "maximum"), (np.minimum(0.0, points), "minimum")):
        operator = getattr(tl, expected)
        value = tl.value_and_grad(lambda x: tl.sum(operator(0.0, x)))
        for point, wanted in zip(points, swapped, strict=True):
            np.testing.assert_array_equal(value(np.array([point]))[0], wanted)
        both = tl.jvp(lambda x, y: operator(x, y) - operator(y, x), (np.nan, 1.0), (1.0, 1.0))[0]
        assert np.isnan(both)
