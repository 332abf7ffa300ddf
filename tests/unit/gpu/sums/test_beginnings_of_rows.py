"""Maps whose iterations add to the beginning of rows alone: the elements behind it get nothing, and are written."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda

W = np.linspace(-1.0, 2.0, 40)
X = np.linspace(0.5, 1.5, 40)
U = np.linspace(1.0, 2.0, 6)
T = np.linspace(1.0, 3.0, 24).reshape(4, 6)
KEYS = np.arange(40) * 7 % 4


@tl.function
def beginning(u, t, x, keys, k):
    return tl.map(lambda e: tl.sum(u[:k] * e), x)


@tl.function
def end(u, t, x, keys, k):
    return tl.map(lambda e: tl.sum(u[k:] * e), x)


@tl.function
def beginning_of_rows(u, t, x, keys, k):
    return tl.map(lambda e, j: tl.sum(t[j, :k] * e), x, keys)


@tl.function
def rows_of_two_lengths(u, t, x, keys, k):
    return tl.map(lambda e, j: tl.sum(t[j, :k] * u[:k] * e), x, keys)


@tl.function
def beginning_of_the_nearest(u, t, x, keys, k):
    def one(e):
        j = tl.argmin(tl.map(lambda row: (row[0] - e) ** 2, t))
        return tl.sum(t[j, :k] * e)

    return tl.map(one, x)


@tl.function
def nothing(u, t, x, keys, k):
    return tl.map(lambda e: tl.sum(u[3:3]) + tl.sum(t[0, :0]) * e, x)


@pytest.mark.one_in(11)
@pytest.mark.parametrize(
    "function",
    [beginning, end, beginning_of_rows, rows_of_two_lengths, beginning_of_the_nearest, nothing],
    ids=lambda each: each.source.name,
)
@pytest.mark.parametrize("deterministic", [True, False])
def test_gradients(function, deterministic):
    @tl.function
    def pulled(u, t, x, keys, k, w):
        return tl.vjp(lambda a, b: function(a, b, x, keys, k), u, t)[1](w)

    given = (U, T, X, KEYS, 0, W)
    with emulated_cuda():
        kernel = tl.compile(pulled, given, target="cuda", deterministic=deterministic)
        for k in (0, 1, 4, 6):
            expected = pulled(U, T, X, KEYS, k, W)
            for found, wanted in zip(kernel(U, T, X, KEYS, k, W), expected, strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=f"k = {k}")
