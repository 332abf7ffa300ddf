"""Tangents: derivatives of nodes along directions of some symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless.passes.phi.differentiate.activity import carries, differentiable, flow_order
from tapeless.passes.phi.differentiate.loops.onward import tangent_of_loop, tangent_of_part
from tapeless.passes.phi.differentiate.partials import partials
from tapeless.passes.phi.graph.branches import gamma, is_lazy
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import element
from tapeless.passes.phi.graph.loops.recurrences import PARTS
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total


def tangents(g: Graph, roots: Sequence[Node], directions: Mapping[Node, Node]) -> list[Node]:
    """The tangent of every root; zero for those that do not depend on a symbol with a direction."""
    moved: dict[Node, Node] = dict(directions)
    for node in flow_order(roots):
        if node in moved or not carries(node) or node.type == PARTS:
            continue
        found = _tangent(g, node, moved)
        if found is not None:
            moved[node] = found
    return [moved.get(root) or g.constant(0, root.type) for root in roots]


def _tangent(g: Graph, node: Node, moved: Mapping[Node, Node]) -> Node | None:
    """The tangent of a node by those of its arguments; None where none of them has one."""
    if node.kind == "part":
        of = node.args[0]
        if not any(each in moved for each in differentiable(of)):
            return None
        return tangent_of_part(g, of, node.data[0], moved, tangents)  # type: ignore[arg-type]
    if not any(each in moved for each in differentiable(node)):
        return None
    if node.kind == "gamma":
        zero = g.constant(0, node.type)
        return gamma(g, node.args[0], *(moved.get(arm) or zero for arm in node.args[1:]), lazy=is_lazy(node))
    if node.kind == "element":
        return element(g, moved[node.args[0]], *node.args[1:])
    if node.kind == "loop":
        return tangent_of_loop(g, node, moved, tangents)
    return total(g, [multiply(g, moved[arg], slope) for arg, slope in partials(g, node) if arg in moved], node.type)
