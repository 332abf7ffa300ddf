"""What the way back through loops costs that have stored their states."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.cost import ITERATION, LOAD, SIMPLE, UNKNOWN_STEPS, cost_of
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.graph.contents import inside
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

STORE = SIMPLE


def cost_back(g: Graph, roots: Sequence[Node]) -> float:
    """The adjoints of all steps, operation by operation, and what they read of the way forward."""
    return sum(
        UNKNOWN_STEPS * (ITERATION + _cost_of_step(g, body))
        for node in inside(roots)
        if node.kind == "loop"
        for body in node.bodies
    )


def _cost_of_step(g: Graph, body: Body) -> float:
    forward = set(inside(body.results))
    seeds = {root: g.symbol(("seed", k), root.type) for k, root in enumerate(body.results) if root.is_float}
    wanted = [node for node in forward if node.kind == "symbol" and node.is_float]
    made = [node for node in inside(adjoints(g, seeds, wanted)) if node not in forward]
    stored = {each for node in made for each in node.args if each in forward and _changes(each, body)}
    return sum(map(cost_of, made)) + (STORE + LOAD) * len(stored)


def _changes(node: Node, body: Body) -> bool:
    return node in body.parameters if node.kind == "symbol" else node.kind != "constant"
