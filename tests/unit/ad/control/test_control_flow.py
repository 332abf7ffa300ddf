"""Derivatives of branches and for loops, against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from derivatives import check, from_python

import tapeless as tl

XS = np.array([0.4, -1.2, 0.9, 1.7, -0.3])


def branch_of_scalars(x, y):
    if x > y:
        z = x * y
        w = tl.sin(x)
    else:
        z = y
        w = x / (y + 2.0)
    return z * w + x


def branch_that_reads_nothing(x, y):
    z = x * y
    if z > 100.0:
        z = 1.0
    return z * x


def branch_on_arrays(x, y, s):
    if s > 0.0:
        y[1] = x[0] * s
    else:
        y = y * x
    return y


def branch_in_map_in_loop(x, n):
    for i in range(n):
        x = tl.map(lambda e: tl.sin(e) * i if e > 0.0 else e * e, x)
    return x


def geometric(x, c, n):
    for _ in range(n):
        x = x * c + tl.cos(x)
    return x


def uses_its_index(x, n):
    total = 0.0
    for i in range(2, n, 3):
        total += x * i + tl.sin(total * i)
    return total


def only_the_sum_is_used(w, h, n):
    loss = 0.0
    for _ in range(n):
        h = tl.sin(h * w)
        loss += h
    return loss


def swapped_states(a, b, n):
    for _ in range(n):
        a, b = b * a, a + tl.sin(b)
    return a


def same_start_twice(a, n):
    b = a
    c = a
    for _ in range(n):
        b = b * c
        c = c + a
    return b * c


def loop_over_arrays(x, w, n):
    for _ in range(n):
        x = tl.tanh(x * w) + x
    return tl.sum(x * x)


def in_place(x, n):
    for i in range(1, n):
        x[i] = x[i] * x[i - 1] + tl.sin(x[0])
    return x


def in_place_rows(a, n):
    for i in range(1, n):
        a[i] = a[i] * a[i - 1]
        a[0, 0] += a[i, 1]
    return a


def nested_loops(x, n):
    total = 0.0
    for i in range(n):
        part = x[i]
        for j in range(i):
            part = part * x[j] + tl.sin(part)
        total += part
    return total


def triangular_solve(a, b, n):
    for i in range(n):
        for j in range(i):
            b[i] -= a[i, j] * b[j]
        b[i] /= a[i, i]
    return b


def break_and_continue(x):
    total = 1.0
    for i in range(len(x)):
        if x[i] < 0.0:
            continue
        if total > 3.0:
            break
        total = total * (1.0 + x[i])
    return total


def sums_in_maps_in_loops(x, w, n):
    for _ in range(n):
        x = tl.map(lambda e: tl.sum(w * e), x)
    return x


def scaled_products_in_loops(a, x, n):
    for i in range(n):
        u = tl.map(lambda row: 1.0 / (2.0 + tl.dot(row, x)), a)
        x = tl.map(lambda k: tl.sum(tl.map(lambda row: row[k] * u[i], a)) ** 2 + u[k], np.arange(len(x)))
    return x


def sums_over_triangles_in_loops(x, n):
    def wave(x, i):
        return tl.sin(tl.sum(tl.map(lambda j: tl.sum(x[: j + 1]) ** 2, np.arange(i + 1))))

    for _ in range(n):
        x = tl.map(lambda i: wave(x, i), np.arange(len(x)))
    return x


def gathers_in_loops_and_branches(x, keys, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            y = tl.map(lambda k: x[k] * y[k], keys)
    return y


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "then": (branch_of_scalars, (1.3, 0.4)),
    "else": (branch_of_scalars, (0.4, 1.3)),
    "nothing read": (branch_that_reads_nothing, (2.0, 3.0)),
    "constant branch": (branch_that_reads_nothing, (20.0, 30.0)),
    "arrays, then": (branch_on_arrays, (XS, XS + 1.0, 2.0)),
    "arrays, else": (branch_on_arrays, (XS, XS + 1.0, -2.0)),
    "if in map in for": (branch_in_map_in_loop, (XS, 3)),
    "index": (uses_its_index, (0.7, 9)),
    "sum only": (only_the_sum_is_used, (0.9, 0.7, 3)),
    "swap": (swapped_states, (0.8, 1.1, 4)),
    "same start": (same_start_twice, (1.1, 3)),
    "arrays": (loop_over_arrays, (XS, XS + 0.5, 3)),
    "in place": (in_place, (XS, 5)),
    "rows in place": (in_place_rows, (np.arange(1.0, 7.0).reshape(3, 2) / 3, 3)),
    "nest": (nested_loops, (XS, 4)),
    "substitution": (triangular_solve, (np.eye(3) * 2 + np.arange(9.0).reshape(3, 3) / 9, XS[:3], 3)),
    "break": (break_and_continue, (XS,)),
    "break early": (break_and_continue, (XS + 3.0,)),
    "sums in maps": (sums_in_maps_in_loops, (XS[:3], XS / 4, 2)),
    "products": (scaled_products_in_loops, (np.arange(9.0).reshape(3, 3) / 9, XS[:3], 3)),
    "no products": (scaled_products_in_loops, (np.arange(9.0).reshape(3, 3) / 9, XS[:3], 0)),
    "triangles": (sums_over_triangles_in_loops, (XS[:4], 2)),
    "gathers": (gathers_in_loops_and_branches, (XS, np.array([1, 1, 0, 4, 1]), 3)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_control_flow(name: str) -> None:
    function, arguments = CASES[name]
    check(from_python(function, *arguments), *arguments)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_any_number_of_iterations(n: int) -> None:
    for function, arguments in [(geometric, (0.3, 0.9, n)), (loop_over_arrays, (XS, XS + 0.5, n))]:
        check(from_python(function, *arguments), *arguments)
