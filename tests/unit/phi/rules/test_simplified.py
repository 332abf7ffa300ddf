"""Drawn expressions and their gradients keep their values under every set of flags."""

from __future__ import annotations

import math
import random

import mpmath
import pytest
from tests.unit.phi.drawn import drawn
from tests.unit.phi.machines import exact, floats

from tapeless.passes.phi.cost import cost
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.factor.share import cheapest
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.walk import substitute
from tapeless.passes.phi.simplify.simplified import simplified

FLAGS = {
    "strict": STRICT,
    "contract": frozenset({"contract"}),
    "reassoc": frozenset({"reassoc"}),
    "derivative": DERIVATIVE,
    "finite": DERIVATIVE | {"nnan", "ninf"},
    "fast": DERIVATIVE | {"nnan", "ninf", "afn"},
    "cancel": DERIVATIVE | {"cancel"},
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_values_stay(flags):
    rng = random.Random(17)
    for trial in range(60):
        plain = Graph(STRICT)
        symbols = [plain.symbol(name, "f64") for name in "abc"]
        y = drawn(plain, rng, symbols, rng.randint(3, 20))
        written = [y, *adjoints(plain, {y: plain.constant(1, "f64")}, symbols)]
        g = Graph(flags)
        again = [g.symbol(name, "f64") for name in "abc"]
        before = substitute(g, written, dict(zip(symbols, again, strict=True)))
        after = cheapest(g, simplified(g, before).roots)
        assert cost(after) <= cost(before) + 40, trial
        for _ in range(3):
            at = [rng.uniform(-1.5, 1.5) for _ in symbols]
            first, second = dict(zip(symbols, at, strict=True)), dict(zip(again, at, strict=True))
            for truth, value in zip(exact(written, first), exact(after, second), strict=True):
                # Constants such as 0.1 are floats, and rounded once more where they are multiplied.
                assert mpmath.isfinite(value) and abs(truth - value) <= 1e-14 * (1 + abs(truth)), trial
            for was, now in zip(floats(written, first, STRICT), floats(after, second, flags), strict=True):
                assert not math.isfinite(was) or now == pytest.approx(was, rel=1e-9, abs=1e-9), trial


def test_strict_graphs_keep_every_bit():
    rng = random.Random(23)
    for trial in range(150):
        g = Graph(STRICT)
        symbols = [g.symbol(name, "f64") for name in "abc"]
        y = drawn(g, rng, symbols, rng.randint(3, 25))
        (after,) = simplified(g, [y]).roots
        point = {each: rng.uniform(-1.5, 1.5) for each in symbols}
        assert floats([y], point, STRICT) == floats([after], point, STRICT), trial


def test_what_is_finite_at_the_edges_stays_finite():
    edges = (0.0, -0.0, 1.0, -1.0, 1e-8, -1e-8, 1e-12, 30.0, -30.0, 1e4, -1e4)
    rng = random.Random(5)
    for trial in range(60):
        plain, g = Graph(STRICT), Graph(DERIVATIVE)
        symbols, again = ([each.symbol(name, "f64") for name in "abc"] for each in (plain, g))
        y = drawn(plain, rng, symbols, rng.randint(3, 12))
        written = [y, *adjoints(plain, {y: plain.constant(1, "f64")}, symbols)]
        before = substitute(g, written, dict(zip(symbols, again, strict=True)))
        after = cheapest(g, simplified(g, before).roots)
        for _ in range(8):
            at = [rng.choice(edges) for _ in symbols]
            was = floats(written, dict(zip(symbols, at, strict=True)), STRICT)
            now = floats(after, dict(zip(again, at, strict=True)))
            assert all(math.isfinite(b) or not math.isfinite(a) for a, b in zip(was, now, strict=True)), (trial, at)
