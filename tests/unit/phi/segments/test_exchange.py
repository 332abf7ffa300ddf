"""Regions read as graphs and written again: nothing is lost on the way, and code computes what the graph says."""

from __future__ import annotations

import math
import random

import pytest
from tests.unit.phi.drawn import drawn
from tests.unit.phi.segments.segments_of_text import module_of, segment_module, the_segment

import core_interpreter
from tapeless.dialects.phi.algebra import BINARY_FUNCTIONS, FUNCTIONS
from tapeless.passes.phi.exchange.segment import expressions, rewrite
from tapeless.passes.phi.graph.evaluate import FUNCTIONS as EVALUATED
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, Graph
from tapeless.passes.phi.graph.products import square_root
from tapeless.passes.phi.lower.lower import Lower

WRITTEN = """
    %c = "phi.const"() {value = #phi.rat<1 : i64, 3 : i64>} : () -> f64
    %m = "phi.mono"(%u0, %u1) {coeff = 3 : i64, exps = [2, #phi.rat<-1 : i64, 2 : i64>]} : (f64, f64) -> f64
    %e = "phi.fn"(%m) {function = "digamma"} : (f64) -> f64
    %l = "phi.lin"(%c, %m, %e) {coeffs = [1, -2, 1.000000e-01 : f64], constant = 5 : i64} : (f64, f64, f64) -> f64
    %x = "phi.fn2"(%u0, %l) {function = "maxnum"} : (f64, f64) -> f64
    %p = "phi.cmp"(%u0, %l) {predicate = "lt"} : (f64, f64) -> i1
    %q = "phi.logic"(%p) {connective = "not"} : (i1) -> i1
    %g = "phi.gamma"(%p, %x, %u1) ({
    }, {
    }) : (i1, f64, f64) -> f64
    %b = "phi.barrier"(%g) : (f64) -> f64
    %h:2 = "phi.gamma"(%u2) ({
      %s = "phi.fn"(%b) {function = "sin"} : (f64) -> f64
      "phi.yield"(%s, %b) : (f64, f64) -> ()
    }, {
      %s = "phi.fn"(%b) {function = "log10"} : (f64) -> f64
      "phi.yield"(%u0, %s) : (f64, f64) -> ()
    }) : (i1) -> (f64, f64)
    "phi.yield"(%h#0, %h#1, %q) : (f64, f64, i1) -> ()
"""


def test_a_region_is_written_as_it_was_read():
    module = segment_module(WRITTEN, ["f64", "f64", "i1"], ["f64", "f64", "i1"], "reassoc")
    before = str(module)
    with module.context:
        found = expressions(the_segment(module), as_written=True)
        rewrite(the_segment(module), found.symbols, found.roots)
    assert module.operation.verify()
    assert str(module) == before


SWITCHES = """
    %s = "phi.fn"(%u0) {function = "sin"} : (f64) -> f64
    %a = "phi.switch"(%u2, %u0, %s, %u1) : (index, f64, f64, f64) -> f64
    %e = "phi.fn"(%a) {function = "exp"} : (f64) -> f64
    %b = "phi.switch"(%u2, %e, %a, %u0, %s) : (index, f64, f64, f64, f64) -> f64
    "phi.yield"(%a, %b) : (f64, f64) -> ()
"""


def test_switches_are_written_as_they_were_read():
    module = segment_module(SWITCHES, ["f64", "f64", "index"], ["f64", "f64"])
    before = str(module)
    with module.context:
        found = expressions(the_segment(module))
        rewrite(the_segment(module), found.symbols, found.roots)
    assert module.operation.verify()
    assert str(module) == before


def test_switches_choose():
    module = segment_module(SWITCHES, ["f64", "f64", "index"], ["f64", "f64"])
    with module.context:
        found = expressions(the_segment(module))
        Lower().run(module)
    for place in range(6):
        a = (0.4, math.sin(0.4), 1.7)[min(place, 2)]
        wanted = [a, (math.exp(a), a, 0.4, math.sin(0.4))[min(place, 3)]]
        assert core_interpreter.run(module, "f", 0.4, 1.7, place) == pytest.approx(wanted)
        assert evaluated(found.roots, dict(zip(found.symbols, (0.4, 1.7, place), strict=True))) == pytest.approx(wanted)


@pytest.mark.parametrize("flags", [("contract",), tuple(sorted(DERIVATIVE))], ids=["strict", "derivative"])
def test_what_is_written_is_read_as_the_same_nodes(flags):
    rng = random.Random(2)
    for _ in range(40):
        g = Graph(flags)
        symbols = [g.symbol(("argument", k), "f64") for k in range(3)]
        y = drawn(g, rng, symbols, rng.randint(3, 30))
        module = module_of(symbols, y, flags)
        assert module.operation.verify()
        assert expressions(the_segment(module), g).roots == [y]


@pytest.mark.parametrize("flags", [("contract",), tuple(sorted(DERIVATIVE))], ids=["strict", "derivative"])
def test_lowered_code_computes_what_the_graph_says(flags):
    rng = random.Random(3)
    for _ in range(40):
        g = Graph(flags)
        symbols = [g.symbol(("argument", k), "f64") for k in range(3)]
        y = drawn(g, rng, symbols, rng.randint(3, 30))
        module = module_of(symbols, y, flags)
        point = [rng.uniform(-1.5, 1.5) for _ in symbols]
        (wanted,) = evaluated([y], dict(zip(symbols, point, strict=True)))
        with module.context:
            Lower().run(module)
        assert module.operation.verify()
        assert core_interpreter.run(module, "f", *point)[0] == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_every_function_can_be_evaluated():
    missing = {*FUNCTIONS, *BINARY_FUNCTIONS} - set(EVALUATED)
    assert not missing
    assert EVALUATED["digamma"](0.5) == pytest.approx(-1.9635100260214235, rel=1e-12)
    assert EVALUATED["digamma"](-0.5) == pytest.approx(0.03648997397857652, rel=1e-11)
    assert EVALUATED["trigamma"](0.5) == pytest.approx(math.pi**2 / 2, rel=1e-12)
    assert EVALUATED["trigamma"](-0.5) == pytest.approx(8.934802200544679, rel=1e-11)


def test_a_root_of_something_negative_is_not_a_number():
    g = Graph(("contract",))
    x = g.symbol("x", "f64")
    assert math.isnan(evaluated([square_root(g, x)], {x: -1.0})[0])
