"""Both modes of differentiation on graphs, against each other and against differences."""

from __future__ import annotations

import random

import pytest
from tests.unit.phi.drawn import drawn

from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.graph.branches import compare, gamma
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.products import multiply, square_root
from tapeless.passes.phi.graph.walk import inside

STEP = 1e-6


@pytest.mark.one_in(2)
@pytest.mark.parametrize("flags", [STRICT, DERIVATIVE], ids=["strict", "derivative"])
def test_modes_agree_with_each_other_and_with_differences(flags):
    rng = random.Random(1)
    for trial in range(150):
        g = Graph(flags)
        symbols = [g.symbol(name, "f64") for name in "abc"]
        y = drawn(g, rng, symbols, rng.randint(3, 25))
        seed = g.constant(1.25, "f64")
        back = adjoints(g, {y: seed}, symbols)
        point = {each: rng.uniform(-1.5, 1.5) for each in symbols}
        for symbol, bar in zip(symbols, evaluated(back, point), strict=True):
            (forward,) = evaluated(tangents(g, [y], {symbol: seed}), point)
            assert bar == pytest.approx(forward, rel=1e-9, abs=1e-9), trial
            up, down = (evaluated([y], {**point, symbol: point[symbol] + h})[0] for h in (STEP, -STEP))
            assert bar == pytest.approx(1.25 * (up - down) / (2 * STEP), rel=1e-5, abs=1e-5), trial


def test_what_is_infinite_in_the_other_arm_is_never_multiplied():
    g = Graph(DERIVATIVE)
    x = g.symbol("x", "f64")
    positive = compare(g, "gt", x, g.constant(0, "f64"))
    y = gamma(g, positive, square_root(g, x), multiply(g, x, x))
    (bar,) = adjoints(g, {y: g.constant(1, "f64")}, [x])
    assert evaluated([bar], {x: 0.0}) == [0.0]
    assert evaluated([bar], {x: 4.0}) == [0.25]


def test_sharing_keeps_nested_products_small():
    g = Graph(DERIVATIVE)
    x = g.symbol("x", "f64")
    y = x
    for _ in range(8):
        y = multiply(g, y, function(g, "sin", y))
    (bar,) = adjoints(g, {y: g.constant(1, "f64")}, [x])
    assert len(inside([bar])) <= 80


def test_branches_in_a_row_keep_derivatives_linear_in_size():
    sizes = []
    for count in (6, 12, 24):
        g = Graph(DERIVATIVE)
        symbols = [g.symbol(f"x{place}", "f64") for place in range(count)]
        zero = g.constant(0, "f64")
        y = g.constant(1, "f64")
        for each in symbols:
            arm = gamma(g, compare(g, "lt", each, zero), function(g, "sin", each), multiply(g, each, each))
            y = multiply(g, y, arm)
        sizes.append(len(inside(adjoints(g, {y: g.constant(1, "f64")}, symbols))))
    assert sizes[1] <= 3 * sizes[0] and sizes[2] <= 3 * sizes[1]


def test_what_two_merges_share_in_an_arm_is_not_multiplied_by_zero():
    g = Graph(DERIVATIVE)
    x, zero = g.symbol("x", "f64"), g.constant(0, "f64")
    positive = compare(g, "gt", x, zero)
    shared = function(g, "log", x)
    first = gamma(g, positive, shared, x)
    second = gamma(g, positive, multiply(g, shared, shared), zero)
    (bar,) = adjoints(g, {first: g.constant(1, "f64"), second: g.constant(1, "f64")}, [x])
    assert evaluated([bar], {x: 0.0}) == [1.0]
    assert evaluated([bar], {x: 1.0}) == [1.0]
