"""Sums of two products of matrices on the emulated GPU: one launch, where each by itself would have small tiles."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(3)

# Rows, columns, steps of both products, and how many launches there are.
SIZES = [
    (64, 64, 16, 20, 2),
    (65, 130, 17, 8, 2),
    (20, 34, 50, 9, 2),
    (20, 34, 7, 20, 3),
    (20, 34, 20, 7, 3),
    (20, 34, 512, 20, 4),
    (8, 64, 20, 20, 3),
    (0, 64, 20, 20, 0),
]


@tl.function
def gated(x, v, h, w, b):
    gates = x @ v + tl.sin(h @ w) * b
    half = v.shape[1] // 2
    return tl.tanh(gates[:, :half]) * gates[:, half:]


@tl.function
def read_twice(x, v, h, w, b):
    """Something else wants one of the products."""
    product = h @ w
    gates = x @ v + product * b
    half = v.shape[1] // 2
    return gates[:, :half] * gates[:, half:] + tl.sum(product)


def reference(x, v, h, w, b):
    gates = x @ v + np.sin(h @ w) * b
    half = v.shape[1] // 2
    return np.tanh(gates[:, :half]) * gates[:, half:]


def reference_of_twice(x, v, h, w, b):
    product = h @ w
    gates = x @ v + product * b
    half = v.shape[1] // 2
    return gates[:, :half] * gates[:, half:] + np.sum(product)


def arguments(size: tuple[int, ...], dtype: type) -> list[np.ndarray]:
    rows, columns, one, other = size
    shapes = (rows, one), (one, columns), (rows, other), (other, columns), (columns,)
    rng = np.random.default_rng(rows + columns)
    return [(0.3 * rng.standard_normal(shape)).astype(dtype) for shape in shapes]


@pytest.mark.parametrize(
    ("dtype", "target"),
    [
        (np.float32, "cuda"),
        pytest.param(np.float64, "cuda", marks=pytest.mark.thorough),
        pytest.param(np.float64, "cuda:sm_80", marks=pytest.mark.thorough),
    ],
)
def test_values(dtype: type, target: str) -> None:
    with emulated_cuda(seed=5) as gpu:
        kernel = tl.jit(gated, target=target)
        for *size, launches in SIZES:
            given = arguments(tuple(size), dtype)
            gpu.calls.clear()
            found = kernel(*given)
            np.testing.assert_allclose(found, reference(*given), rtol=0, atol=1e-4 if dtype is np.float32 else 1e-12)
            assert len([call for call in gpu.calls if call[0] == "launch"]) == launches, size
        gpu.check_guards()


def test_a_product_that_something_else_reads() -> None:
    given = arguments((40, 34, 20, 20), np.float64)
    with emulated_cuda(seed=2):
        np.testing.assert_allclose(tl.jit(read_twice, target="cuda")(*given), reference_of_twice(*given), rtol=1e-10)


def test_gradients() -> None:
    """Against those of the CPU."""
    given = arguments((20, 34, 18, 17), np.float64)

    @tl.function
    def total(x, v, h, w, b):
        return tl.sum(gated(x, v, h, w, b))

    expected = tl.jit(tl.grad(total, argnums=(0, 1, 2, 3, 4)))(*given)
    with emulated_cuda(seed=1) as gpu:
        found = tl.jit(tl.grad(total, argnums=(0, 1, 2, 3, 4)), target="cuda")(*given)
        gpu.check_guards()
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-11)
