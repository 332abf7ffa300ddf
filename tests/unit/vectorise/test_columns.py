"""Loops over the columns of matrices, which find elements a stride apart: lanes run columns side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SHAPES = ((0, 3), (1, 1), (5, 9), (16, 33), (40, 16))
METHODS = ("redundant", "reversible", "coarsened")


@tl.function
def standardised(x, gain, y):
    """Errors of columns that are centred and scaled."""
    n, d = x.shape
    loss = 0.0
    for j in range(d):
        mean = 0.0
        for i in range(n):
            mean += x[i, j] / n
        square = 0.0
        for i in range(n):
            square += (x[i, j] - mean) ** 2 / n
        for i in range(n):
            loss += ((x[i, j] - mean) / np.sqrt(square + 0.1) * gain[j] - y[i, j]) ** 2
    return loss


def standardised_by_numpy(x, gain, y):
    if len(x) == 0:
        return 0.0
    centred = x - x.mean(0)
    return ((centred / np.sqrt((centred**2).mean(0) + 0.1) * gain - y) ** 2).sum()


@tl.function
def softened(x, gain, y):
    """Maxima of columns by logarithms of sums of exponentials, with weights."""
    return np.sum(tl.logsumexp(x + y, axis=0) * gain)


def softened_by_numpy(x, gain, y):
    with np.errstate(divide="ignore"):
        return np.log(np.exp(x + y).sum(0)) @ gain


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "standardised": (standardised, standardised_by_numpy),
    "softened": (softened, softened_by_numpy),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("method", METHODS)
def test_values_and_gradients(name: str, method: str) -> None:
    function, by_numpy = PROGRAMS[name]
    with_slopes = tl.value_and_grad(function, argnums=(0, 1, 2), method=method)
    kernel = tl.compile(with_slopes, arguments((5, 9)), checks="off")
    for shape in SHAPES[name == "softened" :]:
        given = arguments(shape)
        value, slopes = kernel(*given)
        np.testing.assert_allclose(value, by_numpy(*given), rtol=1e-11)
        for place, slope in enumerate(slopes):
            direction, step = np.random.default_rng(place).normal(size=given[place].shape), 1e-6
            ends = []
            for sign in (step, -step):
                moved = [each + sign * direction if k == place else each for k, each in enumerate(given)]
                ends.append(by_numpy(*moved))
            expected = (ends[0] - ends[1]) / (2 * step)
            np.testing.assert_allclose(np.sum(slope * direction), expected, rtol=2e-6, atol=1e-6)


def arguments(shape: tuple[int, int]) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(sum(shape))
    return rng.normal(size=shape), rng.normal(size=shape[1]), rng.normal(size=shape)
