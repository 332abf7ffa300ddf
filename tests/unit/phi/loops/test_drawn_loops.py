"""Derivatives of drawn recurrences in both modes, as loops, in closed form and step by step, against differences."""

from __future__ import annotations

import random

import pytest
from tests.unit.phi.drawn import drawn
from tests.unit.phi.loops.written import array, at, constant, number, over, repeat

from tapeless.passes.phi.differentiate.forward import tangents
from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.loops.array_terms import size
from tapeless.passes.phi.solve.solver import solved

LENGTH = 4
STEP = 1e-6
LARGEST = 1e3
WAYS = {
    "as a loop": lambda g, root: root,
    "closed": lambda g, root: solved(g, [root])[0],
    "stepwise": lambda g, root: solved(g, [root], is_stepwise=True)[0],
}


class Drawn:
    """A recurrence of one value or two, with coefficients of two numbers and of the elements of an array."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.graph = g = Graph(DERIVATIVE)
        self.a, self.b, self.p, self.q = (number(g, name) for name in "abpq")
        self.x, self.n = array(g, "x"), g.symbol("n", "index")
        self.wanted = [each.node for each in (self.a, self.b, self.p, self.q)]
        form = self.rng.choice(
            (self.affine, self.product, self.square, self.system, self.after_each_other, self.descent)
        )
        first = [self.p, self.q] if form in (self.system, self.after_each_other) else [self.p]
        ends = repeat(g, self.n, first, form)
        self.root = (ends[0] if len(ends) == 1 else ends[0] * 2.0 - ends[1]).node

    def point(self):
        draw = self.rng.uniform
        numbers = {each: draw(0.2, 0.9) for each in self.wanted}
        return numbers | {self.x: [draw(-0.9, 0.9) for _ in range(LENGTH)], self.n: self.rng.randint(0, LENGTH)}

    def coefficient(self, k):
        g, rng, a, b = self.graph, self.rng, self.a, self.b
        first, second = rng.sample((a, b, a * b, a * 0.5), 2)
        inner = Symbolic(g, drawn(g, rng, [a.node, b.node], rng.randint(1, 5)))
        element = at(g, self.x, k)
        choices = (constant(g, rng.choice((1, -1))), first - second, a * 0.7 - 1.0, inner, element * b, element - a)
        return rng.choice(choices)

    def affine(self, k, d):
        return [self.coefficient(k) * d + self.coefficient(k)]

    def product(self, k, d):
        return [self.coefficient(k) * self.coefficient(k) * d]

    def square(self, k, d):
        return [self.coefficient(k) * d * d]

    def system(self, k, d, e):
        c = self.coefficient
        return [c(k) * d - c(k) * e + c(k), c(k) * e + c(k) * d]

    def after_each_other(self, k, d, e):
        return [self.coefficient(k) * d + self.coefficient(k), e + self.coefficient(k) * d]

    def descent(self, k, d):
        g, x = self.graph, self.x
        return [d - self.a * over(g, "sum", g.constant(0, "index"), size(g, x), lambda i: self.residual(i, d))]

    def residual(self, i, d):
        element = at(self.graph, self.x, i)
        return element * (element * d - self.b)


def difference(root, point, node, place=None):
    """How fast a value changes with a number, or with an element of an array."""
    ends = []
    for step in (STEP, -STEP):
        moved = point[node] + step if place is None else [*point[node]]
        if place is not None:
            moved[place] += step
        ends.append(evaluated([root], point | {node: moved})[0])
    return (ends[0] - ends[1]) / (2 * STEP)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(25))
def test_derivatives(seed):
    case = Drawn(seed)
    g, root, point = case.graph, case.root, case.point()
    if not abs(evaluated([root], point)[0]) < LARGEST:
        return
    slopes = [difference(root, point, node) for node in case.wanted]
    by_elements = [difference(root, point, case.x, place) for place in range(LENGTH)]
    for way, solve in WAYS.items():
        value, one = solve(g, root), g.constant(1, "f64")
        bars = adjoints(g, {value: one}, case.wanted)
        changes = [tangents(g, [value], {node: one})[0] for node in case.wanted]
        assert evaluated(bars, point) == pytest.approx(slopes, rel=1e-4, abs=1e-4), way
        assert evaluated(changes, point) == pytest.approx(slopes, rel=1e-4, abs=1e-4), way
        try:
            (bar,) = adjoints(g, {value: one}, [case.x])
        except NoClosedDerivativeError:
            continue
        assert evaluated([bar], point)[0] == pytest.approx(by_elements, rel=1e-4, abs=1e-4), way
