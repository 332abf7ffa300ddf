"""Which kernels are measured on what, which JAX function does the same, and how fast hand-written CUDA is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arguments = tuple[Any, ...]
LENGTH = 100_000_000
BINS = 401


@dataclass(frozen=True)
class Case:
    """A kernel by its name in `programs.py`, arguments for it, and milliseconds of the best CUDA known, if any is."""

    title: str
    kernel: str
    arguments: Callable[[np.random.Generator], Arguments]
    floor: float | None = None


def normal(rng: np.random.Generator) -> Arguments:
    return (rng.standard_normal(LENGTH, np.float32),)


def near_one(rng: np.random.Generator) -> Arguments:
    return (1 + rng.standard_normal(LENGTH, np.float32) * np.float32(1e-5),)


def with_seed(maker: Callable[[np.random.Generator], Arguments]) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (*maker(rng), rng.standard_normal(LENGTH, np.float32))


def keyed(rng: np.random.Generator) -> Arguments:
    keys = rng.integers(0, BINS, LENGTH, np.int32)
    return np.zeros(BINS, np.float32), keys, rng.standard_normal(LENGTH, np.float32)


def keyed_with_seed(rng: np.random.Generator) -> Arguments:
    return (*keyed(rng), rng.standard_normal(BINS, np.float32))


def clusters(n: int, k: int, d: int, dtype: type = np.float32) -> Callable[[np.random.Generator], Arguments]:
    return lambda rng: (rng.standard_normal((n, d), dtype), rng.standard_normal((k, d), dtype))


def mixture(n: int, k: int, d: int) -> Callable[[np.random.Generator], Arguments]:
    def make(rng: np.random.Generator) -> Arguments:
        icf = 0.3 * rng.standard_normal((k, d * (d + 1) // 2))
        return rng.standard_normal(k), rng.standard_normal((k, d)), icf, rng.standard_normal((n, d)), 1.0, 0

    return make


def tables(lookups: int) -> Callable[[np.random.Generator], Arguments]:
    from redundant_data import pointwise_tables

    return lambda rng: pointwise_tables(rng, lookups, 64, 1000)


def box(side: int, steps: int) -> Callable[[np.random.Generator], Arguments]:
    def make(rng: np.random.Generator) -> Arguments:
        u = rng.standard_normal((side,) * 3, np.float32)
        return u, u.copy(), 0.1, steps

    return make


CASES = (
    Case("sum of 1e8", "sum", normal, 0.092),
    Case("its gradient", "sum gradient", normal, 0.089),
    Case("product of 1e8", "product", near_one, 0.093),
    Case("its gradient", "product gradient", near_one, 0.294),
    Case("minimum of 1e8", "minimum", normal, 0.095),
    Case("its gradient", "minimum gradient", normal, 0.197),
    Case("cumsum of 1e8", "cumsum", normal, 0.2195),
    Case("its adjoint", "cumsum gradient", with_seed(normal), 0.227),
    Case("cumprod of 1e8", "cumprod", near_one, 0.226),
    Case("its adjoint", "cumprod gradient", with_seed(near_one), 0.442),
    Case("scan with min of 1e8", "scan min", normal, 0.226),
    Case("its adjoint", "scan min gradient", with_seed(normal), 0.567),
    Case("histogram of 1e8, 401 bins", "histogram", keyed, 0.188),
    Case("its adjoint", "histogram gradient", keyed_with_seed, 0.191),
    Case("k-means 5 x 494019 x 35", "k-means", clusters(494_019, 5, 35)),
    Case("its gradient", "k-means gradient", clusters(494_019, 5, 35)),
    Case("k-means 1024 x 2M x 10", "k-means", clusters(2_000_000, 1024, 10)),
    Case("its gradient", "k-means gradient", clusters(2_000_000, 1024, 10), 0.651),
    Case("GMM 10k x 200, d 32", "gmm", mixture(10_000, 200, 32)),
    Case("its gradient", "gmm gradient", mixture(10_000, 200, 32), 0.192),
    Case("GMM 10k x 200, d 64", "gmm gradient", mixture(10_000, 200, 64), 0.495),
    Case("1M look-ups of 8 nuclides", "look-ups", tables(1_000_000)),
    Case("its gradient", "look-ups gradient", tables(1_000_000)),
    Case("wave in 256^3, 1000 steps", "wave", box(256, 1000)),
    Case("its gradient", "wave gradient", box(256, 1000)),
)
