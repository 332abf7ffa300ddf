"""Derivatives of operators in each other, in loops and branches, and with integer components; once and twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python, is_float, run, vjp

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7])
KEYS = np.array([1, 0, 1, 2])
M = np.arange(1.0, 7.0).reshape(2, 3) / 5


@tl.function
def larger(a, i, b, j):
    return (a, i) if a >= b else (b, j)


def largest_with_its_place(x, y):
    value, place = tl.reduce(larger, (-100.0, 0), x * y, tl.iota(len(x)))
    return value * y[place]


def prefix_largest_with_places(x):
    return tl.scan(larger, (-100.0, 0), x * x, tl.iota(len(x)))[0]


def largest_per_bin_with_places(x, keys):
    bins = tl.zeros(3), tl.zeros(3, tl.i64)
    return tl.hist(larger, (-100.0, 0), bins, keys, (x * x, tl.iota(len(x))))[0]


def free_operator_in_map(x, w):
    return tl.map(lambda a: tl.reduce(lambda p, q: p + q + a * p * q * w[1], 0.0, w), x)


def free_operator_on_rows(m, w):
    return tl.scan(lambda p, q: p * w + q, tl.zeros(3), m)


def reads_in_branches_of_a_map(x, w):
    return tl.map(lambda a: (w[0] * a if a > 0.5 else w[1] * w[2]) if a > 0.0 else 1.0, x)


def while_in_map(x, w):
    def climb(a):
        i = 0
        while a < 3.0:
            a = a + w[i] * w[i] + 1.0
            i += 1
        return a

    return tl.map(climb, x)


def branch_in_loop_in_map(x, w):
    def chosen_product(a):
        for i in range(len(w)):
            if w[i] > 0.0:
                a = a * w[i]
        return a

    return tl.map(chosen_product, x)


def elements_and_rows_in_place(m, n):
    for i in range(n):
        for j in range(m.shape[1] - 1):
            m[i, j + 1] = m[i, j] * m[i, j + 1]
        m = m + m[0, 0]
    return m


def loop_in_branch(x, s):
    y = tl.zeros(len(x))
    if s > 0.0:
        for i in range(len(x)):
            y[i] = x[i] * s
    return y


def three_maps(m):
    return tl.map(lambda r: tl.map(lambda a: tl.sum(tl.map(lambda s: s[0] * a * m[0, 0], m)), r), m)


def histograms_in_loop_in_map(x, keys):
    def squared_bins(a):
        bins = tl.zeros(3)
        for _ in range(2):
            bins = tl.hist(lambda p, q: p + q, 0.0, bins * a, keys, x)
        return tl.sum(bins * bins)

    return tl.map(squared_bins, x)


def split_loop_of_arrays(x, n):
    for i in tl.range(n, stripmine=2):
        x = tl.sin(x) * x[i % 4]
    return x


def loop_over_rows(m):
    total = 0.0
    for row in m:
        total += tl.sum(row * row) * total + row[0]
    return total


def unused_argument(x, y):
    return x * 2.0


def results_that_repeat_or_do_not_depend(x, y):
    z = x * y
    return z, z, x, 3.0


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (largest_with_its_place, (XS, XS + 2)),
    (prefix_largest_with_places, (XS,)),
    (largest_per_bin_with_places, (XS, KEYS)),
    (free_operator_in_map, (XS, XS / 3)),
    (free_operator_on_rows, (M, XS[:3])),
    (reads_in_branches_of_a_map, (XS, XS)),
    (while_in_map, (XS, XS)),
    (branch_in_loop_in_map, (XS, XS)),
    (elements_and_rows_in_place, (M, 2)),
    (loop_in_branch, (XS, 1.0)),
    (loop_in_branch, (XS, -1.0)),
    (three_maps, (M,)),
    (histograms_in_loop_in_map, (XS, KEYS)),
    (split_loop_of_arrays, (XS, 6)),
    (loop_over_rows, (M,)),
    (unused_argument, (1.0, 2.0)),
    (results_that_repeat_or_do_not_depend, (1.0, 2.0)),
]


@pytest.mark.one_in(28)
@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_first_and_second_order(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    program = from_python(function, *arguments)
    check(program, *arguments)
    rng = np.random.default_rng(3)
    values = run(program, *arguments)
    seeds = [rng.normal(size=np.shape(v)) for v, kind in zip(values, program.results, strict=True) if is_float(kind)]
    check(vjp(program), *arguments, *seeds, tolerance=1e-5, step=1e-5)
