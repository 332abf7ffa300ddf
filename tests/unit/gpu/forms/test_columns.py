"""Columns that a map reduces, alone and beside rows, on the emulated GPU: eight to a block, or a thread each."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.grid import rows


def normalised(x, gain, y):
    """Statistics of columns, as a map over them takes them, and a sum over all columns."""

    def column(values, g, target):
        normal = (values - tl.mean(values)) / tl.sqrt(tl.mean(values * values) + 0.1)
        return tl.sum((normal * g - target) ** 2)

    return tl.sum(tl.map(column, x.T, gain, y.T))


def both_ways(x, gain, y):
    """A row and a column in the same iteration, by the operator that has a maximum and a sum in it."""
    scores = x * gain
    return tl.sum((tl.logsumexp(scores, axis=0) + tl.logsumexp(scores, axis=1)) * y[0])


def by_columns(x, gain, y):
    """Elements of a column read one by one."""

    def column(j):
        total = tl.sum(tl.map(lambda i: x[i, j] * x[i, j] * y[i, j], tl.iota(x.shape[0])))
        return tl.exp(-total) * gain[j]

    return tl.sum(tl.map(column, tl.iota(x.shape[1])))


def arguments(height: int, width: int, dtype: str) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(height + width)
    shapes = ((height, width), (width,), (height, width))
    return tuple((random.normal(size=shape) / 4).astype(dtype) for shape in shapes)


# Fewer columns than a block takes, a whole number of blocks, and one column more; short columns and long ones.
SIZES = ((64, 3), (70, 16), (300, 9), (63, 9), (65, 0), (0, 5))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("program", [normalised, by_columns], ids=lambda each: each.__name__)
def test_gradients_are_those_of_the_cpu(program, dtype) -> None:
    check(program, SIZES, dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_and_columns_in_one_iteration(dtype) -> None:
    check(both_ways, ((65, 65), (80, 80), (9, 9)), dtype)


def test_many_columns_have_a_thread_each() -> None:
    with mock.patch.object(rows, "ENOUGH_COLUMNS", 10):
        check(normalised, ((70, 9), (70, 10), (70, 33)), "float64")


def check(program, sizes, dtype: str) -> None:
    gradient = tl.value_and_grad(program, argnums=(0, 1, 2))
    wanted = tl.jit(gradient)
    tolerance = 1e-11 if dtype == "float64" else 2e-4
    with emulated_cuda(seed=1, keeps_kernels=True) as gpu, np.errstate(all="ignore"):
        found = tl.jit(gradient, target="cuda")
        for height, width in sizes:
            given = arguments(height, width, dtype)
            for one, other in zip(flat(found(*given)), flat(wanted(*given)), strict=True):
                scale = np.max(np.abs(other), initial=1.0)
                np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * scale)
        gpu.check_guards()


def flat(result) -> list[np.ndarray]:
    value, gradients = result
    return [np.asarray(each) for each in (value, *gradients)]


def test_a_block_takes_eight_columns() -> None:
    kernel = tl.compile(tl.grad(normalised), arguments(300, 100, "float64"), target="cuda:sm_90")
    text = str(kernel.explain(*arguments(300, 100, "float64")))
    assert "13 blocks of 256 threads" in text
