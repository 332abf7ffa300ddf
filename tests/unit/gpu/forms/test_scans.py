"""Scans by tiles on the emulated GPU: at sizes around tiles, in both directions, with what is computed beside them."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.grid.tiles import shape

pytestmark = pytest.mark.one_in(2)

# Tiles of f32 have 4096 elements, of f64 2048, and half of that where more is kept for each.
SIZES = (1, 33, 1023, 1024, 2049, 4096, 4097, 6001)


@tl.function
def products(x):
    return tl.cumprod(x)


@tl.function
def minima(x):
    return tl.scan(lambda a, b: tl.minimum(a, b), tl.inf, x)


@tl.function
def product(x):
    return tl.prod(x)


def products_adjoint(x, seed):
    return tl.vjp(products, x)[1](seed)[0]


def minima_adjoint(x, seed):
    return tl.vjp(minima, x)[1](seed)[0]


def product_gradient(x, seed):
    return tl.grad(product)(x)


def in_both_directions(x, seed):
    """Sums of later elements of what is summed of earlier ones."""
    y = tl.cumsum(x)
    return tl.cumsum((y * seed)[::-1])[::-1] * x


def others(x: np.ndarray) -> np.ndarray:
    before = np.concatenate([[1.0], np.cumprod(x)[:-1]])
    behind = np.concatenate([np.cumprod(x[::-1])[:-1][::-1], [1.0]])
    return before * behind


def adjoint_of_products(x: np.ndarray, seed: np.ndarray) -> np.ndarray:
    """The adjoint of x[i] sums, over all j from i on, seed[j] and the product of x[:j + 1] without x[i]."""
    behind = np.zeros_like(x)
    for i in range(len(x) - 2, -1, -1):
        behind[i] = x[i + 1] * (seed[i + 1] + behind[i + 1])
    return np.concatenate([[1.0], np.cumprod(x)[:-1]]) * (seed + behind)


def adjoint_of_minima(x: np.ndarray, seed: np.ndarray) -> np.ndarray:
    """The first of the smallest elements so far gets what belongs to each place."""
    found, best = np.zeros_like(x), 0
    for i, value in enumerate(x):
        best = i if value < x[best] else best
        found[best] += seed[i]
    return found


CASES: dict[str, tuple[Any, Any]] = {
    "adjoint of products": (products_adjoint, adjoint_of_products),
    "adjoint of minima": (minima_adjoint, adjoint_of_minima),
    "gradient of a product": (product_gradient, lambda x, seed: others(x)),
    "both directions": (in_both_directions, lambda x, seed: np.cumsum((np.cumsum(x) * seed)[::-1])[::-1] * x),
}


def arguments(size: int, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(size)
    return random.uniform(0.99, 1.01, size).astype(dtype), random.uniform(0.5, 1.5, size).astype(dtype)


def assert_near(found: np.ndarray, wanted: np.ndarray, dtype: type) -> None:
    largest = max(np.max(np.abs(wanted)), 1e-300)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=largest * (1e-5 if dtype is np.float32 else 1e-12))


WITH_DTYPES = [*((name, np.float32) for name in CASES), ("adjoint of products", np.float64)]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("name", "dtype"), WITH_DTYPES)
def test_sizes_around_tiles(name: str, dtype: type) -> None:
    function, reference = CASES[name]
    with emulated_cuda(seed=len(name)) as gpu:
        kernel = tl.jit(function, target="cuda")
        for size in SIZES:
            given = arguments(size, dtype)
            wanted = reference(*(each.astype(np.float64) for each in given))
            assert_near(kernel(*given), wanted, dtype)
        gpu.check_guards()


@pytest.mark.one_in(17)
@pytest.mark.parametrize("name", ["adjoint of products", "gradient of a product"])
@pytest.mark.parametrize("zeros", [(0,), (3000,), (4999,), (17, 2500)])
def test_zeros(name: str, zeros: tuple[int, ...]) -> None:
    function, reference = CASES[name]
    x, seed = arguments(5000, np.float64)
    x[list(zeros)] = 0.0
    with emulated_cuda(keeps_kernels=True):
        assert_near(tl.jit(function, target="cuda")(x, seed), reference(x, seed), np.float64)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("values", [3, 4000])
def test_ties_and_records(values: int) -> None:
    """Few records of many equal values, and many records."""
    random = np.random.default_rng(values)
    x = np.sort(random.integers(0, values, 5000))[::-1].astype(np.float64)
    seed = random.uniform(0.5, 1.5, 5000)
    with emulated_cuda(keeps_kernels=True):
        found = tl.jit(minima_adjoint, target="cuda")(x, seed)
    assert_near(found, adjoint_of_minima(x, seed), np.float64)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["adjoint of products", "adjoint of minima", "gradient of a product"])
def test_the_host_reads_nothing_and_nothing_is_stored_between(name: str) -> None:
    x = tl.f32[:]
    with emulated_cuda():
        kernel = tl.compile(CASES[name][0], (x, x), target="cuda")
    steps = json.loads(kernel._code.image.plan)["steps"]
    assert not any(step["do"] == "read" for step in steps)
    # Only tables of tiles are allocated: their sizes are quotients.
    sizes = [json.dumps(step["bytes"]) for step in steps if step["do"] == "allocate"]
    lets = {step["name"]: json.dumps(step["value"]) for step in steps if step["do"] == "let"}
    for size in sizes:
        named = [text for key, text in lets.items() if f'"{key}"' in size]
        assert any("div" in text for text in [size, *named]), size


def test_same_bits_in_every_order_of_threads() -> None:
    given = arguments(9000, np.float32)
    found = set()
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            found.add(tl.jit(products_adjoint, target="cuda")(*given).tobytes())
    assert len(found) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["both directions", "adjoint of minima"])
def test_tables_of_several_tiles(name: str) -> None:
    """Small tiles, of which there are more than one block takes at once."""
    function, reference = CASES[name]
    given = arguments(300_000, np.float64)
    with mock.patch.object(shape, "MOST_WORDS", 1), emulated_cuda():
        found = tl.jit(function, target="cuda")(*given)
    assert_near(found, reference(*given), np.float64)
