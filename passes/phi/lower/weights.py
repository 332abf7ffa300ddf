"""What instructions cost, in the units of expressions."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless.passes.phi.cost import DIVISION, FUNCTIONS, OTHER_FUNCTION, ROOT
from tapeless.passes.phi.graph.nodes import Node

ARITHMETIC = {"div": DIVISION, "sqrt": ROOT}
FREE = ("constant", "symbol", "part", "barrier")
UNKNOWN = 60.0


def weight(node: Node) -> float:
    """What computing a node costs when its arguments are there."""
    if node.kind in FREE:
        return 0.0
    if node.kind == "function":
        return FUNCTIONS.get(node.name, OTHER_FUNCTION)
    if node.kind == "instruction":
        return ARITHMETIC.get(node.name, 1.0)
    return UNKNOWN if node.kind in ("opaque", "loop") else 1.0


def cost(nodes: Iterable[Node]) -> float:
    """What instructions cost together."""
    return sum(weight(node) for node in nodes)
