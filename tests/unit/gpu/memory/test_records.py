"""Records that threads write: they leave through shared memory, whatever the number of iterations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)


@tl.function
def powers_f64(x: tl.f64[:]):
    """Records of thirty numbers."""

    def record(v):
        rows = tl.zeros((2, 15))
        for k in range(15):
            rows[0, k] = v + k
            rows[1, k] = rows[0, k] * v
        return rows

    return tl.map(record, x)


@tl.function
def powers_f32(x: tl.f32[:]):
    """Records of sixteen numbers, which are padded in shared memory, and of three."""

    def record(v):
        row = tl.zeros(16, tl.f32)
        for k in range(16):
            row[k] = v * k
        return row, tl.stack((v, v + 1.0, v * v))

    return tl.map(record, x)


@tl.function
def branches(x: tl.f64[:]):
    """Records that either arm of a branch writes."""

    def record(v):
        return tl.stack((v, 2.0 * v, 3.0 * v, 4.0)) if v > 0.0 else tl.stack((4.0, v, -v, v * v))

    return tl.map(record, x)


@tl.function
def two_places(p: tl.f64[3], shift: tl.f64) -> tl.f64[2]:
    return tl.stack((p[0] * p[1] + shift, tl.sin(p[2]) * p[0]))


@tl.function
def jacobians(points: tl.f64[:, 3], shifts: tl.f64[:]):
    return tl.map(lambda p, shift: tl.jacrev(lambda q: two_places(q, shift))(p), points, shifts)


@tl.function
def checked(x: tl.f64[:], table: tl.f64[:], places: tl.i64[:]):
    return tl.map(lambda v, place: tl.stack((v, table[place], v * table[place])), x, places)


def expected_jacobians(points: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    x, y, z = points.T
    zero = np.zeros_like(x)
    return np.stack([np.stack([y, x, zero], 1), np.stack([np.sin(z), zero, x * np.cos(z)], 1)], 1)


SIZES = (0, 1, 31, 127, 128, 129, 255, 256, 257, 700)


def on_gpu(function: Any, *arguments: Any) -> Any:
    """What a function gives on the emulated GPU."""
    with emulated_cuda(seed=len(arguments[0]), keeps_kernels=True):
        return tl.compile(function, arguments, target="cuda")(*arguments)


@pytest.mark.parametrize("function", (powers_f64, powers_f32, jacobians), ids=lambda function: function.__name__)
def test_records_leave_through_shared_memory(function: Any) -> None:
    with emulated_cuda():
        assert "workgroup" in tl.compile(function, target="cuda").ir("lower-stage-in-shared-memory")


@pytest.mark.parametrize("n", SIZES)
def test_records_of_double_precision(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    found = on_gpu(powers_f64, x)
    first = x[:, None] + np.arange(15)
    assert np.allclose(found, np.stack([first, first * x[:, None]], axis=1), rtol=1e-15, atol=0)


@pytest.mark.parametrize("n", SIZES)
def test_several_records_of_single_precision(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n).astype(np.float32)
    long, short = on_gpu(powers_f32, x)
    assert np.array_equal(long, x[:, None] * np.arange(16, dtype=np.float32))
    assert np.allclose(short, np.stack([x, x + 1, x * x], axis=1), rtol=1e-6)


@pytest.mark.parametrize("n", (1, 200, 513))
def test_branches(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    rows = np.where((x > 0)[:, None], np.stack([x, 2 * x, 3 * x, 4 + 0 * x], 1), np.stack([4 + 0 * x, x, -x, x * x], 1))
    assert np.allclose(on_gpu(branches, x), rows, rtol=1e-15)


@pytest.mark.parametrize("n", (0, 1, 128, 300))
def test_jacobians(n: int) -> None:
    rng = np.random.default_rng(n)
    points, shifts = rng.normal(size=(n, 3)), rng.normal(size=n)
    found = on_gpu(jacobians, points, shifts)
    assert np.allclose(found, expected_jacobians(points, shifts), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("deterministic", (True, False))
def test_gradients_of_records(deterministic: bool) -> None:
    """Rows of arguments are records of their gradients."""

    @tl.function
    def loss(points: tl.f64[:, 3], shifts: tl.f64[:]) -> tl.f64:
        return tl.sum(tl.map(lambda p, shift: tl.sum(two_places(p, shift) ** 2), points, shifts))

    rng = np.random.default_rng(0)
    points, shifts = rng.normal(size=(300, 3)), rng.normal(size=300)
    with emulated_cuda(seed=3):
        kernel = tl.compile(tl.grad(loss), (points, shifts), target="cuda", deterministic=deterministic)
        found = kernel(points, shifts)
    x, y, z = points.T
    values = np.stack([x * y + shifts, np.sin(z) * x], 1)
    expected = np.einsum("ni,nij->nj", 2 * values, expected_jacobians(points, shifts))
    assert np.allclose(found, expected, rtol=1e-13, atol=1e-14)


def test_a_check_that_fails_in_a_thread_ends_the_call() -> None:
    x, table = np.ones(300), np.arange(5.0)
    places = np.arange(300) % 5
    found = on_gpu(checked, x, table, places)
    assert np.array_equal(found[:, 1], places)
    places[200] = 9
    with pytest.raises(tl.IndexOutOfRange):
        on_gpu(checked, x, table, places)
