"""How rules look at sums, products and functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.numbers import ONE, ZERO, Number
from tapeless.passes.phi.graph.products import monomial
from tapeless.passes.phi.graph.sums import linear

Factors = dict[Node, Number]


def is_function(node: Node, *names: str) -> bool:
    """Whether a node is one of some functions."""
    return node.kind == "function" and node.name in names


def terms(node: Node) -> list[tuple[Number, Node]]:
    """A node as terms with coefficients; a constant is one with the coefficient, too."""
    if node.kind != "sum":
        return [(ONE, node)]
    return list(zip(node.coefficients, node.args, strict=True))


def added(node: Node) -> Number:
    """The constant that a sum adds."""
    return node.constant if node.kind == "sum" else ZERO


def factors(node: Node) -> Factors:
    """A node as bases with exponents; empty where a base stands above and below the line."""
    if node.kind != "product":
        return {node: ONE}
    found = dict(zip(node.args, node.exponents, strict=True))
    return found if len(found) == len(node.args) else {}


def product(g: Graph, parts: Iterable[tuple[Node, Number]], type_: str) -> Node:
    """The product of bases to exponents, one after the other where `reassoc` is not allowed."""
    return monomial(g, [each for each in parts if each[1] != 0], type_)


def scaled(g: Graph, coefficient: Number, node: Node) -> Node:
    """A number times a node."""
    return linear(g, [(coefficient, node)], ZERO, node.type)


def combined(g: Graph, parts: Iterable[tuple[Number, Node]], constant: Number, type_: str) -> Node:
    """A sum."""
    return linear(g, parts, constant, type_)


def without(items: list[tuple[Number, Node]], *places: int) -> list[tuple[Number, Node]]:
    """The list without the elements at some places."""
    return [each for place, each in enumerate(items) if place not in places]


def pairs(count: int) -> Iterator[tuple[int, int]]:
    """All ordered pairs of different places."""
    return ((i, j) for i in range(count) for j in range(count) if i != j)
