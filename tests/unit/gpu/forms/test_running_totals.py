"""Loops that are parallel but for running totals, which are scans on the emulated GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

pytestmark = pytest.mark.one_in(2)


def sums(x):
    before, total = 0.0, 0.0
    for i in range(len(x)):
        total += before * before * x[i]
        before += np.sin(x[i])
    return total


def product(x):
    """A product that starts from an element and is read after the loop, too."""
    scale, total = x[0], 0.0
    for i in range(1, len(x)):
        scale = scale * (1.0 + 0.1 * x[i])
        total += np.sqrt(scale * scale + 1.0)
    return total + scale


def largest(x):
    most, total = -1.5, 0.0
    for i in range(len(x)):
        total += (most - x[i]) ** 2
        most = max(most, x[i])
    return total * most


def around(x):
    """A phase that starts outside of 0 to 1 and is kept there after each step."""
    phase, total = 2.25, 0.0
    for i in range(len(x)):
        total += np.cos(2.0 * np.pi * phase) * x[i]
        phase += x[i]
        phase -= np.floor(phase)
    return total + phase


def by_another(x):
    """A total whose term is another running total stays with the loop."""
    speed, place, total = 0.0, 0.0, 0.0
    for i in range(len(x)):
        total += place * x[i]
        place += speed
        speed += x[i]
    return total


CASES = (sums, product, largest, around, by_another)


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_values_and_gradients(function: Any) -> None:
    gradient, types = tl.value_and_grad(tl.function(function)), (tl.f64[:],)
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, types, target="cuda"), tl.compile(gradient, types)
        for size in (1, 2, 40, 700):
            x = np.random.default_rng(size).normal(size=size) / 4
            for found, wanted in zip(kernel(x), other(x), strict=True):
                assert np.allclose(found, wanted, rtol=1e-10, atol=1e-10), size
            step = np.zeros_like(x)
            step[size // 2] = 1e-6
            slope = (function(x + step) - function(x - step)) / 2e-6
            assert np.isclose(kernel(x)[1][size // 2], slope, rtol=1e-5, atol=1e-6), size


def test_terms_are_computed_after_the_checks_of_what_they_read():
    def walked(x, k, steps):
        at, out = 0.0, np.zeros_like(x)
        for i in range(x.shape[0]):
            out[i] = at * x[i]
            at += steps[k[i]]
        return out

    x, k, steps = np.linspace(-1.0, 1.0, 12), np.arange(12) % 3, np.array([0.5, -0.25, 1.0])
    with emulated_cuda():
        kernel = tl.compile(walked, (tl.f64[:], tl.i64[:], tl.f64[:]), target="cuda")
        np.testing.assert_allclose(kernel(x, k, steps), walked(x, k, steps), atol=1e-14)
        for place in (3, -4, 10**12):
            k[7] = place
            with pytest.raises(IndexError, match=f"index {place}"):
                kernel(x, k, steps)
