"""Loops that keep the best number so far by a branch give what Python gives, and the derivative of the first best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def smallest(x):
    best = 1e30
    for i in range(len(x)):
        if x[i] < best:
            best = x[i]
    return best


def largest_turned(x):
    best = -5.0
    for i in range(len(x)):
        square = x[i] * x[i]
        if best < square:
            best = square
    return best


def kept(x):
    best = np.inf
    for i in range(len(x)):
        best = best if not x[i] < best else x[i]
    return best


ROWS = (
    np.array([3.0, 1.0, 2.0, 1.0]),
    np.array([np.nan, 2.0, np.nan, -1.0, np.nan]),
    np.array([np.nan, np.nan]),
    np.array([np.inf, -np.inf]),
    np.zeros(0),
    np.array([2.0, -2.0, 2.0, 1.0] * 100),
)


@pytest.mark.parametrize("function", [smallest, largest_turned, kept])
@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_extremes(function: Callable[..., float], target: str) -> None:
    both = tl.value_and_grad(tl.function(function))
    with emulated_cuda(seed=1):
        compiled = tl.jit(both, target=target)
        for row in ROWS:
            value, gradient = compiled(row)
            wanted = function(row)
            assert value == wanted
            terms = row * row if function is largest_turned else row
            first = np.flatnonzero(terms == wanted)[:1]
            slope = np.zeros_like(row)
            slope[first] = 2.0 * row[first] if function is largest_turned else 1.0
            numbers = ~np.isnan(row)
            np.testing.assert_array_equal(gradient[numbers], slope[numbers])
