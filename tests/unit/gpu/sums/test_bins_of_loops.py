"""Loops that add to arrays at places they compute are histograms on the emulated GPU, others stay loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(3)

METHODS = ("redundant", "reversible", "coarsened")
TYPES = (tl.f64[:], tl.f64[:, :], tl.i64[:])


def elements(x, rows, places):
    sums = np.full(len(rows), 0.5)
    for k in range(len(x)):
        sums[places[k]] += np.sin(x[k])
    return np.sum(sums * sums)


def differences(x, rows, places):
    """What is taken away, from a start that has a derivative itself."""
    sums = rows[:, 0] * 2.0
    for k in range(len(x)):
        sums[places[k]] -= x[k] * x[k]
    return np.sum(np.cos(sums))


def tables(x, rows, places):
    """Two indices, one of them from the end."""
    sums = np.zeros_like(rows)
    for k in range(len(x)):
        sums[places[k], -1 - k % 3] += x[k] * rows[places[k], 0]
    return np.sum(sums**3)


def whole_rows(x, rows, places):
    sums = np.zeros_like(rows)
    for k in range(len(x)):
        sums[places[k]] += np.tanh(x[k] * rows[places[k]])
    return np.sum(sums * rows)


def rows_less(x, rows, places):
    sums = rows * 1.0
    for k in range(len(x)):
        sums[places[k]] -= x[k] * rows[k % len(rows)]
    return np.sum(sums * sums)


def together(x, rows, places):
    """Two sums, a number, and an array with a part for each iteration, in one loop; counts are integers."""
    sums, counts, total = np.zeros(len(rows)), np.zeros(len(rows), dtype=np.int64), 0.0
    squares = np.zeros_like(x)
    for k in range(len(x)):
        sums[places[k]] += x[k]
        counts[places[k]] += 1
        total += x[k] ** 3
        squares[k] = x[k] * x[k]
    return np.sum(sums * sums * counts) + total + np.sum(np.sin(squares))


def repeated(x, rows, places):
    """Sums of sums, in a loop around."""
    rank = np.ones(len(rows))
    for _ in range(4):
        after = np.full(len(rows), 0.1)
        for k in range(len(x)):
            after[places[k]] += 0.5 * x[k] * rank[k % len(rows)]
        rank = after
    return np.sum(rank * rank)


BINS = (elements, differences, tables, whole_rows, rows_less, together, repeated)


def looked_at(x, rows, places):
    """What is added depends on what other iterations added."""
    sums = np.zeros(len(rows))
    for k in range(len(x)):
        sums[places[k]] += x[k] + 0.1 * sums[0]
    return np.sum(sums)


def moved(x, rows, places):
    """What is read and what is written are at different places."""
    sums = np.zeros(len(rows))
    for k in range(len(x)):
        sums[places[k]] = sums[(places[k] + 1) % len(rows)] + x[k]
    return np.sum(sums * sums)


def taken_from(x, rows, places):
    """The sum is what is taken away."""
    sums = np.zeros(len(rows))
    for k in range(len(x)):
        sums[places[k]] = x[k] - sums[places[k]]
    return np.sum(sums * sums)


def partly(x, rows, places):
    """Rows of which a part is added to."""
    sums = np.zeros_like(rows)
    for k in range(len(x)):
        sums[places[k], 1:] += x[k] * rows[0, 1:]
    return np.sum(sums * sums)


LOOPS = (looked_at, moved, taken_from, partly)


def arguments(count: int, bins: int) -> tuple[Any, ...]:
    random = np.random.default_rng(count)
    return random.normal(size=count), random.normal(size=(bins, 3)), random.integers(-bins, bins, count)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("function", [*BINS, *LOOPS], ids=lambda function: function.__name__)
def test_gradients_agree_with_the_cpu(function: Any, method: str) -> None:
    gradient = tl.value_and_grad(function, argnums=(0, 1), method=method)
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, TYPES, target="cuda"), tl.compile(gradient, TYPES)
        for given in (arguments(*sizes) for sizes in ((0, 4), (1, 1), (70, 9))):
            (value, bars), (wanted, others) = kernel(*given), other(*given)
            np.testing.assert_allclose(value, wanted, rtol=1e-12)
            for found, expected in zip(bars, others, strict=True):
                np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("function", [*BINS, *LOOPS], ids=lambda function: function.__name__)
def test_sums_at_places_are_histograms(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        text = tl.compile(function, TYPES, target="cuda").ir("soac-parallelise")
    assert ("soac.hist" in text) == (function in BINS)
    assert text.count("scf.for") == (1 if function is repeated else function in LOOPS)


def test_places_outside_are_refused() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(elements, TYPES, target="cuda")
        x, rows, _ = arguments(5, 4)
        with pytest.raises(IndexError, match="index 4 is out of range for axis 0 with size 4"):
            kernel(x, rows, np.array([0, 1, 4, 2, 3]))
