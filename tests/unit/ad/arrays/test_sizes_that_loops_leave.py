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


@tl.function
def repeated(a: tl.f64[:, :], x: tl.f64[:], n: tl.i64) -> tl.f64:
    """The size that each iteration comes with is the number of columns; the last one may leave another."""
    total = 0.0
    for _ in range(n):
        total += tl.sum(tl.sin(x))
        x = a @ x
    return total + tl.sum(x * x)


@pytest.mark.parametrize(("rows", "n"), [(3, 0), (5, 1), (3, 1), (3, 4)])
def test_sizes_that_iterations_check_are_not_stored(rows: int, n: int) -> None:
    rng = np.random.default_rng(7)
    a, x = rng.standard_normal((rows, 3)), rng.standard_normal(3)

    def by_hand(a: np.ndarray, x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        states = [x]
        for _ in range(n):
            states.append(a @ states[-1])
        value = sum(float(np.sin(each).sum()) for each in states[:-1]) + float(states[-1] @ states[-1])
        a_bar, bar = np.zeros_like(a), 2.0 * states[-1]
        for state in states[-2::-1] if n else []:
            a_bar += np.outer(bar, state)
            bar = np.cos(state) + a.T @ bar
        return value, a_bar, bar

    wanted = by_hand(a, x)
    kernel = tl.compile(tl.value_and_grad(repeated, argnums=(0, 1)), (a, x, n))
    value, (a_bar, x_bar) = kernel(a, x, n)
    for found, expected in zip((value, a_bar, x_bar), wanted, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert "xi64>" not in kernel.ir("ad-expand")


def test_an_iteration_that_needs_another_size_is_refused() -> None:
    a, x = np.ones((5, 3)), np.ones(3)
    with pytest.raises(tl.ShapeMismatch, match="axis 1"):
        tl.grad(repeated)(a, x, 2)
