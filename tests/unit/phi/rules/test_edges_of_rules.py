"""Expressions of every rule, their gradients and second derivatives at the edges of floats: what is finite stays so."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from tests.unit.phi.machines import floats
from tests.unit.phi.rules.rule_cases import CASES, FACTS, expression

from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.facts import POSITIVE
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT
from tapeless.passes.phi.simplify.simplified import simplified

MODERATE = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-8, 3.0, -6.0)
# Products of four of the large and small ones overflow and underflow.
EDGES = (*MODERATE, 1e80, -1e80, 1e-80, 1e100, -1e100, 1e-100, 710.0, -745.0)
WITH_INFINITIES = (*EDGES, math.inf, -math.inf)
MOST_POINTS = 60


def derivatives(g, node, symbols):
    """The value, its partial derivatives, and those of each of them."""
    one = g.constant(1, "f64")
    first = adjoints(g, {node: one}, symbols)
    return [node, *first, *(each for slope in first for each in adjoints(g, {slope: one}, symbols))]


def points(case):
    values = MODERATE if case.values.startswith("moderate") else WITH_INFINITIES
    if case.told:
        values = [each for each in values if each > 0 or (each == 0 and FACTS[case.told] != POSITIVE)]
    grid = list(itertools.product(values, repeat=3))
    return random.Random(3).sample(grid, min(MOST_POINTS, len(grid)))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", CASES)
def test_what_is_finite_stays_finite(name):
    """Operation by operation against simplified and factored, wherever the value itself is finite."""
    plain, before, theirs = expression(CASES[name], STRICT)
    graph, after, mine = expression(CASES[name], DERIVATIVE)
    strict = derivatives(plain, before, theirs)
    simple = cheapest(graph, simplified(graph, derivatives(graph, after, mine)).roots)
    for point in points(CASES[name]):
        was = floats(strict, dict(zip(theirs, point, strict=True)), STRICT)
        now = floats(simple, dict(zip(mine, point, strict=True)), DERIVATIVE)
        if math.isfinite(was[0]):
            lost = [k for k, (a, b) in enumerate(zip(was, now, strict=True)) if math.isfinite(a) > math.isfinite(b)]
            assert not lost, (point, [(k, was[k], now[k]) for k in lost])
