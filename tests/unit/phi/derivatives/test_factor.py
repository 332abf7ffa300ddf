"""Sums and products with fewer operations keep their values."""

from __future__ import annotations

import random

import pytest
from tests.unit.phi.drawn import drawn

from tapeless.passes.phi.cost import FUNCTIONS, chain, cost, multiplications, operations
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.factor.common import factored
from tapeless.passes.phi.factor.share import shared
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.evaluate import evaluated
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.numbers import HALF, number
from tapeless.passes.phi.graph.products import divide, monomial, multiply, raised
from tapeless.passes.phi.graph.sums import add, scale, subtract


@pytest.fixture
def g():
    return Graph(DERIVATIVE)


def test_powers_take_shortest_chains():
    assert [len(chain(each)) - 1 for each in (1, 2, 3, 4, 7, 8, 15, 16, 64)] == [0, 1, 2, 2, 4, 3, 5, 4, 6]
    assert multiplications([2, 2]) == 2 and multiplications([4, 2]) == 3


def test_a_polynomial_is_evaluated_by_horners_rule(g):
    x = g.symbol("x", "f64")
    terms = [(number(place + 2), raised(g, x, number(place))) for place in range(5)]
    y = terms[0][1]
    for factor, power in terms:
        y = add(g, y, scale(g, factor, power))
    (result,) = factored(g, [y])
    assert operations([result]) == 8
    assert evaluated([result], {x: 1.25}) == pytest.approx(evaluated([y], {x: 1.25}), rel=1e-15)


def test_the_factor_that_saves_most_is_taken_out_first(g):
    a, b, c, d = (g.symbol(name, "f64") for name in "abcd")
    y = add(g, add(g, multiply(g, a, b), multiply(g, a, c)), multiply(g, multiply(g, a, b), d))
    assert operations([y]) == 6 and operations(factored(g, [y])) <= 4


def test_products_that_are_needed_anyway_are_not_taken_apart(g):
    a, b, c = (g.symbol(name, "f64") for name in "abc")
    first = multiply(g, a, b)
    y = add(g, first, multiply(g, a, c))
    assert operations(factored(g, [y, first])) == operations([y, first])


def test_a_divisor_of_several_quotients_is_inverted_once(g):
    x, y, z = (g.symbol(name, "f64") for name in "xyz")
    roots = [divide(g, x, z), divide(g, y, z), monomial(g, [(x, number(1)), (z, number(-2))], "f64")]
    result = shared(g, roots)
    assert cost(roots) == 13 and cost(result) == 7
    point = {x: 1.5, y: -0.3, z: 0.7}
    assert evaluated(result, point) == pytest.approx(evaluated(roots, point), rel=1e-15)


def test_a_single_quotient_stays_a_division(g):
    x, y, z = (g.symbol(name, "f64") for name in "xyz")
    root = monomial(g, [(x, number(1)), (y, number(-1)), (z, -HALF)], "f64")
    assert cost(shared(g, [root])) == cost([root]) == 4 + 1 + 5


def test_all_gradients_of_a_product_take_as_many_operations_as_reverse_mode(g):
    symbols = [g.symbol(place, "f64") for place in range(8)]
    y = monomial(g, [(each, number(1)) for each in symbols], "f64")
    bars = shared(g, adjoints(g, {y: g.constant(1, "f64")}, symbols))
    assert operations(bars) == 18
    values = {each: 0.0 if place == 3 else place + 1.0 for place, each in enumerate(symbols)}
    assert evaluated(bars, values) == [0.0, 0.0, 0.0, 1.0 * 2 * 3 * 5 * 6 * 7 * 8, 0.0, 0.0, 0.0, 0.0]


def test_sine_and_cosine_of_one_value_cost_less_than_both(g):
    x, y = (g.symbol(name, "f64") for name in "xy")
    assert cost([function(g, "sin", x), function(g, "cos", x)]) == 30
    assert cost([function(g, "sin", x), function(g, "cos", y)]) == 44
    assert FUNCTIONS["tanh"] > 2 * FUNCTIONS["exp"]


def test_without_flags_nothing_changes():
    g = Graph(STRICT)
    x, y = (g.symbol(name, "f64") for name in "xy")
    roots = [add(g, multiply(g, x, y), multiply(g, x, x)), divide(g, x, y), divide(g, y, y)]
    assert shared(g, factored(g, roots)) == roots


def test_values_of_drawn_gradients_stay():
    rng = random.Random(3)
    for _ in range(60):
        g = Graph(DERIVATIVE)
        symbols = [g.symbol(name, "f64") for name in "abc"]
        y = drawn(g, rng, symbols, rng.randint(3, 25))
        bars = adjoints(g, {y: g.constant(1, "f64")}, symbols)
        result = shared(g, factored(g, bars))
        assert cost(result) <= cost(bars)
        point = {each: rng.uniform(-1.5, 1.5) for each in symbols}
        assert evaluated(result, point) == pytest.approx(evaluated(bars, point), rel=1e-11, abs=1e-11)


def test_a_difference_of_squares_shares_its_parts(g):
    x, y = (g.symbol(name, "f64") for name in "xy")
    z = divide(g, subtract(g, x, y), y)
    roots = [divide(g, z, y), multiply(g, z, z)]
    assert operations(shared(g, roots)) == 5
