"""Functions with the names of those that LLVM calls itself: remainders, fills and copies still call the library's."""

from __future__ import annotations

import numpy as np

import tapeless as tl


@tl.function
def fmod(x, y):
    return x % y


@tl.function
def memset(n):
    return tl.zeros(n)


@tl.function
def memcpy(x):
    y = tl.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i]
    return y, x


@tl.function
def exp(x):
    return tl.exp(x)


def test_they_compute_what_they_say() -> None:
    x = np.arange(4000.0)
    assert fmod(-7.0, 3.0) == 2.0 and tl.fmod(-7.0, 3.0) == -1.0
    assert np.array_equal(memset(4000), np.zeros(4000))
    assert all(np.array_equal(each, x) for each in memcpy(x))
    assert abs(exp(1.0) - np.e) < 1e-15 * 4
    assert tl.grad(fmod, argnums=1)(-7.0, 3.0) == 3.0
