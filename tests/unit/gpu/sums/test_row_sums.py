"""Sums over some or all axes on the emulated GPU: rows by threads, warps and blocks, columns by runs of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

# Rows of 16 elements have a warp, of 1024 a block; runs have 64 rows.
SHAPES = ((1, 1), (7, 3), (9, 16), (5, 33), (130, 5), (3, 1023), (2, 1025), (1, 3000))


@tl.function
def totals(m):
    return tl.sum(m), tl.sum(m * m), tl.max(m)


@tl.function
def of_rows(m):
    return tl.sum(m, axis=1), tl.max(m, axis=1)


@tl.function
def of_columns(m):
    return tl.sum(m, axis=0), tl.max(m, axis=0), tl.sum(tl.exp(m), axis=0)


@tl.function
def log_sums(m):
    def one(row):
        top = tl.max(row)
        return top + tl.log(tl.sum(tl.exp(row - top)))

    return tl.map(one, m)


def weights(m):
    return tl.grad(lambda m: tl.sum(log_sums(m)))(m)


def squares_gradient(m):
    return tl.grad(lambda m: tl.sum(tl.sum(m, axis=1) ** 2) + tl.sum(tl.sum(m, axis=0) ** 2))(m)


def turned(m):
    """Rows of the transposed array, which do not lie side by side."""
    return tl.sum(m.T, axis=1), tl.sum(m.T), tl.sum(m[:, 1:], axis=1), tl.sum(m[1:, :] * 2.0)


def weighted(m):
    """A product with a vector from either side."""
    return m @ m[0], m[:, 0] @ m


def softmax(m: np.ndarray) -> np.ndarray:
    e = np.exp(m - m.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


CASES: dict[str, tuple[Any, Any]] = {
    "totals": (totals, lambda m: (m.sum(), (m * m).sum(), m.max())),
    "rows": (of_rows, lambda m: (m.sum(axis=1), m.max(axis=1))),
    "columns": (of_columns, lambda m: (m.sum(axis=0), m.max(axis=0), np.exp(m).sum(axis=0))),
    "two reductions of a row": (log_sums, lambda m: np.log(np.exp(m).sum(axis=1))),
    "their gradient": (weights, softmax),
    "gradients": (squares_gradient, lambda m: 2 * (m.sum(axis=1, keepdims=True) + m.sum(axis=0, keepdims=True))),
    "turned and cut": (
        turned,
        lambda m: (m.sum(axis=0), m.sum(), m[:, 1:].sum(axis=1), 2 * m[1:].sum()),
    ),
    "matrix and vector": (weighted, lambda m: (m @ m[0], m[:, 0] @ m)),
}


def array(shape: tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(shape[0]).uniform(0.5, 1.5, shape).astype(dtype)


def assert_near(found: Any, wanted: Any, tolerance: float) -> None:
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_near(one, other, tolerance)
    else:
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_shapes(name: str) -> None:
    function, reference = CASES[name]
    with emulated_cuda(seed=len(name)) as gpu:
        kernel = tl.jit(function, target="cuda")
        for shape in SHAPES:
            assert_near(kernel(array(shape)), reference(array(shape)), 1e-11)
        gpu.check_guards()


def test_single_precision() -> None:
    with emulated_cuda():
        kernel = tl.jit(of_rows, target="cuda")
        for shape in ((5, 200), (2, 2000)):
            assert_near(kernel(array(shape, np.float32)), of_rows(array(shape)), 1e-5)


def launches(function: Any, *given: np.ndarray) -> list[tuple[int, int]]:
    with emulated_cuda(keeps_kernels=True) as gpu:
        tl.jit(function, target="cuda")(*given)
        return [(grid[0], block[0]) for what, *rest in gpu.calls if what == "launch" for _, grid, block in [rest]]


def test_all_axes_are_one_sum() -> None:
    def total(m):
        return tl.sum(m * m)

    assert launches(total, array((20, 30, 40))) == [(24, 256), (1, 256)]
    assert launches(total, array((300, 1))) == [(1, 256)]


@pytest.mark.parametrize(
    ("length", "blocks", "threads"), [(15, 1, 128), (16, 1, 256), (128, 3, 256), (1023, 3, 256), (1024, 20, 256)]
)
def test_rows_get_threads_by_their_length(length: int, blocks: int, threads: int) -> None:
    def rows(m):
        return tl.sum(m, axis=1)

    assert launches(rows, array((20, length))) == [(blocks, threads)]


def test_columns_are_summed_in_runs_of_rows() -> None:
    def columns(m):
        return tl.sum(m, axis=0)

    assert launches(columns, array((1000, 50))) == [(50, 64), (4, 64), (1, 64)]


def test_no_rows_and_no_columns() -> None:
    def sums(m):
        return tl.sum(m, axis=0), tl.sum(m, axis=1), tl.sum(m)

    with emulated_cuda():
        kernel = tl.jit(sums, target="cuda")
        for shape in ((0, 3), (3, 0), (0, 0)):
            assert_near(kernel(np.zeros(shape)), (np.zeros(shape[1]), np.zeros(shape[0]), 0.0), 0.0)


def test_same_bits_in_every_order_of_threads() -> None:
    given = array((3, 1500), np.float32)
    found = set()
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            found.add(b"".join(part.tobytes() for part in tl.jit(of_rows, target="cuda")(given)))
    assert len(found) == 1
