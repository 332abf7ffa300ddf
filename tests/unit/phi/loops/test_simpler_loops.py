"""Derivatives of loops keep their values when they are simplified and factored, in their bodies, too."""

from __future__ import annotations

import random

import pytest
from tests.unit.phi.loops.test_derivatives_of_loops import PROGRAMS, largest
from tests.unit.phi.loops.written import array, number

from tapeless.passes.phi.cost import cost
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.formula.formula import LATEX, formula
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.simplify.simplified import simplified
from tapeless.passes.phi.solve.solver import solved

LENGTH = 6


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_values_stay(program):
    rng = random.Random(7)
    g = Graph(DERIVATIVE)
    a, b, x, y, n = number(g, "a"), number(g, "b"), array(g, "x"), array(g, "y"), g.symbol("n", "index")
    roots = solved(g, [program(g, a, b, x, y, n).node])
    back = solved(g, [*roots, *adjoints(g, {roots[0]: g.constant(1.25, "f64")}, [a.node, b.node, x, y])])
    simpler = simplified(g, back).roots
    result = cheapest(g, simpler)
    assert cost(result) <= cost(back)
    assert formula({str(place): each for place, each in enumerate(result)})
    assert formula({str(place): each for place, each in enumerate(result)}, notation=LATEX)
    for steps in (1, 2, LENGTH) if program is largest else (0, 1, 2, LENGTH):
        point = {each: [rng.uniform(-0.9, 0.9) for _ in range(LENGTH)] for each in (x, y)}
        point |= {a.node: rng.uniform(0.3, 0.9), b.node: rng.uniform(0.3, 0.9), n: steps}
        for before, after in zip(evaluated(back, point), evaluated(result, point), strict=True):
            assert after == pytest.approx(before, rel=1e-10, abs=1e-12), steps
