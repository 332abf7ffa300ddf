"""Products at zeros, to second order: reductions, scans and histograms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tapeless as tl

KEYS = np.array([0, 1, 0, 5, -1, 1])


@tl.function
def product(x: tl.f64[:]) -> tl.f64:
    return tl.prod(x)


@tl.function
def running_products(x: tl.f64[:]) -> tl.f64:
    return tl.sum(tl.cumprod(x) * x)


@tl.function
def products_by_key(x: tl.f64[:]) -> tl.f64:
    bins = tl.hist(lambda a, b: a * b, 1.0, tl.full(2, 2.0), KEYS, x)
    return bins[0] * bins[0] + 3.0 * bins[1]


CASES = {"product": product, "running_products": running_products, "products_by_key": products_by_key}
POINTS = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0, 2.0, 0.0, 4.0, 5.0, 0.0], [0.0] * 6)


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_second_order_at_zeros(name: str) -> None:
    for point in POINTS:
        tl.check_grads(CASES[name], (np.array(point),), order=2)


def test_mixed_second_derivative_at_a_zero() -> None:
    expected = [[0.0, 3.0, 2.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]]
    np.testing.assert_array_equal(tl.hessian(product)(np.array([0.0, 2.0, 3.0])), expected)


@pytest.mark.parametrize("function", [product, running_products])
def test_nothing_to_multiply(function: Callable) -> None:
    assert tl.grad(function)(np.zeros(0)).shape == (0,)
