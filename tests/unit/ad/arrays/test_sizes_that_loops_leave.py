"""Loops after loops that leave arrays of another size: the size is known although the first loop runs in strips."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

METHODS = ("redundant", "reversible", "coarsened")
LEVELS = (1, 2, 3)  # of strips in strips


def resizing(first: int, second: int, size: int) -> Any:
    """A loop that leaves `size` elements, then one that goes on with them."""

    @tl.function
    def resized(s: tl.f64, x: tl.f64[:], n: tl.i64) -> tl.f64[:]:
        for i in tl.range(5, stripmine=first):
            x = tl.full(size, s + i)
        for _ in tl.range(n, stripmine=second):
            x = x * s - 0.5
        return x

    return resized


@pytest.mark.one_in(10)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("second", LEVELS)
@pytest.mark.parametrize("first", LEVELS)
def test_gradients(first: int, second: int, method: str) -> None:
    s, n, h, size = 0.75, 4, 1e-6, 3 * (second % 2)

    def by_hand(s: float) -> np.ndarray:
        y = np.full(size, s + 4)
        for _ in range(n):
            y = y * s - 0.5
        return y

    value, pullback = tl.vjp(resizing(first, second, size), s, np.ones(6), n, method=method)
    seed = np.arange(1.0, 1 + size)
    slope = seed @ ((by_hand(s + h) - by_hand(s - h)) / (2 * h))
    of_s, of_x, *_ = pullback(seed)
    np.testing.assert_allclose(value, by_hand(s), rtol=1e-14)
    np.testing.assert_allclose(of_s, slope, rtol=1e-8)
    assert of_x.tolist() == [0.0] * 6
