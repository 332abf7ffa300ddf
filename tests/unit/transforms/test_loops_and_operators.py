"""Transformations of transformations on loops and operators: Hessians, rows of gradients, promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tapeless as tl

STEP = 1e-6


@tl.function
def updating_loop(x):
    product = 1.0
    for i in range(len(x)):
        product = product * x[i] if x[i] > 1.0 else product + tl.sin(x[i]) * product
        x[(i + 1) % len(x)] = x[i] * 0.5 + x[(i + 1) % len(x)]
    return product


@tl.function
def bounded_loop(x):
    total, n = x[0], 0
    while tl.bounded(total < 3.0, 40):
        total = total * 1.2 + x[n % len(x)] * 0.1
        n += 1
    return total


@tl.function
def promised_nest(x):
    a = tl.zeros(9)
    a[0] = x[0]
    for i in tl.range(8, true_dep=("a",), stripmine=2):
        a[i + 1] = tl.sin(a[i]) * x[i % len(x)]
    return tl.sum(a * a)


@tl.function
def least_in_bins(x):
    return tl.sum(tl.hist(tl.minimum, tl.inf, tl.ones(3) * 1.3, tl.iota(len(x)) % 3, x) ** 2)


@tl.function
def scanned_lines(x):
    a, b = tl.scan(lambda p, q, r, s: (p * r, q * r + s), (1.0, 0.0), x, x * x)
    return tl.sum(a * b)


@tl.function
def sorted_products(x):
    return tl.sum(tl.sort(x) * x * x)


FUNCTIONS = [updating_loop, bounded_loop, promised_nest, least_in_bins, scanned_lines, sorted_products]


def slopes(function: Any, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The Jacobian by central differences."""
    columns = [(function(x + STEP * unit) - function(x - STEP * unit)) / (2 * STEP) for unit in np.eye(len(x))]
    return np.stack(columns, axis=-1)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_transformations_nest(function: Any) -> None:
    rows = np.random.default_rng(5).uniform(0.4, 1.6, (3, 5))
    x, gradient = rows[0], tl.grad(function)
    np.testing.assert_allclose(gradient(x), slopes(function, x), rtol=1e-5, atol=1e-6)
    hessian = slopes(gradient, x)
    np.testing.assert_allclose(tl.hessian(function)(x), hessian, rtol=1e-4, atol=1e-5)
    _, pullback = tl.vjp(gradient, x)
    np.testing.assert_allclose(pullback(rows[1])[0], hessian.T @ rows[1], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(tl.vmap(gradient)(rows), np.stack([gradient(row) for row in rows]), rtol=1e-10)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_reverse_mode_of_the_others(function: Any) -> None:
    rows = np.random.default_rng(6).uniform(0.4, 1.6, (2, 4))
    x, gradient = rows[0], tl.grad(function)
    steered = tl.grad(lambda x: tl.jvp(function, (x,), (x,))[1])(x)
    np.testing.assert_allclose(steered, tl.hvp(function, x, x) + gradient(x), rtol=1e-9, atol=1e-9)
    each = tl.jacrev(tl.vmap(function))(rows)
    np.testing.assert_allclose(each[[0, 1], [0, 1]], np.stack([gradient(row) for row in rows]), rtol=1e-9, atol=1e-9)
    assert not each[0, 1].any()
    assert not each[1, 0].any()


@tl.function
def row_products(m):
    return tl.sum(tl.sin(tl.scan(lambda a, b: a * b, tl.ones(m.shape[1]), m)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rows", [0, 1, 4])
def test_gradient_along_another_argument(rows: int) -> None:
    """The sizes of the direction are known to be those of the rows only by a check."""
    m, direction = np.random.default_rng(7).uniform(0.5, 1.5, (2, rows, 3))

    def turned(m, direction):
        return tl.grad(lambda m: tl.jvp(row_products, (m,), (direction,))[1])(m)

    ahead, behind = (tl.grad(row_products)(m + step * direction) for step in (STEP, -STEP))
    np.testing.assert_allclose(tl.jit(turned)(m, direction), (ahead - behind) / (2 * STEP), rtol=1e-5, atol=1e-6)
