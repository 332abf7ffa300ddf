"""Products of transposed matrices with vectors, small and large: values, threads, gradients, and which way they go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

# Below and above the size from which rows are summed up, and at it.
SHAPES = [(0, 5), (5, 0), (1, 1), (7, 3), (255, 256), (256, 256), (257, 256), (1, 70_000), (70_000, 1), (9000, 11)]


@tl.function
def turned(a, v):
    return a.T @ v


@tl.function
def from_left(a, v):
    return v @ a


@tl.function
def weighted(a: tl.f64[:, :], v: tl.f64[:], w: tl.f64[:], s: tl.f64):
    return tl.map(lambda column: tl.sum(column * v - s * w), a.T)


@tl.function
def with_more(a: tl.f64[:, :], v: tl.f64[:], b: tl.f64[:]):
    return 2.0 * (a.T @ v) + b


@tl.function
def power(a: tl.f64[:, :], v: tl.f64[:], steps: tl.i64):
    for _ in range(steps):
        v = a.T @ (a @ v)
        v = v / tl.sqrt(tl.sum(v * v))
    return v


def made(shape: tuple[int, int], dtype: type = np.float64) -> tuple[Any, Any]:
    random = np.random.default_rng(shape)
    return random.standard_normal(shape).astype(dtype), random.standard_normal(shape[0]).astype(dtype)


def sums_rows(f: tl.TapelessFunction, *types: Any) -> bool:
    return "soac.with_acc" in tl.compile(f, types).ir("soac-sum-by-rows")


@pytest.mark.one_in(10)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_values(shape: tuple[int, int], dtype: type) -> None:
    a, v = made(shape, dtype)
    exact = a.astype(np.float64).T @ v.astype(np.float64)
    tolerance = (1e-12 if dtype is np.float64 else 1e-4) * max(shape[0], 1) ** 0.5
    for f in (turned, from_left):
        found = f(a, v)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, exact, rtol=tolerance, atol=tolerance)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(300, 40), (300, 400), (5000, 90)])
def test_the_same_bits_on_threads(shape: tuple[int, int]) -> None:
    a, v = made(shape)
    one, four = (tl.jit(turned, threads=threads)(a, v) for threads in (1, 4))
    assert np.array_equal(one, four)


@pytest.mark.parametrize("shape", [(20, 30), (300, 400)])
def test_more_than_products(shape: tuple[int, int]) -> None:
    a, v = made(shape)
    w, b = np.random.default_rng(1).standard_normal(shape[0]), np.random.default_rng(2).standard_normal(shape[1])
    np.testing.assert_allclose(weighted(a, v, w, 0.3), (a * v[:, None] - 0.3 * w[:, None]).sum(axis=0), rtol=1e-9)
    np.testing.assert_allclose(with_more(a, v, b), 2.0 * (a.T @ v) + b, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("shape", [(20, 30), (300, 400)])
def test_in_loops(shape: tuple[int, int]) -> None:
    a, _ = made(shape)
    v = start = np.random.default_rng(3).standard_normal(shape[1])
    for _ in range(4):
        v = a.T @ (a @ v)
        v /= np.sqrt(np.sum(v * v))
    np.testing.assert_allclose(power(a, start, 4), v, rtol=1e-9, atol=1e-11)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", [(20, 30), (300, 400)])
@pytest.mark.parametrize("method", ["redundant", "reversible", "coarsened"])
def test_gradients(shape: tuple[int, int], method: str) -> None:
    a, v = made(shape)
    c = np.random.default_rng(4).standard_normal(shape[1])
    loss = tl.function(lambda a, v, c: tl.sum(c * (a.T @ v)))
    by_a, by_v = tl.grad(loss, argnums=(0, 1), method=method)(a, v, c)
    np.testing.assert_allclose(by_a, np.outer(v, c), rtol=1e-12)
    np.testing.assert_allclose(by_v, a @ c, rtol=1e-9, atol=1e-10)


def test_known_sizes_decide_when_compiling() -> None:
    assert sums_rows(turned, tl.f64[:, :], tl.f64[:])
    assert sums_rows(turned, tl.f64[300, 300], tl.f64[300]) and not sums_rows(turned, tl.f64[30, 40], tl.f64[30])
    for shape in ((300, 300), (30, 40)):
        a, v = made(shape)
        found = tl.compile(turned, (tl.f64[shape], tl.f64[shape[0]]))(a, v)
        np.testing.assert_allclose(found, a.T @ v, rtol=1e-10, atol=1e-10)


def test_rows_that_are_rows_stay_as_they_are() -> None:
    assert not sums_rows(tl.function(lambda a, v: a @ v), tl.f64[:, :], tl.f64[:])
    assert not sums_rows(tl.function(lambda a, v: tl.map(lambda c: tl.max(c * v), a.T)), tl.f64[:, :], tl.f64[:])
