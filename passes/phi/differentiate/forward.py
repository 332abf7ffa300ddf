"""Tangents: what directions of some symbols make of the nodes that depend on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless.passes.phi.differentiate.partials import partials
from tapeless.passes.phi.graph.branches import gamma
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import total
from tapeless.passes.phi.graph.walk import inside


def tangents(g: Graph, roots: Sequence[Node], directions: Mapping[Node, Node]) -> list[Node]:
    """The tangent of every root; zero for those that do not depend on a symbol with a direction."""
    moved: dict[Node, Node] = dict(directions)
    for node in inside(roots):
        if node in moved or not node.is_float:
            continue
        if node.kind == "gamma":
            arms = [moved.get(arm) for arm in node.args[1:]]
            if any(arm is not None for arm in arms):
                zero = g.constant(0, node.type)
                moved[node] = gamma(g, node.args[0], *(zero if arm is None else arm for arm in arms))
            continue
        parts = [multiply(g, moved[arg], slope) for arg, slope in partials(g, node) if arg in moved]
        if parts:
            moved[node] = total(g, parts, node.type)
    return [moved.get(root) or g.constant(0, root.type) for root in roots]
