"""Every form of an operator on the emulated GPU, threads in random order, at sizes around those of blocks and tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

Arrays = tuple[np.ndarray, ...]
SIZES = (0, 1, 2, 255, 257, 2048, 2049, 5000)


def sums(x):
    return tl.sum(x), tl.prod(x), tl.min(x), tl.max(x)


def latest(x):
    return tl.reduce(lambda a, b: tl.where(b > 0.95, b, a), 0.0, x)


def prefixes(x):
    return tl.cumsum(x), tl.scan(tl.maximum, -tl.inf, x), tl.scan(lambda a, b: a * b, 1.0, x)


def prefixes_of_a_map(x):
    y = tl.cumsum(tl.exp(-x))
    return y, tl.sum(y * x)


def suffixes(x):
    def weighted(x):
        y = tl.cumsum(x)
        return tl.sum(y * y)

    return tl.grad(weighted)(x)


def table(x):
    return tl.map(lambda a: tl.map(lambda b: a * b, x[:3]), x)


def histograms(x, keys):
    added = tl.hist(lambda a, b: a + b, 0.0, tl.ones(7), keys, x)
    return added, tl.hist(tl.maximum, -tl.inf, tl.zeros(7), keys, x)


def scattered(x, keys):
    return tl.scatter(tl.zeros(7), keys, x)


def gathered_adjoints(x, keys):
    def loss(t):
        return tl.sum(tl.map(lambda k, v: tl.exp(t[k] * v) * t[k], keys, x))

    return tl.grad(loss)(tl.ones(9) * 0.5)


def sorted_places(x, keys):
    return tl.argsort(x), tl.argsort(keys)


def last_of_each(keys: np.ndarray, x: np.ndarray) -> np.ndarray:
    result = np.zeros(7)
    for key, value in zip(keys, x, strict=True):
        if 0 <= key < 7:
            result[key] = value
    return result


def binned(x: np.ndarray, keys: np.ndarray) -> Arrays:
    added, largest = np.ones(7), np.zeros(7)
    inside = (keys >= 0) & (keys < 7)
    np.add.at(added, keys[inside], x[inside])
    np.maximum.at(largest, keys[inside], x[inside])
    return added, largest


def adjoints(x: np.ndarray, keys: np.ndarray) -> np.ndarray:
    result = np.zeros(9)
    np.add.at(result, keys, np.exp(0.5 * x) * (1 + 0.5 * x))
    return result


def last_above(x: np.ndarray) -> float:
    above = x[x > 0.95]
    return above[-1] if len(above) else 0.0


# Function, what numpy makes of the same arguments, whether it takes keys, and the smallest size.
CASES: dict[str, tuple[Callable[..., Any], Callable[..., Any], str, int]] = {
    "reductions": (sums, lambda x: (x.sum(), x.prod(), x.min(), x.max()), "", 1),
    "an operator with an order": (latest, last_above, "", 0),
    "scans": (prefixes, lambda x: (np.cumsum(x), np.maximum.accumulate(x), np.cumprod(x)), "", 0),
    "fused scans": (prefixes_of_a_map, lambda x: (np.cumsum(np.exp(-x)), (np.cumsum(np.exp(-x)) * x).sum()), "", 0),
    "scans from the end": (suffixes, lambda x: 2 * np.cumsum(np.cumsum(x)[::-1])[::-1], "", 1),
    "nests": (table, lambda x: x[:, None] * x[:3], "", 0),
    "histograms": (histograms, binned, "some outside", 0),
    "scatters": (scattered, lambda x, keys: last_of_each(keys, x), "some outside", 0),
    "accumulators": (gathered_adjoints, adjoints, "inside", 0),
    "argsort": (sorted_places, lambda x, k: (np.argsort(x, kind="stable"), np.argsort(k, kind="stable")), "inside", 0),
}


def arguments(size: int, keys: str) -> Arrays:
    random = np.random.default_rng(size)
    x = random.uniform(0.9, 1.1, size=size)
    lowest, highest = (-1, 9) if keys == "some outside" else (0, 9)
    return (x, random.integers(lowest, highest, size=size)) if keys else (x,)


def assert_same(found: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11)


def check(name: str, *, deterministic: bool) -> None:
    function, reference, keys, smallest = CASES[name]
    with emulated_cuda(seed=len(name)) as gpu:
        kernel = tl.jit(function, target="cuda", deterministic=deterministic)
        for size in SIZES:
            if size >= smallest:
                given = arguments(size, keys)
                assert_same(kernel(*given), reference(*given))
        gpu.check_guards()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", CASES)
def test_form(name: str) -> None:
    check(name, deterministic=True)


def test_sums_whose_order_is_free_are_atomic() -> None:
    check("accumulators", deterministic=False)


def test_results_are_the_same_bits_in_every_order_of_threads() -> None:
    given = arguments(5000, "inside")
    found = []
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            found.append(tl.jit(gathered_adjoints, target="cuda")(*given).tobytes())
    assert len(set(found)) == 1


def element_of_a_square(n, i):
    x = tl.zeros((n, n))
    x[i, i] = 1.0
    return tl.sum(x[i])


@pytest.mark.parametrize("size", [1 << 31, 1 << 33, 1 << 40])
def test_arrays_whose_size_wraps_are_refused(size: int) -> None:
    """The bytes of such arrays, counted in 64 bits, may be few."""
    with emulated_cuda(keeps_kernels=True), pytest.raises(MemoryError):
        tl.jit(element_of_a_square, target="cuda")(size, 3)
