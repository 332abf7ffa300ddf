"""Decorators with and without parentheses, and annotations of Python and numpy."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import numpy.typing as npt
import pytest

import tapeless as tl


@tl.function()
def doubled(x: np.ndarray, factor: float, times: int = 1) -> np.ndarray:
    for _ in range(times):
        x = x * factor
    return x


@tl.jit(threads=2, checks="off")
def summed(x: npt.NDArray[np.float64]) -> float:
    return tl.sum(x * x)


@tl.jit
def plain(x):
    return x + 1.0


def test_decorators_with_parentheses():
    x = np.array([1.0, 2.0])
    assert np.array_equal(doubled(x, 2), 2.0 * x)
    assert summed(x) == 5.0 and summed.options.threads == 2 and summed.options.checks == "off"
    assert plain(1.0) == 2.0
    assert copy.deepcopy(summed) is summed
    assert pickle.loads(pickle.dumps(doubled)) is doubled
    assert pickle.loads(pickle.dumps(summed))(x) == 5.0


@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_arrays_of_any_dtype_and_rank(method):
    """`np.ndarray` leaves both to the call; `float` takes integers, too."""
    for x in (np.array([1.0, 2.0]), np.ones((2, 3), np.float32), np.array([[1, 2]])):
        assert np.array_equal(doubled(x, 3, 2), 9.0 * x)
    gradient = tl.grad(lambda x: tl.sum(doubled(x, 3.0, 2) ** 2), method=method)
    assert np.allclose(gradient(np.array([1.0, 2.0])), [162.0, 324.0])


def test_options_that_are_none():
    with pytest.raises(tl.ArgumentError, match="unknown option 'thread'"):
        tl.jit(thread=2)
    with pytest.raises(tl.ArgumentError, match="takes a Python function"):
        tl.jit(3)
