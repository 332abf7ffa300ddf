"""Derivatives of maps, reductions and scans, against central differences, for no, one and several elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7, -0.3])
SIZES = [0, 1, 5]


def map_alone(x):
    return tl.map(lambda e: tl.sin(e) * e, x)


def map_of_two(x):
    a, b = tl.map(lambda e, f: (e * f, tl.exp(e)), x, tl.reverse(x))
    return a * b


def map_free_scalar(x, s):
    return tl.map(lambda e: tl.sin(e * s) + s, x)


def map_free_array(x, w):
    return tl.map(lambda e: e * w[0] + tl.sum(w), x)


def map_of_what_it_reads(x):
    return tl.map(lambda e: e * x[0] * tl.sum(x), x)


def map_nested(x, w, s):
    return tl.map(lambda a: tl.map(lambda b: tl.sin(a * b) * s + w[1], w), x)


def map_nested_sums(x, w):
    return tl.map(lambda a: tl.sum(tl.map(lambda b: tl.exp(a * b) * x[0], w)), x)


def map_with_branch(x, w):
    return tl.map(lambda a: w[0] * a if a > 0.0 else tl.sum(w * a), x)


def map_with_loop(x, w):
    def powers(a):
        total = 1.0
        for i in range(len(w)):
            total = total * a + w[i]
        return total

    return tl.map(powers, x)


def sums(x):
    return tl.sum(x * x) * tl.sum(x)


def product(x):
    return tl.prod(x) * 2.0


def largest(x):
    return tl.max(x) * tl.sin(tl.min(x))


def affine(x, y):
    """Composition of the maps t -> x t + y."""
    a, b = tl.reduce(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y)
    return a * 2.0 + b


def addition_formula(x):
    return tl.reduce(lambda a, b: a + b + a * b, 0.0, x)


def several_special(x, y):
    a, b, c = tl.reduce(lambda a, b, c, d, e, f: (a + d, b * e, max(c, f)), (0.0, 1.0, -100.0), x, y, x * y)
    return a * b + c


def free_in_operator(x, w):
    return tl.reduce(lambda a, b: a + b + w * a * b, 0.0, x)


def sum_of_squares_of_rows(a):
    return tl.sum(a * a, axis=0)


def prefix_sums(x):
    return tl.cumsum(x * x), tl.scan(lambda a, b: a + b, 0.0, x, exclusive=True)


def suffix_sums(x):
    return tl.scan(lambda a, b: a + b, 0.0, x * x, reverse=True)


def prefix_products(x):
    return tl.cumprod(x), tl.scan(lambda a, b: a * b, 1.0, x, exclusive=True, reverse=True)


def prefix_largest(x):
    return tl.scan(tl.maximum, -100.0, x)


def scan_addition_formula(x):
    return tl.scan(lambda a, b: a + b + a * b, 0.0, x)


def linear_recurrence(x, y):
    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y)


def linear_recurrence_from_the_right(x, y):
    return tl.scan(lambda a, b, c, d: (a * c, b * c + d), (1.0, 0.0), x, y, reverse=True, exclusive=True)


def scan_free(x, w):
    return tl.scan(lambda a, b: a + b + w * a * b, 0.0, x)


def scan_free_from_the_right(x, w):
    return tl.scan(lambda a, b: a + b + w * a * b, 0.0, x, reverse=True, exclusive=True)


def scans_in_maps(x, w):
    return tl.map(lambda a: tl.sum(tl.cumprod(w * a)), x)


ONE = [map_alone, map_of_two, sums, product, addition_formula, prefix_sums, suffix_sums, prefix_products]
ONE += [prefix_largest, scan_addition_formula]
WITH_SCALAR = [map_free_scalar, free_in_operator, scan_free, scan_free_from_the_right]
WITH_ARRAY = [map_with_branch, map_with_loop, map_nested_sums, scans_in_maps]
PAIRS = [affine, several_special, linear_recurrence, linear_recurrence_from_the_right]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", ONE)
def test_one_array(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, XS[:n]), XS[:n])


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", WITH_SCALAR)
def test_with_a_scalar(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, XS[:n], 0.6), XS[:n], 0.6)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", WITH_ARRAY)
def test_with_an_array(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, XS[:n], XS[1:] / 2), XS[:n], XS[1:] / 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("function", PAIRS)
def test_pairs(function: Callable[..., Any], n: int) -> None:
    check(from_python(function, XS[:n], XS[::-1][:n] + 0.1), XS[:n], XS[::-1][:n] + 0.1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (map_free_array, (XS, XS[1:])),
        (map_of_what_it_reads, (XS,)),
        (map_nested, (XS, XS[1:], 0.4)),
        (largest, (XS,)),
        (sum_of_squares_of_rows, (XS[:4].reshape(2, 2),)),
    ],
)
def test_other_operators(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    check(from_python(function, *arguments), *arguments)
