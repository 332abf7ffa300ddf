"""Teams of threads that reduce rows and columns, and sums in many parts, on the emulated GPU against numpy."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def rows(x):
    """Sums, extremes and their places."""
    return tl.map(lambda row: tl.log(tl.sum(tl.exp(row))), x), tl.map(tl.max, x), tl.map(tl.argmin, x)


def columns(x):
    return tl.map(lambda column: tl.sum(column * column) + tl.max(column), x.T)


def sides(x):
    """Two columns of each of some arrays: parts of rows of rows."""
    return tl.map(lambda each: tl.sum(each[:, 0]) * tl.max(each[:, 1]), x)


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).normal(size=shape)


# Lengths around those at which teams grow: a thread, eight lanes, a warp, a block.
@pytest.mark.parametrize("length", [1, 15, 16, 17, 40, 127, 128, 1023, 1030])
def test_rows(length: int) -> None:
    with emulated_cuda() as gpu:
        kernel = tl.jit(rows, target="cuda")
        for count in (1, 31, 70):
            x = numbers(count, length)
            totals, largest, places = kernel(x)
            np.testing.assert_allclose(totals, np.log(np.sum(np.exp(x), axis=1)), rtol=1e-13)
            np.testing.assert_array_equal(largest, x.max(axis=1))
            np.testing.assert_array_equal(places, x.argmin(axis=1))
        gpu.check_guards()


@pytest.mark.parametrize("length", [64, 511, 512, 700])
def test_few_columns(length: int) -> None:
    """From 512 elements on, four columns have a block of 1024 threads."""
    with emulated_cuda() as gpu:
        kernel = tl.jit(columns, target="cuda")
        for count in (1, 4, 9):
            x = numbers(length, count)
            np.testing.assert_allclose(kernel(x), np.sum(x * x, axis=0) + x.max(axis=0), rtol=1e-13)
            widest = max(call[3][0] for call in gpu.calls if call[0] == "launch")
            assert widest == (1024 if length >= 512 else 256)
        gpu.check_guards()


def test_parts_of_rows() -> None:
    with emulated_cuda() as gpu:
        x = numbers(7, 40, 2)
        found = tl.jit(sides, target="cuda")(x)
        np.testing.assert_allclose(found, np.sum(x[:, :, 0], axis=1) * x[:, :, 1].max(axis=1), rtol=1e-13)
        gpu.check_guards()


@pytest.mark.parametrize("steps", [256, 2112, 4097])
def test_parts_of_a_sum(steps: int) -> None:
    """Few parts are added up at once, many in runs of sixteen."""
    a, b = numbers(steps, 17), numbers(16, steps)
    with emulated_cuda() as gpu:
        found = tl.jit(lambda a, b: b @ a, target="cuda")(a, b)
        gpu.check_guards()
    np.testing.assert_allclose(found, b @ a, rtol=1e-10, atol=1e-12)
