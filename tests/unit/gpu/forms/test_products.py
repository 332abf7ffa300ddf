"""Derivatives of products on GPUs: by scans always, which `explain()` tells."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from emulated_gpu.kernels import emulated_cuda


@tl.function
def product(x):
    return tl.prod(x)


@tl.function
def products(x, w):
    return tl.sum(tl.cumprod(x) * w)


@tl.function
def total(x):
    return tl.sum(x)


X = np.array([0.5, 2.0, -3.0, 0.25])


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        (product, (X,), np.prod(X) / X),
        (products, (X, np.ones(4)), np.array([(np.cumprod(X) / x)[k:].sum() for k, x in enumerate(X)])),
    ],
)
def test_products_say_how_they_go_back(function, arguments, expected):
    gradient = tl.grad(function)
    with emulated_cuda():
        kernel = tl.compile(gradient, arguments, target="cuda")
        np.testing.assert_allclose(kernel(*arguments), expected, rtol=1e-14)
        (line,) = [line for line in kernel.explain().splitlines() if line.startswith("  product ")]
    assert "test_products.py:" in line and "on a GPU by scans" in line and "overflow" in line
    np.testing.assert_allclose(gradient(*arguments), expected, rtol=1e-14)


def test_sums_say_nothing_of_products():
    assert "product " not in tl.compile(tl.grad(total), (X,)).explain()


@pytest.mark.parametrize("function", [product, products])
def test_values_say_nothing_of_products(function):
    arguments = (X,) if function is product else (X, X)
    assert "product " not in tl.compile(function, arguments).explain()
