"""A node made again of other arguments, by the builder of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.branches import compare, connect, gamma, is_lazy, negation
from tapeless.passes.phi.graph.functions import function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import powers
from tapeless.passes.phi.graph.loops.arrays import element, size
from tapeless.passes.phi.graph.loops.casts import CAST, cast
from tapeless.passes.phi.graph.loops.normal import LOOPS
from tapeless.passes.phi.graph.loops.recurrences import part
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.products import monomial, raised
from tapeless.passes.phi.graph.sums import linear

Builder = Callable[[Graph, Node, Sequence[Node]], Node]


def _constant(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return g.constant(node.constant, node.type)


def _symbol(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return g.node("symbol", node.type, data=node.data)


def _sum(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return linear(g, zip(node.coefficients, args, strict=True), node.constant, node.type)


def _product(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    if len(args) == 1:
        return raised(g, args[0], node.exponents[0])
    return monomial(g, zip(args, node.exponents, strict=True), node.type)


def _function(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    if node.name == CAST:
        return cast(g, args[0], node.type)
    return function(g, node.name, *args)


def _compare(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return compare(g, node.name, *args)


def _logic(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return negation(g, args[0]) if node.name == "not" else connect(g, node.name, *args)


def _gamma(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return gamma(g, *args, lazy=is_lazy(node))


def _element(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return element(g, *args)


def _size(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return size(g, args[0], node.data[0])  # type: ignore[arg-type]


def _part(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    place: int = node.data[0]  # type: ignore[assignment]
    if args[0].name == "affine_pow":
        steps, base = args[0].args
        return powers(g, steps, base, place // 2)[place % 2]
    return part(g, args[0], place, node.type)


def _as_it_is(g: Graph, node: Node, args: Sequence[Node]) -> Node:
    return g.node(node.kind, node.type, args, node.data)


BUILDERS: dict[str, Builder] = {
    "constant": _constant,
    "symbol": _symbol,
    "sum": _sum,
    "product": _product,
    "function": _function,
    "compare": _compare,
    "logic": _logic,
    "gamma": _gamma,
    "element": _element,
    "size": _size,
    "part": _part,
    "barrier": _as_it_is,
    "opaque": _as_it_is,
}


def rebuilt(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    """The node with other arguments, and other bodies if it is a loop."""
    if node.kind == "loop":
        return LOOPS[node.name](g, node, args, bodies)
    return BUILDERS[node.kind](g, node, args)
