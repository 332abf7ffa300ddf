"""Programs with loops and what is known of their derivatives: values, operations, what is left of the loops."""

from __future__ import annotations

import math

import pytest
from tests.unit.phi.loops.written import array, at, constant, number, over, repeat

from tapeless.passes.phi.cost import operations
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.loops.array_terms import size
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.solve.solver import solved


def gradient(g, root, wanted):
    """The solved derivatives of a solved root."""
    (root,) = solved(g, [root.node])
    return solved(g, adjoints(g, {root: g.constant(1, "f64")}, wanted))


def loops(roots):
    return sorted(each.name for each in inside(roots) if each.kind == "loop")


def test_adding_the_same_is_counting():
    g = Graph(DERIVATIVE)
    a, x, n = number(g, "a"), number(g, "x"), g.symbol("n", "index")
    (s,) = repeat(g, n, [a], lambda k, s: [s + x])
    by_a, by_x = gradient(g, s, [a.node, x.node])
    assert by_a is g.constant(1, "f64") and loops([by_x]) == []
    assert evaluated([by_x], {n: 7}) == [7.0]


def test_repeated_multiplication_is_a_power():
    g = Graph(DERIVATIVE)
    x = number(g, "x")
    (y,) = repeat(g, g.constant(16, "index"), [constant(g, 1)], lambda k, y: [y * x])
    (bar,) = gradient(g, y, [x.node])
    assert loops([bar]) == [] and operations([bar]) <= 7
    assert evaluated([bar], {x.node: 1.1}) == pytest.approx([16 * 1.1**15])


def test_decay_takes_no_more_than_doubling():
    g = Graph(DERIVATIVE)
    x, k, dt, n = number(g, "x"), number(g, "k"), number(g, "dt"), g.symbol("n", "index")
    (end,) = repeat(g, n, [x], lambda _, x: [x - k * dt * x])
    (bar,) = gradient(g, end, [k.node])
    assert loops([bar]) == ["affine_pow"]
    point = {x.node: 1.5, k.node: 0.3, dt.node: 0.01, n: 50}
    assert evaluated([bar], point) == pytest.approx([-50 * 0.01 * (1 - 0.003) ** 49 * 1.5])


def test_horner_carries_its_slope():
    """Coefficients are only read: one loop, no array is made."""
    g = Graph(DERIVATIVE)
    x, c, n = number(g, "x"), array(g, "c"), g.symbol("n", "index")
    (p,) = repeat(g, n, [constant(g, 0)], lambda k, r: [r * x + at(g, c, k)])
    (bar,) = gradient(g, p, [x.node])
    assert loops([bar]) == ["iterate"]
    assert evaluated([bar], {x.node: 0.5, c: [3.0, -1.0, 2.0, 5.0], n: 4}) == pytest.approx([9 * 0.25 - 1 + 2])


def test_residuals_are_one_pass():
    g = Graph(DERIVATIVE)
    w, x, y = number(g, "w"), array(g, "x"), array(g, "y")
    residual = lambda i: at(g, y, i) - at(g, x, i) * w  # noqa: E731
    total = over(g, "sum", g.constant(0, "index"), size(g, x), lambda i: residual(i) * residual(i))
    (bar,) = gradient(g, total, [w.node])
    assert loops([bar]) == ["sum"]
    point = {w.node: 0.7, x: [1.0, 2.0, -0.5], y: [0.9, 1.0, 0.1]}
    wanted = -2 * sum(a * (b - a * 0.7) for a, b in zip(point[x], point[y], strict=True))
    assert evaluated([bar], point) == pytest.approx([wanted])


def test_logistic_map_carries_two_slopes():
    g = Graph(DERIVATIVE)
    r, x, n = number(g, "r"), number(g, "x"), g.symbol("n", "index")
    (end,) = repeat(g, n, [x], lambda k, x: [r * x * (1.0 - x)])
    bars = gradient(g, end, [r.node, x.node])
    assert loops(bars) == ["iterate"]
    value, by_r, by_x = 0.3, 0.0, 1.0
    for _ in range(8):
        by_r = value * (1 - value) + 3.1 * (1 - 2 * value) * by_r
        by_x *= 3.1 * (1 - 2 * value)
        value = 3.1 * value * (1 - value)
    assert evaluated(bars, {r.node: 3.1, x.node: 0.3, n: 8}) == pytest.approx([by_r, by_x])


def test_log_of_a_sum_of_exponentials_is_softmax():
    g = Graph(DERIVATIVE)
    x = array(g, "x")
    first, last = g.constant(0, "index"), size(g, x)
    top = over(g, "max", first, last, lambda i: at(g, x, i))
    shifted = over(g, "sum", first, last, lambda i: Symbolic(g, function(g, "exp", (at(g, x, i) - top).node)))
    (bar,) = gradient(g, Symbolic(g, function(g, "log", shifted.node)) + top, [x])
    values = [0.3, 2.0, -1.0]
    parts = [math.exp(each) for each in values]
    assert evaluated([bar], {x: values})[0] == pytest.approx([each / sum(parts) for each in parts])


def test_products_over_arrays_take_two_scans():
    g = Graph(DERIVATIVE)
    x = array(g, "x")
    product = over(g, "prod", g.constant(0, "index"), size(g, x), lambda i: at(g, x, i))
    (bar,) = gradient(g, product, [x])
    (body,) = (each.bodies[0] for each in inside([bar]) if each.kind == "loop" and each.name == "map")
    assert loops(body.results) == ["affine_states", "affine_states"]
    assert evaluated([bar], {x: [2.0, 0.0, 3.0]}) == [[0.0, 6.0, 0.0]]
