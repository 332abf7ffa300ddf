"""What is finite as written stays finite far from 1: powers of quotients, in both kinds of floats."""

from __future__ import annotations

import itertools
import math

import pytest
from tests.unit.phi.machines import TYPES, exact, floats, ulps

from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.differentiate.symbolic import Symbolic
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.lower.instructions import selected
from tapeless.passes.phi.simplify.simplified import simplified

SIZES = {
    "f64": (1e-120, 1e-60, 1e-20, 0.7, 1.5, 1e20, 1e60, 1e120),
    "f32": (1e-13, 1e-7, 1e-3, 0.7, 1.5, 1e3, 1e7, 1e13),
}
LARGEST = {"f64": 1e200, "f32": 1e25}


def repeated(x, times):
    """x to a power, as a program without powers has it."""
    result = x
    for _ in range(times - 1):
        result = result * x
    return result


PROGRAMS = {
    "eighth power of a quotient": lambda x, y, z: repeated(x / y, 8),
    "eighth power of a product": lambda x, y, z: repeated(x * y, 8),
    "square of a quotient": lambda x, y, z: (x / y) * (x / y) * z,
    "attraction and repulsion": lambda x, y, z: z * (repeated(x / y, 12) - repeated(x / y, 6)),
    "power over a power": lambda x, y, z: repeated(x / y, 5) / (z / y),
    "fifth power of a ratio of three": lambda x, y, z: repeated(x / y * z, 5),
    "scaled power": lambda x, y, z: x * (z / y) * (z / y) * (z / y),
}


def gradients(build, type_):
    plain, g = Graph(STRICT), Graph(DERIVATIVE)
    symbols, again = ([each.symbol(name, type_) for name in "xyz"] for each in (plain, g))
    y = build(*(Symbolic(plain, each) for each in symbols)).node
    written = [y, *adjoints(plain, {y: plain.constant(1, type_)}, symbols)]
    before = substitute(g, written, dict(zip(symbols, again, strict=True)))
    return symbols, written, again, cheapest(g, simplified(g, before).roots), before


def points(symbols, written, type_):
    """Where all results as written are far from the ends of the range."""
    for at in itertools.product(SIZES[type_], repeat=3):
        values = [float(TYPES[type_](each)) for each in at]
        was = floats(written, dict(zip(symbols, values, strict=True)), STRICT)
        if all(1 / LARGEST[type_] < abs(each) < LARGEST[type_] for each in was if each != 0):
            yield values, was


@pytest.mark.one_in(48)
@pytest.mark.parametrize("type_", SIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_finite_results_stay_finite(name, type_):
    symbols, written, again, after, before = gradients(PROGRAMS[name], type_)
    count, worst = 0, 0.0
    for at, was in points(symbols, written, type_):
        point = dict(zip(again, at, strict=True))
        for forms in (after, before):
            for a, b, truth in zip(
                was, floats(forms, point), exact(written, dict(zip(symbols, at, strict=True))), strict=True
            ):
                assert math.isfinite(b), (at, a, b)
                if truth != 0 and ulps(a, truth, type_) < 16.0:
                    worst = max(worst, ulps(b, truth, type_))
                    count += 1
    assert count > 100
    assert worst < 24.0


def test_quotients_are_raised_as_a_whole():
    g = Graph(DERIVATIVE)
    x, y = (Symbolic(g, g.symbol(name, "f64")) for name in "xy")
    (made,), _ = selected([repeated(x / y, 8).node], DERIVATIVE)
    names = []
    while made.kind == "instruction":
        names.append(made.name)
        made = made.args[0]
    assert names == ["mul", "mul", "mul", "div"]
