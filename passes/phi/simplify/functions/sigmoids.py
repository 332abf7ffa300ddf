"""Exponentials in fractions: the logistic function and the hyperbolic tangent."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import MINUS_ONE, ONE, ZERO, Number, is_integer, plus
from tapeless.passes.phi.graph.sums import negate
from tapeless.passes.phi.simplify.functions.exponentials import AFN
from tapeless.passes.phi.simplify.match import added, combined, factors, is_function, product, scaled, terms
from tapeless.passes.phi.simplify.rule import Rule


def one_plus_exponential(node: Node) -> Node | None:
    """u, if a node is 1 + exp(u)."""
    if node.kind != "sum" or node.data != (ONE, ONE) or not is_function(node.args[0], "exp"):
        return None
    return node.args[0].args[0]


def logistic(g: Graph, node: Node) -> Node | None:
    """1 / (1 + exp(u)) = sigmoid(-u), exp(u) / (1 + exp(u)) = sigmoid(u)"""
    parts = factors(node)
    for base, exponent in parts.items():
        u = one_plus_exponential(base)
        if u is None or exponent >= 0 or not is_integer(exponent):
            continue
        exponential = base.args[0]
        above = parts.get(exponential, ZERO)
        taken = min(above, -exponent) if above > 0 and is_integer(above) else ZERO
        changed: dict[Node, Number] = {**parts, exponential: plus(above, -taken), base: ZERO}
        changed = {each: power for each, power in changed.items() if power != 0}
        sides = [
            (function(g, "sigmoid", u), taken),
            (function(g, "sigmoid", negate(g, u)), plus(-exponent, -taken)),
        ]
        return product(g, [*changed.items(), *sides], node.type)
    return None


def exponential_times_sigmoid(g: Graph, node: Node) -> Node | None:
    """exp(-x) * sigmoid(x)**2 = sigmoid(x) * sigmoid(-x)"""
    parts = factors(node)
    for base, exponent in parts.items():
        if is_function(base, "sigmoid") and exponent >= ONE:
            exponential = function(g, "exp", negate(g, base.args[0]))
            if parts.get(exponential, ZERO) >= ONE:
                other = function(g, "sigmoid", negate(g, base.args[0]))
                changed = [(base, MINUS_ONE), (exponential, MINUS_ONE), (other, ONE)]
                return product(g, _added(parts, changed), node.type)
    return None


def complement_of_sigmoid(g: Graph, node: Node) -> Node | None:
    """1 - sigmoid(x) = sigmoid(-x)"""
    if len(node.args) != 1 or not is_function(node.args[0], "sigmoid") or node.constant != -node.coefficients[0]:
        return None
    return scaled(g, node.constant, function(g, "sigmoid", negate(g, node.args[0].args[0])))


def sum_of_sigmoids(g: Graph, node: Node) -> Node | None:
    """sigmoid(x) + sigmoid(-x) = 1, also with a common factor"""
    parts = terms(node)
    for place, (factor, term) in enumerate(parts):
        for base, exponent in factors(term).items():
            if not is_function(base, "sigmoid") or exponent != ONE:
                continue
            rest = [each for each in factors(term).items() if each[0] is not base]
            other = product(g, [*rest, (function(g, "sigmoid", negate(g, base.args[0])), ONE)], node.type)
            if (factor, other) in parts and other is not term:
                left = [each for index, each in enumerate(parts) if index != place and each != (factor, other)]
                return combined(g, [*left, (factor, product(g, rest, node.type))], added(node), node.type)
    return None


def hyperbolic_tangent(g: Graph, node: Node) -> Node | None:
    """(exp(x) - exp(-x)) / (exp(x) + exp(-x)) = tanh(x)"""
    parts = factors(node)
    for above, exponent in parts.items():
        for below, other in parts.items():
            u = _difference_of_exponentials(g, above)
            if u is None or exponent <= 0 or other >= 0:
                continue
            both = function(g, "exp", u), function(g, "exp", negate(g, u))
            if below is combined(g, [(ONE, each) for each in both], added(below), node.type) and added(below) == 0:
                taken = min(exponent, -other)
                changed = [(above, -taken), (below, taken), (function(g, "tanh", u), taken)]
                return product(g, _added(parts, changed), node.type)
    return None


def _added(parts: dict[Node, Number], changed: Sequence[tuple[Node, Number]]) -> list[tuple[Node, Number]]:
    result = dict(parts)
    for base, exponent in changed:
        result[base] = plus(result.get(base, ZERO), exponent)
    return [each for each in result.items() if each[1] != 0]


def _difference_of_exponentials(g: Graph, node: Node) -> Node | None:
    """x, if a node is exp(x) - exp(-x)."""
    if node.kind != "sum" or len(node.args) != 2 or node.constant != 0:
        return None
    for (first, a), (second, b) in (terms(node), terms(node)[::-1]):
        if (first, second) == (ONE, MINUS_ONE) and is_function(a, "exp") and is_function(b, "exp"):
            return a.args[0] if negate(g, a.args[0]) is b.args[0] else None
    return None


SIGMOIDS = (
    Rule("logistic function", "product", logistic, AFN, most=4),
    Rule("exponential times sigmoid", "product", exponential_times_sigmoid, AFN),
    Rule("sum of sigmoids", "sum", sum_of_sigmoids, AFN),
    Rule("complement of a sigmoid", "sum", complement_of_sigmoid, AFN, cheaper=True),
    Rule("hyperbolic tangent", "product", hyperbolic_tangent, AFN, cheaper=True),
)
