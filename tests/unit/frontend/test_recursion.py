"""Functions that call themselves: as deep as is known when compiling, and refused otherwise with ways out that work."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless.frontend.calls import recursion

METHODS = ("redundant", "reversible", "coarsened")
X = np.array([0.5, -1.5, 2.0, 1.0, 3.0, -0.5, 0.25, 4.0])


@tl.function
def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


@tl.function
def annotated(x: tl.f64, n: tl.i64):
    return 1.0 if n == 0 else x * annotated(x, n - 1)


@tl.function
def even(x, n):
    return x if n == 0 else odd(x * 2, n - 1)


@tl.function
def odd(x, n):
    return -x if n == 0 else even(x * 3, n - 1)


@tl.function
def total(x):
    n = len(x)
    if n == 1:
        return tl.sin(x[0])
    return total(x[: n // 2]) * 1.5 + total(x[n // 2 :])


@tl.function
def of_eight(x: tl.f64[8]):
    return total(x)


@tl.function
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@tl.function
def endless(x, n):
    return endless(x, n + 1)


@tl.function
def repeated(f, x, n):
    return x if n == 0 else f(repeated(f, x, n - 1))


def test_a_depth_that_a_number_says():
    assert tl.jit(lambda x: power(x, 11))(1.5) == pytest.approx(1.5**11)
    assert tl.jit(lambda x: annotated(x, 5))(2.0) == 32.0
    assert tl.jit(lambda x: even(x, 5))(2.0) == -144.0
    assert tl.jit(lambda: fibonacci(12))() == 144
    assert tl.jit(lambda x: repeated(tl.sin, x, 3))(0.5) == np.sin(np.sin(np.sin(0.5)))


def test_nested_functions():
    def f(x):
        def product(n):
            return 1.0 if n == 0 else (x + n) * product(n - 1)

        return product(4)

    assert tl.jit(f)(2.0) == 6 * 5 * 4 * 3


def test_sizes_in_types():
    def plain(x):
        half = len(x) // 2
        return np.sin(x[0]) if half == 0 else plain(x[:half]) * 1.5 + plain(x[half:])

    assert of_eight(X) == pytest.approx(plain(X))
    weights = 1.5 ** np.array([3, 2, 2, 1, 2, 1, 1, 0])
    for method in METHODS:
        np.testing.assert_allclose(tl.grad(of_eight, method=method)(X), weights * np.cos(X))


@pytest.mark.parametrize("method", METHODS)
def test_derivatives(method):
    f = tl.function(lambda x: power(x, 5) * even(x, 2))
    assert tl.grad(f, method=method)(1.25) == pytest.approx(6 * 6 * 1.25**5)
    assert tl.hessian(f, method=method)(1.25) == pytest.approx(30 * 6 * 1.25**4)
    assert tl.jvp(f, (1.25,), (2.0,), method=method)[1] == pytest.approx(12 * 6 * 1.25**5)
    np.testing.assert_allclose(tl.vmap(tl.grad(f, method=method))(X), 36 * X**5)
    assert tl.jit(lambda x: tl.grad(power)(x, 3), method=method)(2.0) == 12.0


def test_refusals_and_their_ways_out():
    with pytest.raises(tl.FrontendError, match="'power' calls itself, and how deep is known only when running") as told:
        power(2.0, 5)
    assert recursion.WAY_OUT in str(told.value)
    with pytest.raises(tl.FrontendError, match="'total' calls itself, and how deep is known only when running"):
        total(X)
    assert "tl.function(lambda x: f(x, 5))" in recursion.WAY_OUT and "x: tl.f64[8]" in recursion.WAY_OUT
    f = power
    assert tl.function(lambda x: f(x, 5))(2.0) == 32.0
    assert tl.grad(tl.function(lambda x: f(x, 5)))(2.0) == 80.0

    def loop(x, n):
        result = 1.0
        for _ in range(n):
            result *= x
        return result

    assert tl.grad(loop)(2.0, 5) == 80.0


def test_recursions_without_an_end_and_with_too_many_calls():
    with pytest.raises(tl.FrontendError, match="'endless' calls itself more than 100 deep"):
        tl.jit(lambda x: endless(x, 0))(1.0)
    with pytest.raises(tl.FrontendError, match="'fibonacci' calls itself more than 2000 times in all"):
        tl.jit(lambda: fibonacci(30))()
