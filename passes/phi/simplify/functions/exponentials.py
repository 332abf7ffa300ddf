"""Exponentials and logarithms."""

from __future__ import annotations

import math

from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, Number, is_integer, number
from tapeless.passes.phi.graph.products import raised
from tapeless.passes.phi.graph.sums import scaled_term
from tapeless.passes.phi.simplify.match import added, combined, factors, is_function, product, scaled, terms
from tapeless.passes.phi.simplify.rule import Rule

AFN = frozenset({"afn", "reassoc"})


def product_of_exponentials(g: Graph, node: Node) -> Node | None:
    """exp(a) * exp(b) = exp(a + b), exp(a)**n = exp(n * a)"""
    parts = factors(node)
    exponentials = [(exponent, base.args[0]) for base, exponent in parts.items() if is_function(base, "exp")]
    if not exponentials or exponentials[0][0] == ONE == len(exponentials):
        return None
    rest = [each for each in parts.items() if not is_function(each[0], "exp")]
    together = function(g, "exp", combined(g, exponentials, ZERO, node.type))
    return product(g, [*rest, (together, ONE)], node.type)


def inverse_functions(g: Graph, node: Node) -> Node | None:
    """log(exp(x)) = x, log1p(expm1(x)) = x"""
    for outer, inner in (("log", "exp"), ("log1p", "expm1")):
        if is_function(node, outer) and is_function(node.args[0], inner):
            return node.args[0].args[0]
    return None


def exponential_of_logarithm(g: Graph, node: Node) -> Node | None:
    """exp(y + c * log(x)) = exp(y) * x**c, expm1(log1p(x)) = x"""
    if is_function(node, "expm1") and is_function(node.args[0], "log1p"):
        inner = node.args[0].args[0]
        return inner if g.allows("nnan") or has(inner, "nonneg") else None
    if not is_function(node, "exp"):
        return None
    taken: list[tuple[Node, Number]] = []
    left = []
    for factor, term in terms(node.args[0]):
        if is_function(term, "log") and (has(term.args[0], "pos") or g.allows("nnan")):
            taken.append((raised(g, term.args[0], factor), ONE))
        else:
            left.append((factor, term))
    if not taken:
        return None
    rest = combined(g, left, added(node.args[0]), node.type)
    return product(g, [*taken, (function(g, "exp", rest), ONE)], node.type)


def logarithm_of_exponential_factor(g: Graph, node: Node) -> Node | None:
    """log(exp(u) * v) = u + log(v): exp(u) is positive"""
    if not is_function(node, "log"):
        return None
    coefficient, inner = scaled_term(node.args[0])
    parts = factors(inner)
    exponentials = [(exponent, base.args[0]) for base, exponent in parts.items() if is_function(base, "exp")]
    if not exponentials:
        return None
    rest = product(g, [each for each in parts.items() if not is_function(each[0], "exp")], node.type)
    return combined(g, [*exponentials, (ONE, _logarithm(g, scaled(g, coefficient, rest)))], ZERO, node.type)


def logarithm_of_power(g: Graph, node: Node) -> Node | None:
    """log(x**n) = n * log(x) for x > 0; for odd and half n both are NaN where x is negative"""
    if not is_function(node, "log"):
        return None
    inner = node.args[0]
    if is_function(inner, "pow"):
        base, exponent = inner.args
        return product(g, [(exponent, ONE), (function(g, "log", base), ONE)], node.type) if has(base, "pos") else None
    if inner.kind != "product" or len(inner.args) != 1:
        return None
    (base,), (power,) = inner.args, inner.exponents
    if not (has(base, "pos") or not is_integer(power) or int(power) % 2):
        return None
    return scaled(g, power, function(g, "log", base))


def logarithm_of_product(g: Graph, node: Node) -> Node | None:
    """log(a * b) = log(a) + log(b) for positive factors"""
    if not is_function(node, "log"):
        return None
    coefficient, inner = scaled_term(node.args[0])
    parts = factors(inner)
    if coefficient <= 0 or (len(parts) < 2 and coefficient == 1) or not all(has(base, "pos") for base in parts):
        return None
    logarithms = [(exponent, function(g, "log", base)) for base, exponent in parts.items()]
    return combined(g, logarithms, number(math.log(coefficient)), node.type)


def _logarithm(g: Graph, node: Node) -> Node:
    if node.kind == "constant" and node.constant > 0:
        return g.constant(number(math.log(node.constant)), node.type)
    return function(g, "log", node)


EXPONENTIALS = (
    Rule("product of exponentials", "product", product_of_exponentials, AFN, cheaper=True),
    Rule("inverse functions", "function", inverse_functions, AFN),
    Rule("exponential of logarithm", "function", exponential_of_logarithm, AFN, True, given="x positive, or nnan"),
    Rule("logarithm of an exponential factor", "function", logarithm_of_exponential_factor, AFN, cheaper=True),
    Rule("logarithm of a power", "function", logarithm_of_power, AFN, True, given="x positive, or n odd"),
    Rule("logarithm of a product", "function", logarithm_of_product, AFN, True, given="all factors positive"),
)
