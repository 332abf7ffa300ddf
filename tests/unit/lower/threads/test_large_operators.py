"""Operators on arrays above every block threshold: the same bits on any number of threads, value and gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tapeless as tl

SIZE = 70_001


@tl.function
def total(x: tl.f64[:], y: tl.f64[:]):
    return tl.sum(x * y) + tl.max(x) * tl.min(y)


@tl.function
def single(x: tl.f32[:], y: tl.f32[:]):
    return tl.sum(tl.exp(-x * x) * y)


@tl.function
def product_of_pair(x: tl.f64[:], y: tl.f64[:]):
    return tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y)[0]


@tl.function
def affine_of_pair(x: tl.f64[:], y: tl.f64[:]):
    return tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y)[1]


@tl.function
def prefixes_of_pair(x: tl.f64[:], y: tl.f64[:]):
    return tl.sum(tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y)[1] * y)


@tl.function
def prefixes(x: tl.f64[:], y: tl.f64[:]):
    return tl.dot(tl.cumsum(x * y), tl.scan(lambda a, b: a * b, 1.0, x, reverse=True))


@tl.function
def elementwise(x: tl.f64[:], y: tl.f64[:]):
    s = tl.sin(x) * y - tl.cos(y) * x
    return tl.sum(s * s * x - s * y + tl.sqrt(1.0 + s * s) * (x - y * s))


@tl.function
def bins(x: tl.f64[:], y: tl.f64[:]):
    keys = tl.map(lambda v: int(abs(v) * 5.0) % 16, y)
    return tl.sum(tl.hist(lambda a, b: a + b, 0.0, tl.zeros(16), keys, x * y) ** 2)


@tl.function
def rows(x: tl.f64[:], y: tl.f64[:]):
    m = tl.reshape(x[:70_000], (700, 100))
    return tl.sum(tl.tanh(m @ y[:100]) * y[:700])


@tl.function
def neighbours(x: tl.f64[:], y: tl.f64[:]):
    u = x * 1.0
    for _ in range(3):
        u[1:-1] = 0.25 * (u[:-2] + u[2:]) + 0.5 * u[1:-1] * y[1:-1]
    return tl.sum(u * u)


@tl.function
def at_an_argmax(x: tl.f64[:], y: tl.f64[:]):
    v = x * 1.0
    for i in range(3):
        c = tl.cumsum(v * y)
        v[tl.argmax(c)] = tl.sin(c[i]) * v[i] + tl.sum(c) * 0.1
    return tl.sum(v * v)


@tl.function
def scanned_in_a_loop(x: tl.f64[:], y: tl.f64[:]):
    v, w = x * 1.0, y * 1.0
    for _ in range(4):
        v = tl.cumsum(v * w) * 0.3
        k = tl.argmax(tl.abs(v))
        w[k] *= tl.exp(-v[k] * v[k])
        w = w - tl.mean(w) * v
    return tl.sum(v * w) + tl.max(v)


LARGE = (
    total,
    single,
    product_of_pair,
    affine_of_pair,
    prefixes_of_pair,
    prefixes,
    elementwise,
    bins,
    rows,
    neighbours,
)
LOOPS = (at_an_argmax, scanned_in_a_loop)


def bits(program: Callable[..., Any], size: int, threads: int) -> list[bytes]:
    random = np.random.default_rng(size)
    dtype = np.float32 if program is single else np.float64
    given = [array.astype(dtype) for array in (1.0 + 1e-3 * random.normal(size=size), random.normal(size=size))]
    value, gradients = tl.compile(tl.value_and_grad(program, argnums=(0, 1)), given, threads=threads)(*given)
    return [np.asarray(result).tobytes() for result in (value, *gradients)]


@pytest.mark.one_in(30)
@pytest.mark.parametrize("program", LARGE)
def test_above_the_thresholds(program: Callable[..., Any]) -> None:
    one, two, three = (bits(program, SIZE, threads) for threads in (1, 2, 3))
    assert one == two == three


@pytest.mark.one_in(64)
@pytest.mark.parametrize("size", [3, 5, 8, 100])
@pytest.mark.parametrize("program", LOOPS)
def test_in_loops_at_small_sizes(program: Callable[..., Any], size: int) -> None:
    assert bits(program, size, 1) == bits(program, size, 2)
