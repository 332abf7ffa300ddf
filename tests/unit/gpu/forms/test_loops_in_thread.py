"""Loops of the host around little work, on the emulated GPU: one thread does them, or launches, as sizes decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


def oscillator(x, w, n):
    """A state of a few numbers, with a product of a matrix in each step."""
    for _ in range(n):
        x = x + 0.01 * np.tanh(w @ x)
    return np.sum(x * x)


def history(x, w, n):
    """States that are kept, and a number that is carried beside."""
    kept = np.zeros((n, len(x)))
    total = 0.0
    for t in range(n):
        x = 0.9 * x + 0.1 * (w @ x)
        kept[t] = x
        total += x[0] * x[-1]
    return total + np.sum(kept * kept)


def triangle(x, w, n):
    """Loops inside, whose lengths and slices depend on where the outer one is."""
    y = x + 0.0
    for i in range(1, len(x)):
        y[i] = y[i] - np.dot(w[i, :i], y[:i])
    for _ in range(n):
        y = 0.5 * y
    return np.sum(y * y)


def halved(x, w, n):
    """A loop that ends when the numbers say so."""
    steps = 0
    while np.sum(x * x) > 1e-3 and steps < n:
        x = 0.5 * x + 0.01 * (w @ x)
        steps += 1
    return np.sum(x) + 0.0 * steps


def kept_largest(x, w, n):
    """Branches by data with operators in them."""
    for _ in range(n):
        y = w @ x
        if np.max(y) > 0.1:
            x = x - 0.1 * y
            x = x / (1.0 + np.sum(x * x))
        else:
            x = 0.9 * x
    return np.sum(x * x)


def downwards(x, w, n):
    """Loops of known lengths, of which one counts down, and one is cut into strips."""
    for i in range(8, 0, -1):
        for _ in tl.range(2, stripmine=2):
            x[1::2] *= np.tanh(x[1::2] + 0.1 * i)
    return np.sum(x * (w @ x)) + 0.0 * n


CASES = (downwards, oscillator, history, triangle, halved, kept_largest)
TYPES = (tl.f64[:], tl.f64[:, :], tl.i64)


def arguments(size: int, steps: int) -> tuple[Any, ...]:
    random = np.random.default_rng(size)
    return random.normal(size=size), random.normal(size=(size, size)) / (2 + size), steps


@pytest.mark.one_in(6)
@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_both_ways_are_right(function: Any) -> None:
    gradient = tl.value_and_grad(function, argnums=(0, 1))
    with emulated_cuda(keeps_kernels=True):
        kernel, other = tl.compile(gradient, TYPES, target="cuda"), tl.compile(gradient, TYPES)
        for size, steps in ((1, 1), (3, 7), (4, 0), (40, 3)):
            given = arguments(size, steps)
            (value, bars), (wanted, others) = kernel(*given), other(*given)
            assert np.allclose(value, wanted, rtol=1e-12)
            for found, expected in zip(bars, others, strict=True):
                assert np.allclose(found, expected, rtol=1e-11, atol=1e-12), (size, steps)


def launches(kernel: Any, size: int, steps: int) -> int:
    lines = kernel.explain(tl.f64[size], tl.f64[size, size], steps).splitlines()
    return int(next(line for line in lines if line.startswith("  gpu")).split()[1].replace(",", ""))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [oscillator, history], ids=lambda function: function.__name__)
def test_little_work_is_one_launch_and_much_work_is_many(function: Any) -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(tl.value_and_grad(function, argnums=(0, 1)), TYPES, target="cuda")
        assert launches(kernel, 2, 1000) < 20
        assert launches(kernel, 400, 1000) > 1000


def checked(x, n):
    for t in range(n):
        x = x + x[t] * np.sin(x)
    return x


def test_checks_inside_fail_at_their_line() -> None:
    with emulated_cuda(keeps_kernels=True):
        kernel = tl.compile(checked, (tl.f64[:], tl.i64), target="cuda")
        x = np.linspace(0.0, 1.0, 4)
        assert np.allclose(kernel(x, 4), tl.compile(checked, (tl.f64[:], tl.i64))(x, 4), rtol=1e-14)
        with pytest.raises(IndexError, match="index 4 is out of range for axis 0 with size 4"):
            kernel(x, 5)
