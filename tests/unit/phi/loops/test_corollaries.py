"""The closed forms of recurrences, against loops of 0 to 8 steps; also that the printed forms that are wrong differ."""

from __future__ import annotations

import math
import random

import pytest
from tests.unit.phi.loops.written import array, at, constant, number, repeat

from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.elementary import cast, function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.walk import inside
from tapeless.passes.phi.solve.solver import solved

NAMES = "abcp"
LENGTH = 9


def c5(g, s, x, y, k, d):
    return Symbolic(g, function(g, "sin", d.node)) * s["a"]


def c6(g, s, x, y, k, d):
    return s["a"] * d + s["b"]


def c7(g, s, x, y, k, d):
    return s["a"] * d + at(g, x, k)


def c8(g, s, x, y, k, d):
    return at(g, y, k) * d + at(g, x, k)


def c9(g, s, x, y, k, d):
    return s["a"] * d * d


def counted(g, s, x, y, k, d):
    return d + s["b"]


def added(g, s, x, y, k, d):
    return d + at(g, x, k) * s["b"]


def polynomial(g, s, x, y, k, d):
    i = Symbolic(g, cast(g, k, "f64"))
    return d + s["b"] * i * i * i - 2.0 * i * i + i * s["a"] + 0.25


def multiplied(g, s, x, y, k, d):
    return d * at(g, x, k)


def raised(g, s, x, y, k, d):
    return d * s["a"]


def largest(g, s, x, y, k, d):
    return Symbolic(g, function(g, "max", d.node, at(g, x, k).node))


def clamped(g, s, x, y, k, d):
    is_large = at(g, x, k).compare("gt", s["c"])
    return d.either(is_large, d * s["a"] + s["b"], d + at(g, y, k))


def last(g, s, x, y, k, d):
    return at(g, x, k) + s["a"]


# What each becomes: the kinds of loops that are left.
FORMS = {
    c5: {"iterate"},
    c6: {"affine_pow"},
    c7: {"affine_scan"},
    c8: {"affine_scan"},
    c9: {"pow_iter"},
    counted: set(),
    added: {"sum"},
    polynomial: set(),
    multiplied: {"affine_scan"},
    raised: {"affine_pow"},
    largest: {"max"},
    clamped: {"affine_scan"},
    last: set(),
}


