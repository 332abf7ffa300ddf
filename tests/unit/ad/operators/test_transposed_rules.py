"""Forward-mode rules of users run backwards: whatever a function may hold may stand in a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import check_compiled

import tapeless as tl

X = np.array([0.9, 1.3, 0.7, 1.2])


def exclusive_scan(values, tangents):
    (a,), (da,) = values, tangents
    y, dy = tl.scan(lambda x, dx, z, dz: (x * z, dx * z + x * dz), (1.0, 0.0), a, da, exclusive=True)
    return y * a, dy * a + y * da


def scan_from_the_right(values, tangents):
    (a,), (da,) = values, tangents
    y, after = tl.cumprod(a), tl.scan(lambda x, z: x + z, 0.0, da / a, reverse=True)
    return y, y * (after[0] - after + da / a)


def while_loop(values, tangents):
    (a,), (da,) = values, tangents
    sums = da / a
    i = 1
    while i < len(a):
        sums[i] += sums[i - 1]
        i += 1
    return tl.cumprod(a), tl.cumprod(a) * sums


def nest_of_loops(values, tangents):
    (a,), (da,) = values, tangents
    sums = da / a
    for i in tl.range(1, 4, stripmine=2):
        sums[i] += sums[i - 1]
    return tl.cumprod(a), tl.cumprod(a) * sums


def operator_that_reads_a_tangent(values, tangents):
    (a,), (da,) = values, tangents
    first = da[0] / a[0]
    total = tl.reduce(lambda x, z: x + z + first, -first, da / a)
    return tl.cumprod(a), tl.cumprod(a) * (tl.cumsum(da / a) + total - tl.sum(da / a) - 3.0 * first)


def chosen_array(values, tangents):
    (a,), (da,) = values, tangents
    sums = tl.cumsum(da / a) if a[0] > 0.0 else da
    return tl.cumprod(a), tl.cumprod(a) * sums


RULES = [
    exclusive_scan,
    scan_from_the_right,
    while_loop,
    nest_of_loops,
    operator_that_reads_a_tangent,
    chosen_array,
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("rule", RULES)
def test_rule_of_running_products(rule: Callable[..., Any]) -> None:
    products = tl.custom_jvp(tl.function(lambda a: tl.cumprod(a)))
    products.defjvp(tl.function(rule))
    check_compiled(lambda x: products(tl.sin(x)) * x, X)
