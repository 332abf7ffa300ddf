"""The place of an extreme element on the emulated GPU, which only blocks look for whose extreme it is."""

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


def gradient(x):
    return tl.grad(smallest)(x)


def gradient_of_several(x):
    return tl.grad(several)(x)


def at(place: int, size: int) -> np.ndarray:
    return (np.arange(size) == place).astype(float)


@pytest.mark.parametrize("size", [1, 2, 255, 1025, 5000, 20003])
def test_first_of_the_smallest(size: int) -> None:
    random = np.random.default_rng(size)
    x = random.uniform(0.5, 1.5, size)
    ties = np.round(4 * x)
    with emulated_cuda(seed=size, keeps_kernels=True) as gpu:
        kernel, other = (tl.jit(each, target="cuda") for each in (gradient, gradient_of_several))
        for given in (x, ties):
            np.testing.assert_array_equal(kernel(given), at(int(np.argmin(given)), size))
            wanted = 2 * at(int(np.argmin(given)), size) + 3 * at(int(np.argmax(given)), size)
            np.testing.assert_array_equal(other(given), wanted)
        gpu.check_guards()


def test_nan_is_as_on_the_cpu() -> None:
    x = np.ones(3000)
    x[1700] = np.nan
    with emulated_cuda(keeps_kernels=True):
        np.testing.assert_array_equal(tl.jit(gradient, target="cuda")(x), tl.jit(gradient)(x))


def test_the_search_gets_what_the_blocks_found() -> None:
    with emulated_cuda():
        kernel = tl.compile(gradient, (tl.f32[:],), target="cuda")
    plan = json.loads(kernel._code.image.plan)
    launches = [step for step in plan["steps"] if step["do"] == "launch"]
    assert len(launches) == 5
    # The array, what blocks found, the smallest of all, and where to leave places.
    assert plan["kernels"][launches[2]["kernel"]]["parameters"].count("ptr") >= 4
