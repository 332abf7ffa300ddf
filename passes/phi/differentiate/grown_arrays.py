"""Adjoints of arrays with closed forms of loops in them.

Such an array is one of values with a few numbers in common, and only these have closed forms, which are computed once.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.phi.differentiate.loops.sensitivities import NoClosedDerivativeError
from tapeless.passes.phi.graph.contents import bodies_of, inside, invariant
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.arrays import is_array
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import opened, substitute

GROWING = ("affine_pow", "affine_iter", "matrix_pow")
"""Loops that do not go through the values of every step."""


def refuse_repeated_forms(g: Graph, nodes: Sequence[Node]) -> None:
    """Refuses arrays of which every value would need a closed form of its own."""
    for node in nodes:
        if is_array(node.type) and _is_grown(node):
            if node.kind != "loop" or node.name != "map":
                raise NoClosedDerivativeError("values of an array depend on each other by a closed form")
            common = [each for each in invariant(node.bodies[0]) if each.is_float and _is_grown(each)]
            _, results = opened(g, node.bodies[0])
            if _is_grown(substitute(g, results, {each: g.constant(0, each.type) for each in common})[0]):
                raise NoClosedDerivativeError("every value of an array has a closed form of its own")


def _is_grown(node: Node) -> bool:
    """Whether a closed form of a loop is in a node."""
    return any(_is_growing(each) for each in inside([node]) if each.kind == "loop")


def _is_growing(loop: Node) -> bool:
    return loop.name in GROWING or any(_is_grown(each) for body in bodies_of(loop) for each in body.results)
