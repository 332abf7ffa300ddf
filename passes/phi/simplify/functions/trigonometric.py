"""Squares and products of sines, cosines, and their hyperbolic relatives."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, MINUS_ONE, ONE, ZERO, Number, number, plus
from tapeless.passes.phi.simplify.functions.exponentials import AFN
from tapeless.passes.phi.simplify.match import added, combined, factors, is_function, pairs, product, terms, without
from tapeless.passes.phi.simplify.rule import Rule

TWO = number(2)
# first(x)**2 + sign * second(x)**2 = 1
SQUARES = (("sin", "cos", ONE), ("cos", "sin", ONE), ("cosh", "sinh", MINUS_ONE))

Part = tuple[Number, Node]


def sum_of_squares(g: Graph, node: Node) -> Node | None:
    """sin(x)**2 + cos(x)**2 = 1, cosh(x)**2 - sinh(x)**2 = 1, also with a common factor"""
    parts = _parts(g, node)
    for i, (factor, term) in enumerate(parts):
        for name, other, sign in SQUARES:
            for x, rest in _squares(g, term, name):
                partner = (factor * sign, product(g, [(rest, ONE), (function(g, other, x), TWO)], node.type))
                if partner in parts:
                    left = without(parts, i, parts.index(partner))
                    return combined(g, [*left, (factor, rest)], ZERO, node.type)
    return None


def one_minus_square(g: Graph, node: Node) -> Node | None:
    """1 - cos(x)**2 = sin(x)**2, 1 + sinh(x)**2 = cosh(x)**2, also with a common factor"""
    parts = _parts(g, node)
    for i, (factor, term) in enumerate(parts):
        for first, second, sign in SQUARES:
            # a * first**2 - a = -a * sign * second**2, and a * sign * second**2 - a = -a * first**2
            for name, other, own, result in ((first, second, ONE, sign), (second, first, sign, ONE)):
                for x, rest in _squares(g, term, name):
                    if (-factor * own, rest) in parts:
                        left = without(parts, i, parts.index((-factor * own, rest)))
                        square = product(g, [(rest, ONE), (function(g, other, x), TWO)], node.type)
                        return combined(g, [*left, (-factor * own * result, square)], ZERO, node.type)
    return None


def one_plus_tangent_squared(g: Graph, node: Node) -> Node | None:
    """1 + tan(x)**2 = 1 / cos(x)**2, also with a common factor"""
    parts = _parts(g, node)
    for i, (factor, term) in enumerate(parts):
        for x, rest in _squares(g, term, "tan"):
            if (factor, rest) in parts:
                left = without(parts, i, parts.index((factor, rest)))
                square = product(g, [(rest, ONE), (function(g, "cos", x), -TWO)], node.type)
                return combined(g, [*left, (factor, square)], ZERO, node.type)
    return None


def double_angle(g: Graph, node: Node) -> Node | None:
    """sin(x) * cos(x) = sin(2 * x) / 2"""
    parts = factors(node)
    for base, exponent in parts.items():
        if is_function(base, "sin") and exponent >= ONE:
            cosine = function(g, "cos", base.args[0])
            if parts.get(cosine, ZERO) >= ONE:
                rest = {**parts, base: plus(exponent, MINUS_ONE), cosine: plus(parts[cosine], MINUS_ONE)}
                double = function(g, "sin", combined(g, [(TWO, base.args[0])], ZERO, node.type))
                return combined(g, [(HALF, product(g, [*rest.items(), (double, ONE)], node.type))], ZERO, node.type)
    return None


def difference_of_squares_of_cosine_and_sine(g: Graph, node: Node) -> Node | None:
    """cos(x)**2 - sin(x)**2 = cos(2 * x), also with a common factor"""
    parts = _parts(g, node)
    for i, (factor, term) in enumerate(parts):
        for x, rest in _squares(g, term, "cos"):
            partner = (-factor, product(g, [(rest, ONE), (function(g, "sin", x), TWO)], node.type))
            if partner in parts:
                double = function(g, "cos", combined(g, [(TWO, x)], ZERO, node.type))
                left = without(parts, i, parts.index(partner))
                return combined(
                    g, [*left, (factor, product(g, [(rest, ONE), (double, ONE)], node.type))], ZERO, node.type
                )
    return None


def addition_formula(g: Graph, node: Node) -> Node | None:
    """sin(x) * cos(y) + cos(x) * sin(y) = sin(x + y); so for the cosine, and with a common factor"""
    parts = _parts(g, node)
    for i, j in pairs(len(parts)):
        (factor, term), (other, partner) = parts[i], parts[j]
        for name, x, first_rest in _functions(g, term, ("sin", "cos")):
            for second, y, rest in _functions(g, first_rest, ("cos",)):
                swapped = {"sin": "cos", "cos": "sin"}
                there = [(function(g, swapped[name], x), ONE), (function(g, swapped[second], y), ONE), (rest, ONE)]
                if x is y or abs(factor) != abs(other) or product(g, there, node.type) is not partner:
                    continue
                # sin(x ± y) has the sign between its products, cos(x ± y) the other one.
                sign = ONE if (factor == other) == (name == "sin") else MINUS_ONE
                angle = combined(g, [(ONE, x), (sign, y)], ZERO, node.type)
                made = product(g, [(function(g, name, angle), ONE), (rest, ONE)], node.type)
                return combined(g, [*without(parts, i, j), (factor, made)], ZERO, node.type)
    return None


def _parts(g: Graph, node: Node) -> list[Part]:
    """The terms of a sum, its constant as one of them."""
    constant = added(node)
    return terms(node) + ([(constant, g.constant(ONE, node.type))] if constant != 0 else [])


def _squares(g: Graph, term: Node, name: str) -> Iterator[tuple[Node, Node]]:
    """x and the cofactor, for squares of a function of x in a term."""
    for base, exponent in factors(term).items():
        if is_function(base, name) and exponent >= TWO:
            yield base.args[0], product(g, {**factors(term), base: plus(exponent, -TWO)}.items(), term.type)


def _functions(g: Graph, term: Node, names: tuple[str, ...]) -> Iterator[tuple[str, Node, Node]]:
    for base, exponent in factors(term).items():
        if is_function(base, *names) and exponent >= ONE:
            rest = product(g, {**factors(term), base: plus(exponent, MINUS_ONE)}.items(), term.type)
            yield base.name, base.args[0], rest


TRIGONOMETRIC = (
    Rule("sum of squares", "sum", sum_of_squares, AFN),
    Rule("one minus a square", "sum", one_minus_square, AFN, cheaper=True),
    Rule("one plus a squared tangent", "sum", one_plus_tangent_squared, AFN, cheaper=True),
    Rule("cosine of the double angle", "sum", difference_of_squares_of_cosine_and_sine, AFN, cheaper=True),
    Rule("sine of the double angle", "product", double_angle, AFN, cheaper=True),
    Rule("addition formula", "sum", addition_formula, AFN, cheaper=True),
)
