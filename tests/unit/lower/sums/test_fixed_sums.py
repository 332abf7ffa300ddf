"""Short sums in the code around parts: the same bits for any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def spread(v: tl.f64[9], x, c: tl.f64[:, :, 9]):
    x[:-1] += tl.mean(tl.zeros((len(c), c.shape[1]))[1:] - tl.reduce(lambda a, b: a + b, 0.0, v), axis=1)
    return x


@tl.function
def scaled(v: tl.f64[9], x, c: tl.f64[:, :, 9]):
    total = tl.sum(v * v) + tl.dot(v, c[0, 0])
    return tl.map(lambda e: tl.sin(e * total) - total, x), total


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("function", [spread, scaled])
def test_bits_do_not_depend_on_threads(function) -> None:
    rng = np.random.default_rng(0)
    kernels = None
    for _ in range(20):
        arguments = rng.normal(size=9), rng.normal(size=5), rng.normal(size=(5, 4, 9))
        kernels = kernels or [tl.compile(function, arguments, threads=count) for count in (1, 2, 3)]
        first, *others = (kernel(*arguments) for kernel in kernels)
        for other in others:
            for found, wanted in zip(as_tuple(other), as_tuple(first), strict=True):
                np.testing.assert_array_equal(found, wanted)
