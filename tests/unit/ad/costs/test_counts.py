"""What a gradient costs, counted in operations after simplification and fusion, when nothing but it is returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from counting import FUSED, alone, counts, depths_of, gradient
from derivatives import compiled, from_python, only, vjp

import tapeless as tl

XS, M, KEYS = np.ones(3), np.ones((2, 2)), np.array([1, 1, 1])


def exponential(x):
    return tl.map(lambda e: tl.exp(e) * e, x)


def nest(x, w):
    return tl.map(lambda a: tl.map(lambda b: tl.exp(a * b), w), x)


def summed_nest(x, w):
    return tl.sum(tl.map(lambda a: tl.sum(tl.map(lambda b: tl.exp(a * b), w)), x))


def log_of_sum(x):
    return tl.log(tl.sum(tl.exp(x)))


def costly_loop(x, n):
    for _ in range(n):
        x = tl.exp(x)
    return x


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(exponential, (XS,)), (nest, (XS, XS)), (summed_nest, (XS, XS)), (log_of_sum, (XS,)), (costly_loop, (0.1, 3))],
)
def test_functions_are_called_once(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    assert counts(gradient(function, *arguments))["math.exp"] == 1


def test_perfect_nest_is_one_nest() -> None:
    found = counts(gradient(summed_nest, XS, XS))
    assert found["soac.map"] + found["soac.fused"] + found["soac.reduce"] <= 3
    assert found["soac.with_acc"] <= 1


def product(a, b):
    return a @ b


def test_adjoints_of_a_matrix_product_are_two_products() -> None:
    """One multiplication per adjoint, in at most two nests of depth three, and nothing of the product itself."""
    found = gradient(product, M, M)
    assert counts(found)["arith.mulf"] == 2
    assert depths_of(found)[0] == 3
    assert depths_of(found).count(3) <= 2


def test_one_adjoint_of_a_matrix_product_is_one_product() -> None:
    primal = from_python(product, M, M)
    wanted = only(vjp(primal, wrt=[0]), 1)
    found = counts(alone(compiled(wanted, FUSED), wanted.name))
    assert found["arith.mulf"] == 1


def sum_of_squares(x):
    return tl.sum(x * x)


def plain_sum(x):
    return tl.sum(x)


def linear_sums(x, w):
    return tl.cumsum(x)[2] + tl.dot(x, w)


def test_sums_keep_nothing() -> None:
    """A sum's adjoint is its seed everywhere: no reduction is run, and a plain sum needs no loop."""
    assert counts(gradient(sum_of_squares, XS))["soac.reduce"] == 0
    assert depths_of(gradient(sum_of_squares, XS)) == [1]
    assert depths_of(gradient(plain_sum, XS)) == []
    assert counts(gradient(linear_sums, XS, XS))["soac.reduce"] == 0


def histogram(x, keys):
    return tl.hist(lambda a, b: a + b, 0.0, tl.zeros(4), keys, x)


def test_summed_histogram_is_a_gather() -> None:
    found = gradient(histogram, XS, KEYS)
    assert counts(found)["soac.hist"] == 0
    assert depths_of(found) == [1]


def linear_loop(x, c, n):
    for _ in range(n):
        x = x * 2.0 + c
    return x


def linear_loop_of_arrays(x, n):
    for _ in range(n):
        x = x * 2.0 + tl.reverse(x)
    return x


def stored_factors(x, c, n):
    for _ in range(n):
        x = x * c
    return x


@pytest.mark.parametrize(("function", "arguments"), [(linear_loop, (1.0, 2.0, 3)), (linear_loop_of_arrays, (XS, 3))])
def test_linear_loops_store_no_states(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    found = counts(gradient(function, *arguments))
    assert found["tensor.empty"] == 0
    assert found["scf.for"] == 1


def test_other_loops_store_one_array_of_states() -> None:
    found = counts(gradient(stored_factors, 1.0, 2.0, 3))
    assert found["tensor.empty"] == 1
    assert found["scf.for"] == 2


def unrolled(x, c):
    for _ in tl.range(4, unroll=True):
        x = tl.sin(x) * c
    return x


def test_unrolled_loops_store_nothing() -> None:
    found = counts(gradient(unrolled, 0.5, 2.0))
    assert found["scf.for"] == found["tensor.empty"] == 0


def elementwise(x, y):
    return tl.sin(x * y) + x


def moved(x):
    return tl.reverse(x)[1:]


def test_zeros_are_made_only_where_something_is_added_to_them() -> None:
    assert counts(gradient(elementwise, XS, XS))["tensor.splat"] == 0
    assert counts(gradient(exponential, XS))["tensor.splat"] == 0
    assert counts(gradient(moved, XS))["tensor.splat"] <= 1


def ignored(x, y):
    return tl.sin(x) + tl.stop_gradient(tl.exp(y))


def test_what_has_no_derivative_is_not_computed() -> None:
    assert counts(gradient(ignored, XS, XS))["math.exp"] == 0
