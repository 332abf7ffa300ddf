"""Decisions of a loop whose sums are taken outside of it: whether rounding could turn one of them.

Every sum that a comparison depends on, and every carried float, is taken to be off by some roundings of the magnitudes
that it is made of. What that makes of both sides of the comparison is followed to first order. A comparison is sure if
its sides are further apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from tapeless.passes.phi.graph.branches import compare, connect, gamma, is_lazy, truth
from tapeless.passes.phi.graph.contents import dependent, inside
from tapeless.passes.phi.graph.elementary import function
from tapeless.passes.phi.graph.facts import has
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import HALF, ONE, ZERO, number, size
from tapeless.passes.phi.graph.products import monomial, multiply
from tapeless.passes.phi.graph.sums import linear, scaled_term, subtract, total

ROUNDING = {"f64": 2.0**-53, "f32": 2.0**-24}
# How many roundings a carried value, and a sum of few terms, may be off by; of a long sum, this many times the root of
# its length.
ROUNDINGS = 16


class UnknownError(Exception):
    """An expression that says nothing of how errors go through it."""


def magnitude(g: Graph, node: Node) -> Node:
    """The size of a node, which is the node itself where that is known not to be negative."""
    coefficient, rest = scaled_term(node)
    positive = rest if has(rest, "nonneg") else function(g, "abs", rest)
    return linear(g, [(size(coefficient), positive)], ZERO, node.type)


def off_by(g: Graph, size_: Node, length: Node | None = None) -> Node:
    """The error bound of a number of a size; a length is the number of terms of a sum."""
    some = number(ROUNDINGS * ROUNDING[size_.type])
    few = number(ROUNDINGS) * some
    if length is None:
        return linear(g, [(few, size_)], ZERO, size_.type)
    root = monomial(g, [(length, HALF)], size_.type)
    return multiply(g, linear(g, [(some, root)], few, size_.type), size_)


def error_of(g: Graph, node: Node, errors: Mapping[Node, Node], values: Sequence[Node]) -> Node:
    """How far a node may be off, likewise."""
    return _Errors(g, errors, frozenset(dependent([node], values))).of(node) or g.constant(0, node.type)


def are_sure(g: Graph, nodes: Sequence[Node], errors: Mapping[Node, Node], values: Sequence[Node]) -> Node:
    """Whether every comparison of floats in some expressions comes out the same within the errors of nodes.

    `values` are the symbols that change. Raises UnknownError where it cannot be told.
    """
    known = _Errors(g, errors, frozenset(dependent(nodes, values)))
    tests = [_is_sure(g, node, known) for node in inside(nodes) if node.kind == "compare" and node.args[0].is_float]
    return reduce(lambda a, b: connect(g, "and", a, b), tests, truth(g, True))


def _is_sure(g: Graph, node: Node, errors: _Errors) -> Node:
    left, right = node.args
    found = [each for each in map(errors.of, node.args) if each is not None]
    if not found:
        return truth(g, True)
    gap = function(g, "abs", subtract(g, left, right))
    return compare(g, "lt", total(g, found, left.type), gap)


class _Errors:
    """Error bounds of nodes; None for exact ones."""

    def __init__(self, g: Graph, given: Mapping[Node, Node], changing: frozenset[Node]):
        self.graph = g
        self._found: dict[Node, Node | None] = dict(given)
        self._changing = changing

    def of(self, node: Node) -> Node | None:
        if node not in self._found:
            self._found[node] = self._made(node)
        return self._found[node]

    def of_all(self, nodes: Sequence[Node]) -> list[Node]:
        return [each for each in map(self.of, nodes) if each is not None]

    def _made(self, node: Node) -> Node | None:
        if node not in self._changing or not node.is_float:
            return None
        rule = RULES.get(node.name if node.kind == "function" else node.kind)
        if rule is None:
            raise UnknownError(node.kind)
        return rule(self.graph, node, self)


def _of_sum(g: Graph, node: Node, errors: _Errors) -> Node | None:
    pairs = [(size(factor), errors.of(arg)) for factor, arg in zip(node.coefficients, node.args, strict=True)]
    terms = [(factor, each) for factor, each in pairs if each is not None]
    return linear(g, terms, ZERO, node.type) if terms else None


def _of_product(g: Graph, node: Node, errors: _Errors) -> Node | None:
    """Of each factor, how the product changes with it."""
    factors = list(zip(node.args, node.exponents, strict=True))
    terms = []
    for place, (base, exponent) in enumerate(factors):
        error = errors.of(base)
        if error is not None:
            others = [each for at, each in enumerate(factors) if at != place]
            slope = monomial(g, [*others, (base, exponent - ONE)] if exponent != 1 else others, node.type)
            terms.append(linear(g, [(size(exponent), multiply(g, magnitude(g, slope), error))], ZERO, node.type))
    return total(g, terms, node.type) if terms else None


def _all(g: Graph, node: Node, errors: _Errors) -> Node | None:
    found = errors.of_all(node.args)
    return total(g, found, node.type) if found else None


def _of_gamma(g: Graph, node: Node, errors: _Errors) -> Node | None:
    arms = [errors.of(arm) for arm in node.args[1:]]
    if arms == [None, None]:
        return None
    zero = g.constant(0, node.type)
    return gamma(g, node.args[0], *(each or zero for each in arms), lazy=is_lazy(node))


Rule = Callable[[Graph, Node, _Errors], "Node | None"]
RULES: dict[str, Rule] = {
    "sum": _of_sum,
    "product": _of_product,
    "gamma": _of_gamma,
    "abs": _all,
    "max": _all,
    "min": _all,
}
