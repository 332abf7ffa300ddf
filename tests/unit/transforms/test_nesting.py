"""Derivatives of derivatives: orders, both modes in any order, and perturbations that must not be confused."""

import numpy as np
import pytest

import tapeless as tl

X = np.array([1.0, 2.0, 3.0])


def along(f):
    """The derivative of a scalar function by forward mode."""
    f = tl.function(f)

    @tl.function
    def derivative(x):
        return tl.jvp(f, x, 1.0)[1]

    return derivative


def back(f):
    """The derivative of a scalar function by reverse mode."""
    f = tl.function(f)

    @tl.function
    def derivative(x):
        return tl.vjp(f, x)[1](1.0)[0]

    return derivative


@pytest.mark.one_in(2)
@pytest.mark.parametrize("first", [along, back, tl.grad, tl.jacfwd, tl.jacrev])
@pytest.mark.parametrize("second", [along, back])
@pytest.mark.parametrize("third", [along, back])
def test_third_order_in_every_order_of_modes(first, second, third):
    @tl.function
    def power(x):
        return x**4

    assert third(second(first(power)))(2.0) == pytest.approx(48.0, rel=1e-13)


def test_third_order_reverse_mode_of_an_array():
    @tl.function
    def power(x):
        return x**4

    def adjoint(f):
        @tl.function
        def pulled(x):
            _, pullback = tl.vjp(f, x)
            return pullback(tl.ones_like(x))[0]

        return pulled

    np.testing.assert_allclose(adjoint(adjoint(adjoint(power)))(X), [24.0, 48.0, 72.0], rtol=1e-13)


@pytest.mark.parametrize("inner", [along, back])
@pytest.mark.parametrize("outer", [along, back])
def test_an_inner_derivative_does_not_see_the_outer_perturbation(inner, outer):
    @tl.function
    def product(x):
        return x * inner_slope(x)

    @tl.function
    def inner_slope(x):
        return 1.0 if x < 0.0 else one(x)

    @tl.function
    def one(x):
        return tl.grad(lambda y: x + y)(1.0)

    assert outer(product)(3.0) == 1.0
    assert outer(inner(lambda x: tl.grad(lambda y: x * y)(2.0) * x))(3.0) == 2.0


def test_mixed_second_derivatives_of_a_product():
    assert tl.grad(lambda x: tl.grad(lambda y: x * y)(2.0))(3.0) == 1.0
    assert tl.grad(lambda x: x * tl.grad(lambda y: x * y)(2.0))(3.0) == 6.0
    assert tl.jvp(lambda x: tl.jvp(lambda y: x * y, 2.0, 1.0)[1], 3.0, 1.0)[1] == 1.0


def test_the_derivative_in_a_captured_value():
    @tl.function
    def by_forward(x, b):
        return tl.jvp(lambda x: (x - b) ** 2, x, 1.0)[1]

    @tl.function
    def by_reverse(x, b):
        return tl.vjp(lambda x: (x - b) ** 2, x)[1](1.0)[0]

    assert tl.jvp(lambda b: by_forward(1.0, b), 5.0, 1.0)[1] == -2.0
    assert tl.vjp(lambda b: by_reverse(1.0, b), 5.0)[1](1.0) == (-2.0,)
    assert tl.grad(by_forward, argnums=1)(1.0, 5.0) == -2.0
    assert tl.jvp(by_reverse, (1.0, 5.0), (0.0, 1.0)) == (-8.0, -2.0)


def test_gradient_of_a_function_of_a_gradient():
    def penalty(w, x):
        gradient = tl.grad(lambda x: tl.sum(tl.sin(w * x)))(x)
        return tl.sum(gradient * gradient)

    w = np.array([0.3, 1.2, -0.7])
    expected = 2.0 * w * np.cos(w * X) * (np.cos(w * X) - w * X * np.sin(w * X))
    np.testing.assert_allclose(tl.grad(penalty)(w, X), expected, rtol=1e-12)


def test_forward_over_reverse_through_loops_and_branches():
    def f(x, n):
        total = 0.0
        y = x
        for i in range(n):
            y = tl.sin(y) * x if i % 2 == 0 else y * y + 0.1
            total += y
        return total

    def plain(x, n):
        total, y = 0.0, x
        for i in range(n):
            y = np.sin(y) * x if i % 2 == 0 else y * y + 0.1
            total += y
        return total

    h = 1e-4
    second = (plain(0.8 + h, 5) - 2.0 * plain(0.8, 5) + plain(0.8 - h, 5)) / h**2
    assert tl.hessian(f)(0.8, 5) == pytest.approx(second, rel=1e-5)
    assert tl.grad(tl.grad(f))(0.8, 5) == pytest.approx(second, rel=1e-5)
    assert tl.hvp(f, (0.8, 5), (2.0, 0)) == (pytest.approx(2.0 * second, rel=1e-5), 0)
