"""Loops with a condition and with `break`: their values in closed form of the number of steps that were done."""

from __future__ import annotations

import math
import random
from functools import cache

import pytest
from tests.unit.phi.loops.written import array, at, constant, number, over, repeat_while

from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.branches import compare, connect, gamma, negation, truth
from tapeless.passes.phi.graph.contents import inside, is_free_of, symbols
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE
from tapeless.passes.phi.graph.products import square_root
from tapeless.passes.phi.graph.sums import linear
from tapeless.passes.phi.solve.solver import solved


def descent(g: Graph, updates_first: bool = False) -> tuple[Node, dict[str, Node]]:
    """The error after descending along the gradient of squares, with a limit of steps and an end when it is small."""
    x, y, rate, tolerance = array(g, "x"), array(g, "y"), number(g, "rate"), number(g, "tolerance")
    limit, size = g.symbol("limit", "index"), g.symbol("size", "index")
    first = g.constant(0, "index")

    def holds(count, w, stopped):
        return connect(g, "and", compare(g, "lt", count, limit), negation(g, stopped))

    def step(count, w, stopped):
        w = Symbolic(g, w)
        slope = over(g, "sum", first, size, lambda i: -2.0 * at(g, x, i) * (at(g, y, i) - at(g, x, i) * w))
        is_small = compare(g, "lt", function(g, "abs", slope.node), tolerance.node)
        going = w - rate * slope
        ending = w - 0.5 * rate * slope if updates_first else w
        return [linear(g, [(ONE, count)], ONE, "index"), gamma(g, is_small, ending.node, going.node), is_small]

    (_, w, _), _ = repeat_while(g, [first, constant(g, 0).node, truth(g, False)], holds, step)
    w = Symbolic(g, w)
    squares = over(g, "sum", first, size, lambda i: (at(g, y, i) - at(g, x, i) * w) * (at(g, y, i) - at(g, x, i) * w))
    names = {"x": x, "y": y, "rate": rate.node, "tolerance": tolerance.node, "limit": limit, "size": size}
    return square_root(g, squares.node), names


def plain_descent(x, y, rate, tolerance, limit, size, updates_first=False):
    w = slope_of_w = 0.0
    for _ in range(limit):
        slope = sum(-2.0 * a * (b - a * w) for a, b in zip(x, y, strict=True))
        change = sum(2.0 * a * a for a in x) * slope_of_w
        factor = 1.0
        if abs(slope) < tolerance:
            factor = 0.5 if updates_first else 0.0
        w, slope_of_w = w - factor * rate * slope, slope_of_w - factor * (slope + rate * change)
        if factor != 1.0:
            break
    residuals = [b - a * w for a, b in zip(x, y, strict=True)]
    error = math.sqrt(math.fsum(r * r for r in residuals))
    return error, -math.fsum(a * r for a, r in zip(x, residuals, strict=True)) * slope_of_w / error


@cache
def closed_descent(updates_first):
    """The error after descent and its derivative in the rate, solved, and the symbols in them."""
    g = Graph(DERIVATIVE)
    error, names = descent(g, updates_first)
    (error,) = solved(g, [error])
    (bar,) = solved(g, adjoints(g, {error: g.constant(1, "f64")}, [names["rate"]]))
    return error, bar, names


