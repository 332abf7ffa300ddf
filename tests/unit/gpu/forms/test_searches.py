"""Extreme elements and their first places on the emulated GPU, found in one sweep."""

from __future__ import annotations

import json

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


@tl.function
def smallest(x):
    return tl.min(x)


@tl.function
def several(x):
    return tl.min(x) * 2.0 + tl.max(x) * 3.0


@tl.function
def with_sum(x):
    return tl.min(x) * 2.0 + tl.sum(x * x)


def gradient(x):
    return tl.grad(smallest)(x)


def gradient_of_several(x):
    return tl.grad(several)(x)


def gradient_with_sum(x):
    return tl.grad(with_sum)(x)


def places(x):
    return tl.argmin(x), tl.argmax(x)


def at(place: int, size: int) -> np.ndarray:
    return (np.arange(size) == place).astype(float)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", [1, 2, 255, 1025, 5000, 20003])
def test_first_of_the_smallest(size: int) -> None:
    random = np.random.default_rng(size)
    x = random.uniform(0.5, 1.5, size)
    ties = np.round(4 * x)
    with emulated_cuda(seed=size, keeps_kernels=True) as gpu:
        kernel, other, third = (
            tl.jit(each, target="cuda") for each in (gradient, gradient_of_several, gradient_with_sum)
        )
        for given in (x, ties):
            np.testing.assert_array_equal(third(given), 2 * at(int(np.argmin(given)), size) + 2 * given)
            np.testing.assert_array_equal(kernel(given), at(int(np.argmin(given)), size))
            wanted = 2 * at(int(np.argmin(given)), size) + 3 * at(int(np.argmax(given)), size)
            np.testing.assert_array_equal(other(given), wanted)
        gpu.check_guards()


def test_nan_is_as_on_the_cpu() -> None:
    x = np.ones(3000)
    x[1700] = np.nan
    with emulated_cuda(keeps_kernels=True):
        np.testing.assert_array_equal(tl.jit(gradient, target="cuda")(x), tl.jit(gradient)(x))


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_places_of_extremes(dtype: type) -> None:
    """Threads take every so many elements, in whichever order; the first of equal ones wins, and so does a NaN."""
    with emulated_cuda(seed=7, keeps_kernels=True) as gpu:
        kernel = tl.jit(places, target="cuda")
        for size in (1, 1025, 9001):
            x = np.random.default_rng(size).integers(0, 40, size).astype(dtype)
            assert kernel(x) == (np.argmin(x), np.argmax(x))
        if dtype == np.float32:
            x[[4000, 8000]] = np.nan
            assert kernel(x) == (4000, 4000)
        gpu.check_guards()


def test_extremes_and_places_take_one_sweep() -> None:
    with emulated_cuda():
        kernel = tl.compile(gradient, (tl.f32[:],), target="cuda")
    plan = json.loads(kernel._code.image.plan)
    launches = [step for step in plan["steps"] if step["do"] == "launch"]
    assert len([step for step in launches if "a0" in step["arguments"]]) == 1