def values(g, names, rng):
    given = {names[name].node: rng.uniform(-1.2, 1.2) for name in NAMES}
    return given | {array(g, name): [rng.uniform(-1.2, 1.2) for _ in range(LENGTH)] for name in "xy"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_closed_forms_are_the_loop(form):
    rng = random.Random(3)
    g = Graph(DERIVATIVE)
    s, n = {name: number(g, name) for name in NAMES}, g.symbol("n", "index")
    (d,) = repeat(g, n, [s["p"]], lambda k, d: [form(g, s, array(g, "x"), array(g, "y"), k, d)])
    roots = solved(g, [d.node])
    assert {each.name for each in inside(roots) if each.kind == "loop"} == FORMS[form]
    for steps in range(LENGTH):
        point = values(g, s, rng) | {n: steps}
        assert evaluated(roots, point) == pytest.approx(evaluated([d.node], point), rel=1e-12, abs=1e-13), steps


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_stepwise_forms_are_the_loop(form):
    """Nothing is doubled: an infinite value is one that the loop has."""
    rng = random.Random(4)
    g = Graph(DERIVATIVE)
    s, n = {name: number(g, name) for name in NAMES}, g.symbol("n", "index")
    (d,) = repeat(g, n, [s["p"]], lambda k, d: [form(g, s, array(g, "x"), array(g, "y"), k, d)])
    roots = solved(g, [d.node], is_stepwise=True)
    assert not any(each.kind == "loop" and each.name == "affine_pow" for each in inside(roots))
    for steps in range(LENGTH):
        point = values(g, s, rng) | {n: steps}
        assert evaluated(roots, point) == pytest.approx(evaluated([d.node], point), rel=1e-12, abs=1e-13), steps


def test_stepwise_systems_are_the_loop():
    g = Graph(DERIVATIVE)
    s, n = {name: number(g, name) for name in NAMES}, g.symbol("n", "index")
    a, b, c = s["a"], s["b"], s["c"]
    pair = repeat(g, n, [s["p"], a], lambda k, p, q: [a * p + b * q + c, c * p - q])
    closed, stepwise = (solved(g, [each.node for each in pair], is_stepwise=way) for way in (False, True))
    assert {each.name for each in inside(closed) if each.kind == "loop"} == {"affine_iter"}
    assert {each.name for each in inside(stepwise) if each.kind == "loop"} == {"iterate"}
    point = values(g, s, random.Random(5)) | {n: 6}
    assert evaluated(stepwise, point) == pytest.approx(evaluated(closed, point), rel=1e-12, abs=1e-13)


def test_nothing_is_reordered_without_leave():
    g = Graph(STRICT)
    s, n = {name: number(g, name) for name in NAMES}, g.symbol("n", "index")
    (d,) = repeat(g, n, [s["p"]], lambda k, d: [c6(g, s, None, None, k, d)])
    assert solved(g, [d.node]) == [d.node]


def test_printed_product_bound_of_c8_is_wrong():
    rng = random.Random(5)
    for n in range(1, 9):
        a, b = ([rng.uniform(0.5, 1.5) for _ in range(n)] for _ in range(2))
        d = p = rng.uniform(0.5, 1.5)
        for k in range(n):
            d = a[k] * d + b[k]

        def closed(last, a=a, b=b, p=p, n=n):
            return p * math.prod(a) + sum(
                b[n - 1 - i] * math.prod(a[n - 1 - j] for j in range(i + last)) for i in range(n)
            )

        assert closed(0) == pytest.approx(d, rel=1e-13)
        assert abs(closed(1) - d) > 1e-3


def test_printed_exponent_of_c9_is_wrong():
    a, b, p = 1.1, 1.3, 0.9
    d = p
    for n in range(1, 9):
        d = a * d**b
        assert a ** ((b**n - 1) / (b - 1)) * p ** (b**n) == pytest.approx(d, rel=1e-12)
        assert (abs(a ** (b + n - 1) * p ** (b**n) - d) < 1e-9) == (n == 2)


def test_values_that_need_each_other_are_one_system():
    g = Graph(DERIVATIVE)
    a, b, n = number(g, "a"), number(g, "b"), g.symbol("n", "index")
    x, v = repeat(g, n, [a, b], lambda k, x, v: [x + 0.1 * v, v - 0.2 * x + a])
    roots = solved(g, [x.node, v.node])
    assert [each.name for each in inside(roots) if each.kind == "loop"] == ["affine_iter"]
    for steps in range(8):
        point = {a.node: 0.3, b.node: -0.7, n: steps}
        assert evaluated(roots, point) == pytest.approx(evaluated([x.node, v.node], point), rel=1e-12)


def test_sequences_that_are_known_go_into_others():
    """c counts up, t is the last element, s sums c * t: no carried value is left but the sum."""
    g = Graph(DERIVATIVE)
    x, n = array(g, "x"), g.symbol("n", "index")
    s, *_ = repeat(
        g, n, [constant(g, 0), constant(g, 1), constant(g, 5)], lambda k, s, c, t: [s + c * t, c + 2.0, at(g, x, k)]
    )
    roots = solved(g, [s.node])
    assert [each.name for each in inside(roots) if each.kind == "loop"] == ["sum"]
    for steps in range(5):
        point = {x: [1.0, 2.5, -3.0, 0.5, 7.0], n: steps}
        assert evaluated(roots, point) == pytest.approx(evaluated([s.node], point))


def test_quotients_are_systems_where_nothing_overflows():
    g = Graph(DERIVATIVE | {"ninf"})
    a, b, n = number(g, "a"), number(g, "b"), g.symbol("n", "index")
    (d,) = repeat(g, n, [a], lambda k, d: [(2.0 * d + b) / (d + 3.0)])
    roots = solved(g, [d.node])
    assert [each.name for each in inside(roots) if each.kind == "loop"] == ["affine_iter"]
    for steps in range(8):
        point = {a.node: 0.3, b.node: 0.7, n: steps}
        assert evaluated(roots, point) == pytest.approx(evaluated([d.node], point), rel=1e-12)


def test_values_that_nothing_uses_are_not_carried():
    g = Graph(DERIVATIVE)
    a, n = number(g, "a"), g.symbol("n", "index")
    x, _ = repeat(g, n, [a, a], lambda k, x, y: [a * x * (1.0 - x), y + x])
    (root,) = solved(g, [x.node])
    assert len(root.args[0].args) == 2