@pytest.mark.parametrize(
    "noise", [pytest.param(1e-1, marks=pytest.mark.thorough), 1e-4, pytest.param(1e-7, marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("updates_first", [False, True], ids=["break leaves the value", "break changes the value"])
@pytest.mark.parametrize(
    "tolerance",
    [
        pytest.param(0.0, id="no break", marks=pytest.mark.thorough),
        pytest.param(0.3, id="break"),
        pytest.param(1e3, id="break at once", marks=pytest.mark.thorough),
    ],
)
def test_descent_is_closed_in_the_number_of_steps(tolerance, updates_first, noise):
    rng = random.Random(11)
    error, bar, names = closed_descent(updates_first)
    x = [rng.uniform(0.5, 1.5) for _ in range(6)]
    y = [0.8 * each + rng.uniform(-noise, noise) for each in x]
    for limit in (0, 1, 2, 4):
        given = {"x": x, "y": y, "rate": 0.004, "tolerance": tolerance, "limit": limit, "size": 6}
        found = evaluated([error, bar], {names[name]: value for name, value in given.items()})
        assert found == pytest.approx(plain_descent(**given, updates_first=updates_first), rel=1e-9, abs=1e-12)


def test_sums_over_data_leave_the_loop_and_no_state_is_stored():
    g = Graph(DERIVATIVE)
    error, names = descent(g)
    (error,) = solved(g, [error], is_trusting=True)
    (bar,) = solved(g, adjoints(g, {error: g.constant(1, "f64")}, [names["rate"]]), is_trusting=True)
    loops = [each for each in inside([bar]) if each.kind == "loop"]
    assert sorted(each.name for each in loops).count("while") == 1
    assert {each.name for each in loops} <= {"while", "sum", "affine_pow"}
    (run,) = (each for each in loops if each.name == "while")
    for body in run.bodies:
        varying = [each for each in inside(body.results) if each.kind == "loop"]
        assert all(is_free_of(each, symbols(body.parameters)) for each in varying)


def test_where_rounding_could_decide_the_loop_runs_as_it_was():
    g = Graph(DERIVATIVE)
    error, names = descent(g)
    (bar,) = solved(g, adjoints(g, {solved(g, [error])[0]: g.constant(1, "f64")}, [names["rate"]]))
    runs = [each for each in inside([bar]) if each.kind == "loop" and each.name == "while"]
    assert sorted(map(_sums, runs)) == [0, 1]


def _sums(run):
    """How many sums of a loop change with what it carries."""
    inner = [(each, body) for body in run.bodies for each in inside(body.results) if each.kind == "loop"]
    return sum(not is_free_of(each, symbols(body.parameters)) for each, body in inner)


@pytest.mark.thorough
def test_residuals_are_summed_directly():
    """Squares are not expanded into sums over data: with small residuals nothing would be left of them."""
    g = Graph(DERIVATIVE)
    error, names = descent(g)
    (error,) = solved(g, [error])
    rng = random.Random(2)
    x = [rng.uniform(0.5, 1.5) for _ in range(50)]
    y = [0.8 * each + rng.uniform(-1e-7, 1e-7) for each in x]
    given = {"x": x, "y": y, "rate": 0.008, "tolerance": 0.0, "limit": 60, "size": 50}
    (found,) = evaluated([error], {names[name]: value for name, value in given.items()})
    assert found == pytest.approx(plain_descent(**given)[0], rel=1e-6)


def test_newton_runs_as_often_as_it_did():
    """No closed form: the tangent of the value is carried, nothing is stored."""
    g = Graph(DERIVATIVE)
    a = number(g, "a")

    def holds(y):
        y = Symbolic(g, y)
        return compare(g, "lt", g.constant(1e-12, "f64"), function(g, "abs", (y * y - a).node))

    (root,), _ = repeat_while(g, [a.node], holds, lambda y: [(0.5 * (Symbolic(g, y) + a / Symbolic(g, y))).node])
    (closed,) = solved(g, [root])
    (bar,) = adjoints(g, {closed: g.constant(1, "f64")}, [a.node])
    assert evaluated([root, bar], {a.node: 3.0}) == pytest.approx([math.sqrt(3), 0.5 / math.sqrt(3)], rel=1e-9)


def test_loops_that_count_have_known_steps():
    g = Graph(DERIVATIVE)
    a, limit = number(g, "a"), g.symbol("limit", "i64")
    (_, total), _ = repeat_while(
        g,
        [g.constant(2, "i64"), a.node],
        lambda k, s: compare(g, "le", k, limit),
        lambda k, s: [linear(g, [(ONE, k)], ONE, "i64"), (Symbolic(g, s) + a).node],
    )
    (closed,) = solved(g, [total])
    assert not [each for each in inside([closed]) if each.kind == "loop"]
    for most in (-3, 1, 2, 9):
        point = {a.node: 0.7, limit: most}
        assert evaluated([closed], point) == pytest.approx(evaluated([total], point))
