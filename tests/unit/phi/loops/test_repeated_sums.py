"""Sums that all elements of an adjoint need alike are made once, and only where the program makes them."""

from __future__ import annotations

import numpy as np
import pytest

import tapeless as tl
from tapeless._mlir import ir
from tapeless.dialects.context import make_context
from tapeless.passes.ir.search import holds, ops_named


@tl.function
def descent(x: tl.f64[:], y: tl.f64[:], p: tl.f64, n: tl.i64):
    for _ in range(n):
        slope = 0.0
        for i in range(len(x)):
            slope += x[i] * (x[i] * p - y[i])
        p = p - 0.1 * slope
    return p


def data(count, more):
    rng = np.random.default_rng(count)
    return rng.uniform(0.1, 0.5, count), rng.uniform(0.1, 0.5, count + more)


def test_no_element_has_a_loop_of_its_own():
    kernel = tl.compile(tl.grad(descent, argnums=(0, 1), method="coarsened"), (*data(5, 0), 1.0, 9))
    assert "a loop from" in kernel.explain()
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(kernel.ir("ad"))
        maps = ops_named(module.operation.opview, "soac.map")
        assert maps and not any(holds(each, "soac.reduce", "scf.for") for each in maps)


@pytest.mark.parametrize("steps", [0, 1, 6])
@pytest.mark.parametrize(("count", "more"), [(0, 0), (0, 2), (1, 0), (5, 0), (5, 3)])
def test_where_there_may_be_nothing_to_read(count, more, steps):
    arguments = (*data(count, more), 0.7, steps)
    mine, other = (tl.grad(descent, argnums=(0, 1, 2), method=method) for method in ("coarsened", "redundant"))
    for one, expected in zip(mine(*arguments), other(*arguments), strict=True):
        np.testing.assert_allclose(one, expected, rtol=1e-11, atol=1e-13)


def test_what_is_out_of_range_is_said():
    gradient = tl.grad(descent, argnums=(0, 1), method="coarsened")
    x, y = data(4, 0)
    np.testing.assert_array_equal(gradient(x, y[:3], 0.7, 0)[1], np.zeros(3))
    with pytest.raises(IndexError):
        gradient(x, y[:3], 0.7, 2)
