"""Histograms on the emulated GPU: few bins in shared memory, many, keys outside, operators and types of all kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)

# Numbers of values and of bins. Blocks have 8 to 32 threads; a round of all of them is 24 values for each.
SIZES = ((0, 5), (1, 1), (31, 3), (767, 9), (768, 9), (769, 9), (8001, 40), (5000, 401), (2000, 1500), (1500, 13_000))


def added(bins, keys, x):
    return tl.hist(lambda a, b: a + b, 0, bins, keys, x)


def multiplied(bins, keys, x):
    return tl.hist(lambda a, b: a * b, 1, bins, keys, x)


def largest(bins, keys, x):
    return tl.hist(tl.maximum, -1000_000, bins, keys, x)


def smallest(bins, keys, x):
    return tl.hist(tl.minimum, 1000_000, bins, keys, x)


def latest(bins, keys, x):
    """Not commutative: the last value that is not zero."""
    return tl.hist(lambda a, b: tl.where(b != 0, b, a), 0, bins, keys, x)


def both(bins, keys, x):
    return tl.hist(lambda a, c, b, d: (a + b, tl.maximum(c, d)), (0, -1000_000), (bins, bins), keys, (x, x))


def of_a_map(bins, keys, x):
    return tl.hist(lambda a, b: a + b, 0, bins, keys % 7, x * x + 1)


def in_numpy(combine: Callable[[Any, Any], Any]) -> Callable[..., np.ndarray]:
    def reference(bins: np.ndarray, keys: np.ndarray, x: np.ndarray) -> np.ndarray:
        result = bins.copy()
        for key, value in zip(keys.tolist(), x, strict=True):
            if 0 <= key < len(bins):
                result[key] = combine(result[key], value)
        return result

    return reference


REFERENCES: dict[Callable[..., Any], Callable[..., Any]] = {
    added: in_numpy(lambda a, b: a + b),
    multiplied: in_numpy(lambda a, b: a * b),
    largest: in_numpy(max),
    smallest: in_numpy(min),
    latest: in_numpy(lambda a, b: b if b != 0 else a),
    both: lambda *given: (in_numpy(lambda a, b: a + b)(*given), in_numpy(max)(*given)),
    of_a_map: lambda bins, keys, x: in_numpy(lambda a, b: a + b)(bins, keys % 7, x * x + 1),
}


def arguments(count: int, bins: int, dtype: Any, key_type: Any = np.int64) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(count + bins)
    keys = random.integers(-2, bins + 2, size=count).astype(key_type)
    if np.issubdtype(dtype, np.integer):
        return np.arange(bins, dtype=dtype), keys, random.integers(-2, 3, size=count).astype(dtype)
    values = random.uniform(0.9, 1.1, size=count) * random.choice([-1, 0, 1, 1, 1], size=count)
    return np.linspace(0.5, 1, bins, dtype=dtype), keys, values.astype(dtype)


def assert_near(found: Any, wanted: Any, dtype: Any) -> None:
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            assert_near(one, other, dtype)
    elif np.issubdtype(dtype, np.integer):
        np.testing.assert_array_equal(found, wanted)
    else:
        close = 1e-5 if dtype == np.float32 else 1e-11
        np.testing.assert_allclose(found, wanted, rtol=close, atol=100 * close)


def check(function: Callable[..., Any], given: tuple[np.ndarray, ...], **options: Any) -> None:
    with emulated_cuda(seed=len(given[1]), keeps_kernels=True) as gpu:
        found = tl.jit(function, target="cuda", **options)(*given)
        gpu.check_guards()
    assert_near(found, REFERENCES[function](*given), given[0].dtype)


@pytest.mark.one_in(24)
@pytest.mark.parametrize("function", REFERENCES)
def test_operators(function: Callable[..., Any]) -> None:
    with emulated_cuda(seed=1) as gpu:
        kernel = tl.jit(function, target="cuda")
        for size in SIZES:
            given = arguments(*size, np.float64)
            assert_near(kernel(*given), REFERENCES[function](*given), np.float64)
        gpu.check_guards()


@pytest.mark.one_in(5)
@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.int64])
@pytest.mark.parametrize("key_type", [np.int32, np.int64])
def test_types(dtype: Any, key_type: Any) -> None:
    for size in SIZES[-3:]:
        check(added, arguments(*size, dtype, key_type))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("bins", [1, 3000, 20_000])
def test_equal_keys(bins: int) -> None:
    keys = np.full(500, bins - 1)
    check(added, (np.ones(bins), keys, np.linspace(0, 1, 500)))


def test_no_bins() -> None:
    check(added, arguments(100, 0, np.float64))


def test_results_are_the_same_bits_in_every_order_of_threads() -> None:
    for size in SIZES[-4:]:
        given, found = arguments(*size, np.float32), set()
        for seed in range(3):
            with emulated_cuda(seed=seed, keeps_kernels=True):
                found.add(tl.jit(added, target="cuda")(*given).tobytes())
        assert len(found) == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [largest, smallest, both])
def test_many_bins_of_integers(function: Callable[..., Any]) -> None:
    check(function, arguments(1500, 13_000, np.int64))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_adjoints_of_sums(dtype: Any) -> None:
    """Values get what their bin gets, and those whose keys are outside nothing, also where there are no bins."""

    histogram = tl.function(added)

    def adjoint(bins, keys, x, seed):
        return tl.vjp(histogram, bins, keys, x)[1](seed)[2]

    with emulated_cuda(seed=4) as gpu:
        kernel = tl.jit(adjoint, target="cuda")
        for count, bins in ((0, 3), (1, 1), (3, 0), (5, 2), (1023, 9), (1025, 401), (4100, 0)):
            dest, keys, x = arguments(count, bins, dtype, np.int32)
            seed = np.linspace(1, 2, bins, dtype=dtype)
            is_inside = (keys >= 0) & (keys < bins)
            wanted = np.where(is_inside, np.append(seed, dtype(0))[np.where(is_inside, keys, 0)], 0)
            np.testing.assert_array_equal(kernel(dest, keys, x, seed), wanted)
        gpu.check_guards()


@pytest.mark.parametrize("bins", [2000])
@pytest.mark.parametrize("combine", [tl.minimum, tl.maximum])
def test_gradients_of_extrema(combine: Any, bins: int) -> None:
    """The first of equal values gets all, unless the destination is as good; keys outside get nothing."""

    def loss(dest, x, keys, weights):
        return tl.sum(tl.hist(combine, worst, dest, keys, x) * weights)

    worst, random = np.inf if combine is tl.minimum else -np.inf, np.random.default_rng(bins)
    dest, x = random.integers(-1, 2, size=bins).astype(float), random.integers(-4, 5, size=700).astype(float)
    keys, weights = random.integers(-1, bins + 1, size=700), random.normal(size=bins)
    better = np.less if combine is tl.minimum else np.greater
    best, claims = dest.copy(), np.full(bins, -1)
    for i, key in enumerate(keys):
        if 0 <= key < bins and better(x[i], best[key]):
            best[key], claims[key] = x[i], i
    dest_bar, x_bar = np.where(claims < 0, weights, 0.0), np.zeros(700)
    x_bar[claims[claims >= 0]] = weights[claims >= 0]
    with emulated_cuda(seed=bins, keeps_kernels=True) as gpu:
        found = tl.jit(tl.grad(loss, argnums=(0, 1)), target="cuda")(dest, x, keys, weights)
        assert not [call for call in gpu.calls if call[0] == "launch" and call[2:] == ((1, 1, 1), (1, 1, 1))]
    for one, other in zip(found, (dest_bar, x_bar), strict=True):
        np.testing.assert_array_equal(one, other)


def claimed_bar(bins: np.ndarray, keys: np.ndarray, x: np.ndarray, seed: np.ndarray) -> np.ndarray:
    """The adjoint of the values of a histogram of minima: that of a bin goes to the first of its smallest values."""
    bar = np.zeros(len(x))
    for number in range(len(bins)):
        places = np.flatnonzero(keys == number)
        if len(places) and x[places].min() < bins[number]:
            bar[places[np.argmin(x[places])]] = seed[number]
    return bar


@pytest.mark.parametrize("bins", [1, 70])
def test_adjoints_of_minima_are_written_where_they_belong(bins: int) -> None:
    """Alone at these places if there are four values or more for each bin; keys may lie outside."""

    def adjoint(start, keys, x, seed):
        return tl.vjp(lambda v: tl.hist(lambda a, b: tl.minimum(a, b), tl.inf, start, keys, v), x)[1](seed)[0]

    random = np.random.default_rng(bins)
    with emulated_cuda(seed=bins, keeps_kernels=True) as gpu:
        kernel = tl.jit(adjoint, target="cuda")
        for count in (0, 1, 4 * bins - 1, 4 * bins, 4 * bins + 1, 1500):
            start = np.where(random.random(bins) < 0.2, -2.0, np.inf)
            keys, x = random.integers(-1, bins + 1, count), np.round(random.normal(size=count), 1)
            seed = random.normal(size=bins)
            np.testing.assert_array_equal(kernel(start, keys, x, seed), claimed_bar(start, keys, x, seed))
        gpu.check_guards()
