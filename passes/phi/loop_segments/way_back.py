"""What counted loops cost that run twice, beside the way back through loops that have stored their states."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.cost import ITERATION, LOAD, SIMPLE, UNKNOWN_STEPS, cost, cost_of
from tapeless.passes.phi.differentiate.reverse import adjoints
from tapeless.passes.phi.graph.contents import inside
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Body, Node

STORE = SIMPLE


def is_dear_to_repeat(g: Graph, roots: Sequence[Node]) -> bool:
    """Whether counted loops cost more than half of the way back through them."""
    loops = [node for node in inside(roots) if node.kind == "loop"]
    if any(node.name != "iterate" for node in loops):
        return False
    back = sum(UNKNOWN_STEPS * (ITERATION + _cost_back(g, body)) for node in loops for body in node.bodies)
    return 2 * cost(roots) > back


def _cost_back(g: Graph, body: Body) -> float:
    """The adjoints of a step, operation by operation, and what they read of the way forward."""
    forward = set(inside(body.results))
    seeds = {root: g.symbol(("seed", k), root.type) for k, root in enumerate(body.results) if root.is_float}
    wanted = [node for node in inside(body.results) if node.kind == "symbol" and node.is_float]
    made = [node for node in inside(adjoints(g, seeds, wanted)) if node not in forward]
    stored = {each for node in made for each in node.args if each in forward and _changes(each, body)}
    return sum(map(cost_of, made)) + (STORE + LOAD) * len(stored)


def _changes(node: Node, body: Body) -> bool:
    return node in body.parameters if node.kind == "symbol" else node.kind != "constant"
