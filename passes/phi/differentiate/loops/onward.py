"""Tangents of loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tapeless.passes.phi.differentiate.loops.definitions import definition, named
from tapeless.passes.phi.differentiate.loops.opening import opening
from tapeless.passes.phi.differentiate.loops.sensitivities import Tangents, tangents_of_loop
from tapeless.passes.phi.graph.branches import compare, gamma
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import powers, states
from tapeless.passes.phi.graph.loops.array_terms import array_of, element
from tapeless.passes.phi.graph.loops.ranges import reduction
from tapeless.passes.phi.graph.nodes import Body, Node
from tapeless.passes.phi.graph.numbers import number
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add, scale
from tapeless.passes.phi.graph.walk import bind, substitute

Moved = Mapping[Node, Node]


def tangent_of_loop(g: Graph, node: Node, moved: Moved, tangents: Tangents) -> Node:
    """The tangent of a loop with one result."""
    rule = ONWARD.get(node.name)
    if rule:
        return rule(g, node, moved, tangents)
    found = _by_definition(g, node, 0, moved, tangents)
    assert found is not None
    return found


def tangent_of_part(g: Graph, of: Node, place: int, moved: Moved, tangents: Tangents) -> Node | None:
    """The tangent of one of the results of a loop; None where it does not change."""
    if of.name == "affine_pow":
        steps, base = of.args
        order = place // 2 + 1
        return multiply(g, scale(g, number(order), powers(g, steps, base, order)[place % 2]), moved[base])
    return _by_definition(g, of, place, moved, tangents)


def _by_definition(g: Graph, node: Node, place: int, moved: Moved, tangents: Tangents) -> Node | None:
    """The tangent of one of the results of a loop, from the recurrence that it is the solution of."""
    of = named(g, node, moved)
    known = {symbol: moved[each] for symbol, each in of.meant.items()}
    change = tangents_of_loop(g, definition(g, of.loop), known, tangents).get(place)
    return None if change is None else of.closed(g, [change])[0]


def _in_body(g: Graph, body: Body, moved: Moved, tangents: Tangents) -> tuple[list[Node], list[Node], list[Node]]:
    """Fresh parameters, results, and the tangents of results."""
    opened = opening(g, body, moved, elements=False)
    towards = {symbol: g.fresh(symbol.type) for symbol in opened.outer}
    found = tangents(g, opened.results, towards)
    known = {change: moved[opened.outer[symbol]] for symbol, change in towards.items()}
    both = opened.closed(g, substitute(g, [*opened.results, *found], known))
    return opened.parameters, both[: len(found)], both[len(found) :]


def _sum(g: Graph, node: Node, moved: Moved, tangents: Tangents) -> Node:
    index, _, changes = _in_body(g, node.bodies[0], moved, tangents)
    return reduction(g, "sum", node.args[0], node.args[1], bind(g, index, changes))


def _map(g: Graph, node: Node, moved: Moved, tangents: Tangents) -> Node:
    index, _, changes = _in_body(g, node.bodies[0], moved, tangents)
    return array_of(g, node.args[0], bind(g, index, changes), node.type)


def _extreme(g: Graph, node: Node, moved: Moved, tangents: Tangents) -> Node:
    low, high = node.args
    (index,), _, changes = _in_body(g, node.bodies[0], moved, tangents)
    place = reduction(g, f"arg{node.name}", low, high, node.bodies[0])
    (change,) = substitute(g, changes, {index: place})
    return gamma(g, compare(g, "lt", low, high), change, g.constant(0, node.type), lazy=True)


def _states(g: Graph, node: Node, moved: Moved, tangents: Tangents) -> Node:
    """The tangents of states are states of a recurrence with the same factors."""
    steps, first = node.args
    (step,), (factor, _), (factor_change, offset_change) = _in_body(g, node.bodies[0], moved, tangents)
    given = add(g, multiply(g, factor_change, element(g, node, step)), offset_change)
    start = moved.get(first) or g.constant(0, first.type)
    return states(g, steps, start, bind(g, [step], [factor, given]))


ONWARD: dict[str, Callable[[Graph, Node, Moved, Tangents], Node]] = {
    "sum": _sum,
    "map": _map,
    "max": _extreme,
    "min": _extreme,
    "affine_states": _states,
}
