"""Jacobians by elimination: right in any order, and with the fewest multiplications in Markowitz's."""

from __future__ import annotations

import math
import random

import pytest
from tests.unit.phi.drawn import drawn
from tests.unit.phi.rules.rule_cases import fn, less, when

from tapeless.passes.phi.differentiate.derivative import jacobian
from tapeless.passes.phi.differentiate.elimination import ORDERS, Elimination, can_eliminate
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph


def step(force, x, v, angle, spin):
    """One step of a cart with a pole on it."""
    sine, cosine = fn("sin", angle), fn("cos", angle)
    push = (force + 0.05 * spin * spin * sine) / 1.1
    turn = (9.8 * sine - cosine * push) / (0.5 * (4.0 / 3.0 - 0.1 * cosine * cosine / 1.1))
    pull = push - 0.05 * turn * cosine / 1.1
    return x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * spin, spin + 0.02 * turn


def two_steps(g):
    inputs = [g.symbol(name, "f64") for name in ("force", "x", "v", "angle", "spin")]
    force, *state = (Symbolic(g, each) for each in inputs)
    for _ in range(2):
        state = step(force, *state)
    return inputs, [each.node for each in state]


def by_rows(g, roots, inputs):
    return [bar for root in roots for bar in adjoints(g, {root: g.constant(1, "f64")}, inputs)]


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_gives_the_jacobian(order):
    g = Graph(DERIVATIVE)
    inputs, roots = two_steps(g)
    point = dict(zip(inputs, (1.3, 0.2, -0.4, 0.3, 0.7), strict=True))
    found = evaluated(Elimination(g, inputs, order).jacobian(roots), point)
    assert found == pytest.approx(evaluated(by_rows(g, roots, inputs), point), rel=1e-12, abs=1e-14)


def test_markowitz_takes_the_fewest_multiplications():
    taken = {}
    for order in ORDERS:
        g = Graph(STRICT)
        inputs, roots = two_steps(g)
        elimination = Elimination(g, inputs, order)
        elimination.jacobian(roots)
        taken[order] = elimination.multiplications
    print(taken)
    assert taken["markowitz"] < min(taken["forward"], taken["reverse"])


def test_jacobians_of_drawn_expressions():
    rng = random.Random(12)
    for trial in range(40):
        plain = Graph({"contract"})
        symbols = [plain.symbol(("argument", k), "f64") for k in range(3)]
        roots = [drawn(plain, rng, symbols, rng.randint(3, 20)) for _ in range(2)]
        made = jacobian(plain, symbols, roots, range(3))
        rows = by_rows(plain, roots, symbols)
        point = [rng.uniform(-1.5, 1.5) for _ in symbols]
        found = evaluated(made.roots, dict(zip(made.inputs, point, strict=True)))
        wanted = evaluated(rows, dict(zip(symbols, point, strict=True)))
        for one, other in zip(found, wanted, strict=True):
            assert one == pytest.approx(other, rel=1e-9, abs=1e-9) or not math.isfinite(other), trial


def test_branches_go_row_by_row():
    g = Graph(DERIVATIVE)
    x, y = (Symbolic(g, g.symbol(name, "f64")) for name in "xy")
    chosen = when(less(x, 0.0), x * y, 1.0 / x, x)
    assert not can_eliminate([chosen.node], [x.node])
    made = jacobian(g, [x.node, y.node], [chosen.node, (x * y).node], [0, 1])
    for at, wanted in (((-0.5, 2.0), [2.0, -0.5, 2.0, -0.5]), ((0.5, 2.0), [-4.0, 0.0, 2.0, 0.5])):
        assert evaluated(made.roots, dict(zip(made.inputs, at, strict=True))) == pytest.approx(wanted)
