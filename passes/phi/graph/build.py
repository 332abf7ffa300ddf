"""A node made again of other arguments, by the builder of its kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.branches import compare, connect, gamma, is_lazy, negation
from tapeless.passes.phi.graph.elementary import CAST, cast, function
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import powers, scan, states
from tapeless.passes.phi.graph.loops.array_terms import array_of, element, size
from tapeless.passes.phi.graph.loops.ranges import REDUCTIONS, reduction
from tapeless.passes.phi.graph.loops.recurrences import part, power_iteration
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.products import monomial, raised
from tapeless.passes.phi.graph.sums import linear

Builder = Callable[[Graph, Node, Sequence[Node]], Node]
Loop = Callable[[Graph, Node, Sequence[Node], tuple[Body, ...]], Node]


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


def _reduction(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return reduction(g, node.name, args[0], args[1], bodies[0])


def _scan(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return scan(g, args[0], args[1], bodies[0])


def _states(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return states(g, args[0], args[1], bodies[0])


def _map(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return array_of(g, args[0], bodies[0], node.type)


def _power_iteration(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return power_iteration(g, *args)


def _in_parts(g: Graph, node: Node, args: Sequence[Node], bodies: tuple[Body, ...]) -> Node:
    return g.node("loop", node.type, args, (node.name, *bodies))


LOOPS: dict[str, Loop] = {
    **dict.fromkeys(REDUCTIONS, _reduction),
    "affine_scan": _scan,
    "affine_states": _states,
    "map": _map,
    "pow_iter": _power_iteration,
    **dict.fromkeys(("iterate", "while", "affine_pow", "affine_iter", "matrix_pow"), _in_parts),
}
