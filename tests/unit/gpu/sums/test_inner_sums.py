"""Rows that the threads of a map would sum for themselves, element by element of an array, on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)


def layers(x, w):
    """The adjoint of a product of a row and a matrix adds a row of the matrix for each element."""
    for _ in range(2):
        x = np.tanh(x @ w)
    return np.sum(x * x)


def gathered(x, w):
    return np.sum(np.tanh(x[::2] @ w) ** 2)


def two(x, w):
    """Two sums in one body, one of which reads the other."""

    def row(v):
        first = tl.tanh(v @ w)
        return tl.sum((first @ w) ** 2)

    return tl.sum(tl.map(row, x))


CASES = (layers, gathered, two)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_gradients_are_those_of_the_cpu(function: Any) -> None:
    gradient, types = tl.grad(function, argnums=(0, 1)), (tl.f64[:, :], tl.f64[:, :])
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        for rows, columns in ((0, 2), (1, 1), (5, 3), (40, 17)):
            random = np.random.default_rng(rows)
            given = random.normal(size=(rows, columns)), random.normal(size=(columns, columns)) / 4
            for found, wanted in zip(kernel(*given), other(*given), strict=True):
                assert np.allclose(found, wanted, rtol=1e-12, atol=1e-12), (rows, columns)


def test_elements_of_such_rows_are_threads() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.grad(layers, argnums=(0, 1)), (tl.f64[:, :], tl.f64[:, :]), target="cuda")
        lines = kernel.explain(tl.f64[20_000, 64], tl.f64[64, 64]).splitlines()
    grids = [line for line in lines if line.startswith("  grid")]
    assert grids and max(int(line.split()[-3].replace(",", "")) for line in grids) < 10_000
