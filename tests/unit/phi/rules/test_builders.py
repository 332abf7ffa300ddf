"""Normal forms at their edges: zeros with signs, infinities, floats of 32 bits, integers, coefficients out of range."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import DERIVATIVE, STRICT, Graph
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, number
from tapeless.passes.phi.graph.products import divide, monomial, multiply, raised, square_root
from tapeless.passes.phi.graph.sums import add, negate, scale, subtract


def is_zero(node, sign):
    return node.kind == "constant" and node.constant == 0 and math.copysign(1.0, float(node.constant)) == sign


def test_zeros_keep_their_signs_when_constants_are_folded():
    g = Graph(STRICT)
    zero, minus = g.constant(0, "f64"), g.constant(-0.0, "f64")
    assert is_zero(add(g, minus, minus), -1.0)
    assert is_zero(add(g, minus, zero), 1.0)
    assert is_zero(subtract(g, minus, zero), -1.0)
    x = g.symbol("x", "f64")
    assert add(g, x, minus) is x and subtract(g, x, zero) is x
    assert add(g, x, zero) is not x
    product = multiply(g, negate(g, x), zero)
    assert math.copysign(1.0, float(product.coefficients[0])) == -1.0


def test_regrouping_alone_keeps_the_zero_that_may_change_a_sign():
    g = Graph({"reassoc"})
    x = g.symbol("x", "f64")
    assert add(g, x, g.constant(0, "f64")) is not x
    with_sign = Graph({"reassoc", "nsz"})
    x = with_sign.symbol("x", "f64")
    assert add(with_sign, x, with_sign.constant(0, "f64")) is x


def test_constants_are_folded_as_the_machine_would():
    g = Graph(STRICT)
    assert divide(g, g.constant(1, "f64"), g.constant(3, "f64")).constant == 1.0 / 3.0
    assert divide(g, g.constant(0.1, "f64"), g.constant(0.3, "f64")).constant == 0.1 / 0.3
    assert multiply(g, g.constant(3, "f64"), g.constant(3, "f64")).constant == 9
    single = divide(g, g.constant(1, "f32"), g.constant(3, "f32")).constant
    assert float(single) == pytest.approx(1 / 3, rel=1e-7) and float(single) != 1 / 3
    assert square_root(g, g.constant(2, "f64")).constant == math.sqrt(2.0)
    assert divide(g, g.constant(1, "f64"), g.constant(0, "f64")).kind == "product"
    assert square_root(g, g.constant(-1, "f64")).kind == "product"


def test_a_root_over_a_power_of_two_stays_a_root():
    g = Graph(STRICT)
    x = g.symbol("x", "f64")
    node = monomial(g, [(x, HALF), (g.constant(2, "f64"), MINUS_ONE)], "f64")
    assert node.kind == "product" and HALF in node.exponents
    inverse = monomial(g, [(x, MINUS_ONE), (g.constant(2, "f64"), MINUS_ONE)], "f64")
    assert inverse.kind == "product" and inverse.exponents.count(MINUS_ONE) == 2


def test_powers_out_of_range_are_no_coefficients():
    g = Graph(DERIVATIVE)
    x = g.symbol("x", "f64")
    large = scale(g, number(1e200), x)
    squared = raised(g, large, number(2))
    assert squared.kind == "product" and squared.args == (large,)
    assert raised(g, scale(g, number(5e-324), x), MINUS_ONE).kind == "product"
    assert raised(g, g.constant(1e300, "f64"), number(64)).kind == "product"
    small = Graph(DERIVATIVE)
    y = small.symbol("y", "f32")
    assert raised(small, scale(small, number(1e10), y), number(2)).args == (scale(small, number(1e10), y),)


def test_infinite_constants_are_not_gathered():
    g = Graph(DERIVATIVE)
    x, y = (g.symbol(name, "f64") for name in "xy")
    infinite = multiply(g, g.constant(math.inf, "f64"), x)
    assert multiply(g, infinite, y).kind == "product"
    assert not has(scale(g, math.nan, function(g, "exp", x)), "pos")
    assert not has(scale(g, number(0), function(g, "exp", x)), "pos")


def test_a_base_goes_from_above_as_long_as_it_stays_below():
    g = Graph(DERIVATIVE)
    x = g.symbol("x", "f64")
    assert monomial(g, [(x, ONE), (x, number(-3))], "f64").exponents == (number(-2),)
    assert monomial(g, [(x, number(3)), (x, number(-2))], "f64").exponents == (number(2), MINUS_ONE)
    assert monomial(g, [(x, ONE), (x, MINUS_ONE)], "f64").exponents == (ONE, MINUS_ONE)
    positive = g.symbol("p", "f64", frozenset({"pos", "nonneg", "nonzero"}))
    assert monomial(g, [(positive, number(3)), (positive, MINUS_ONE)], "f64").exponents == (number(2),)


def test_quotients_of_quotients_need_arcp():
    for flags, count in (({"reassoc"}, 2), ({"reassoc", "arcp"}, 3)):
        g = Graph(flags)
        x, y, z = (g.symbol(name, "f64") for name in "xyz")
        assert len(divide(g, divide(g, x, y), z).args) == count


def test_a_difference_times_a_number_keeps_its_digits():
    g = Graph(DERIVATIVE)
    x, y = (g.symbol(name, "f64") for name in "xy")
    difference = subtract(g, x, y)
    assert scale(g, number(3), difference).args == (difference,)
    assert scale(g, number(2), difference).args == (difference,)
    assert add(g, scale(g, number(3), difference), scale(g, number(3), y)) is scale(g, number(3), x)


def test_integers_of_64_bits_are_exact_and_wrap_around():
    g = Graph(STRICT)
    large = g.constant(2**62 + 1, "i64")
    assert large.constant == Fraction(2**62 + 1)
    assert add(g, large, large).constant == 2 - 2**63
    assert g.constant(2**31, "i32").constant == -(2**31)


def test_extremes_of_constants_follow_the_machine():
    g = Graph(STRICT)
    zero, minus = g.constant(0, "f64"), g.constant(-0.0, "f64")
    assert function(g, "max", minus, zero) is zero and function(g, "min", zero, minus) is minus
    nan = g.constant(math.nan, "f64")
    assert function(g, "max", zero, nan) is nan and function(g, "max", nan, zero) is nan
