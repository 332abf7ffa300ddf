"""Derivatives of derivatives, perturbations that must not be confused, and rules of the user's own."""

from __future__ import annotations

import numpy as np

import tapeless as tl
from programs.derivatives_row import derivative


@tl.function
def fourth_powers(xs):
    return xs**4


@tl.function
def first_derivatives(xs):
    _, pullback = tl.vjp(fourth_powers, xs)
    return pullback(tl.ones_like(xs))[0]


def second_derivatives(xs):
    _, pullback = tl.vjp(first_derivatives, xs)
    return pullback(tl.ones_like(xs))[0]


def slope_of_product(x, y):
    return tl.grad(lambda v: x * v)(y)


def slope_of_product_forward(x, y):
    _, slope = tl.jvp(lambda v: x * v, (y,), (tl.ones_like(y),))
    return slope


def slope_of_square(b, x):
    return tl.grad(lambda v: (v - b) ** 2)(x)


def slope_of_square_forward(b, x):
    _, slope = tl.jvp(lambda v: (v - b) ** 2, (x,), (tl.ones_like(x),))
    return slope


def product_with_inner_slope(x):
    """The classic trap: the inner derivative is 1, whatever x is."""
    return x * tl.grad(lambda y: x + y)(1.0)


@tl.custom_vjp
@tl.function
def doubled(x):
    return 2.0 * x


def _doubled_forward(x):
    result = 2.0 * x
    return result, result


def _doubled_back(result, ct):
    return (ct + tl.sqrt(result),)


doubled.defvjp(_doubled_forward, _doubled_back)


def with_own_rule(x):
    return doubled(x)


DERIVATIVES = (
    derivative("N1 third derivative", second_derivatives, ([1.0, 2.0, 3.0],), np.diag([24, 48, 72])),
    derivative("N3 mixed derivative", slope_of_product, (3.0, 5.0), 1, 0, wrt=(0, 1)),
    derivative("N3 inner forward", slope_of_product_forward, (3.0, 5.0), 1, 0, wrt=(0, 1)),
    derivative("N4 outer variable inside", slope_of_square, (5.0, 1.0), -2, 2, wrt=(0, 1)),
    derivative("N4 inner forward", slope_of_square_forward, (5.0, 1.0), -2, 2, wrt=(0, 1)),
    derivative("N5 inner slope as a factor", product_with_inner_slope, (3.0,), 1),
    derivative("K1 own rule", with_own_rule, (2.5,), 3.23606797749979, modes=("vjp",)),
)
