"""Arrays cut in two and joined again, many times over: their size stays that of the first."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl


@tl.function
def joined_again(x):
    s = x
    s = tl.concat((s[:3], s[3:] * x[3:]))
    s = tl.concat((s[:3] * 2.0, s[3:] * x[3:]))
    s = tl.concat((s[:3], s[3:] + x[3:]))
    s = tl.concat((tl.sin(s[:3]), s[3:] * x[3:]))
    s = tl.concat((s[:3], s[3:] * x[3:]))
    s = tl.concat((s[:3] * x[:3], s[3:]))
    return s


def reference(x):
    tail = (x[3:] ** 3 + x[3:]) * x[3:] * x[3:]
    return np.concatenate((np.sin(x[:3] * 2.0) * x[:3], tail))


@pytest.mark.parametrize("size", [0, 2, 3, 7])
def test_parts_joined_again(size: int) -> None:
    x = np.linspace(0.3, 1.9, size)
    np.testing.assert_allclose(joined_again(x), reference(x), rtol=1e-12)


def test_gradient_of_parts_joined_again() -> None:
    x = np.linspace(0.3, 1.9, 7)
    w = np.linspace(-1.0, 1.0, 7)
    bar = tl.grad(lambda x, w: tl.dot(joined_again(x), w))(x, w)
    steps = 1e-100j * np.eye(7)
    np.testing.assert_allclose(bar, [(reference(x + step) @ w).imag / 1e-100 for step in steps], rtol=1e-12)
