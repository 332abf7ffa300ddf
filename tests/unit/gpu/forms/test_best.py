"""Histograms of extremes as words on the emulated GPU: ties, zeros of both signs, NaNs, first places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest import mock

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda
from tapeless.passes.lower.grid.counting import best

# Numbers of values and of bins: blocks have 1024 threads, which take groups of 4 values, two of them
# at a time, and room for 12287 bins.
SIZES = ((0, 5), (3, 0), (1, 1), (4095, 3), (8192, 9), (8195, 7), (26_301, 401), (1500, 13_000))
WORST = {tl.minimum: np.inf, tl.maximum: -np.inf}


def arguments(count: int, bins: int, dtype: Any, worst: float) -> tuple[np.ndarray, ...]:
    """Few different values, so that many are equal; some bins start with one of them."""
    random = np.random.default_rng(count + bins)
    values = np.array([-2, -1, -0.0, 0.0, 1, 2, np.inf, -np.inf, np.nan], dtype)
    share = random.integers(1, 4, bins + 1)
    keys = random.integers(-1, bins + 1, count).astype(np.int32)
    x = values[random.integers(0, np.where(keys % 5 == 0, len(values), 6))] / share[keys % (bins + 1)].astype(dtype)
    dest = np.where(random.random(bins) < 0.6, worst, random.integers(-2, 3, bins)).astype(dtype)
    return dest, keys, x, random.normal(size=bins).astype(dtype)


def expected(combine: Any, given: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """The extremes of bins, the adjoint of the destination, that of the values."""
    dest, keys, x, seed = given
    extreme, is_better = (np.minimum, np.less) if combine is tl.minimum else (np.maximum, np.greater)
    best_, places = dest.copy(), np.full(len(dest), -1)
    for number, (key, value) in enumerate(zip(keys.tolist(), x, strict=True)):
        if 0 <= key < len(dest):
            places[key] = number if is_better(value, best_[key]) else places[key]
            best_[key] = extreme(best_[key], value)
    is_number = ~np.isnan(best_)
    x_bar = np.zeros_like(x)
    x_bar[places[(places >= 0) & is_number]] = seed[(places >= 0) & is_number]
    return best_, np.where((places < 0) & is_number, seed, 0), x_bar


def extremes_and_adjoints(combine: Any) -> Callable[..., Any]:
    worst = WORST[combine]

    def both(dest, keys, x, seed):
        value, back = tl.vjp(lambda d, v: tl.hist(combine, worst, d, keys, v), dest, x)
        dest_bar, x_bar = back(seed)
        return value, dest_bar, x_bar

    return both


def check(kernel: Any, combine: Any, given: tuple[np.ndarray, ...]) -> None:
    for found, wanted in zip(kernel(*given), expected(combine, given), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("combine", [tl.minimum, tl.maximum])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_and_adjoints(combine: Any, dtype: Any) -> None:
    """The first of equal values gets all, unless the destination is as good; nobody where one is not a number."""
    with emulated_cuda(seed=2, keeps_kernels=True) as gpu:
        kernel = tl.jit(extremes_and_adjoints(combine), target="cuda")
        for size in SIZES:
            check(kernel, combine, arguments(*size, dtype, WORST[combine]))
        gpu.check_guards()


def test_places_beyond_those_that_fit_into_a_word() -> None:
    """In parts, each of which has so many."""
    given = arguments(3001, 13_000, np.float32, np.inf)
    with mock.patch.object(best, "PLACES_OF_WORD", 1000), emulated_cuda(seed=3):
        check(tl.jit(extremes_and_adjoints(tl.minimum), target="cuda"), tl.minimum, given)


@pytest.mark.one_in(19)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("combine", [tl.minimum, tl.maximum])
def test_extremes_alone(combine: Any, dtype: Any) -> None:
    """In shared memory and in one array; of zeros, the negative one is the smaller."""
    is_whole = np.issubdtype(dtype, np.integer)
    ends = (np.iinfo(dtype).max, np.iinfo(dtype).min) if is_whole else (np.inf, -np.inf)
    worst = ends[0] if combine is tl.minimum else ends[1]

    def extremes(dest, keys, x):
        return tl.hist(combine, worst, dest, keys, x)

    with emulated_cuda(seed=5, keeps_kernels=True) as gpu:
        kernel = tl.jit(extremes, target="cuda")
        for count, bins in ((0, 3), (1, 1), (8195, 7), (1500, 25_000)):
            dest, keys, x, seed = arguments(count, bins, np.float64 if is_whole else dtype, WORST[combine])
            if is_whole:
                choices = np.array([*ends, -3, -1, 0, 2, 5], dtype)
                dest, x = (choices[np.nan_to_num(np.clip(each, -2, 2)).astype(int)] for each in (dest, x))
            found, wanted = kernel(dest, keys, x), expected(combine, (dest, keys, x, seed))[0]
            np.testing.assert_array_equal(found, wanted)
            if not is_whole and combine is tl.maximum:
                zeros, keys = np.array([-0.0, 0.0, -0.0, 0.0], dtype), np.zeros(4, np.int32)
                assert not np.signbit(kernel(np.full(max(bins, 1), -np.inf, dtype), keys, zeros)[0])
        gpu.check_guards()


def test_bits_do_not_depend_on_the_order_of_threads() -> None:
    given, found = arguments(26_301, 401, np.float32, np.inf), set()
    for seed in range(3):
        with emulated_cuda(seed=seed, keeps_kernels=True):
            results = tl.jit(extremes_and_adjoints(tl.minimum), target="cuda")(*given)
            found.add(b"".join(result.tobytes() for result in results))
    assert len(found) == 1


def test_adjoints_of_a_map() -> None:
    """Values that are computed on the way, at keys that are."""

    def adjoint(dest, keys, x, seed):
        return tl.vjp(lambda v: tl.hist(tl.minimum, tl.inf, dest, keys % 7, v * v), x)[1](seed)[0]

    dest, keys, x, seed = arguments(5000, 7, np.float32, np.inf)
    x = np.nan_to_num(x, posinf=3, neginf=-3)
    with emulated_cuda(seed=6):
        found = tl.jit(adjoint, target="cuda")(dest, keys, x, seed)
    wanted = expected(tl.minimum, (dest, keys % 7, x * x, seed))[2]
    np.testing.assert_array_equal(found, wanted * 2 * x)
