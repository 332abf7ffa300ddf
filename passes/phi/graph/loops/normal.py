"""Loops made again of other arguments and bodies, in their normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.affine import scan, states
from tapeless.passes.phi.graph.loops.arrays import array_of
from tapeless.passes.phi.graph.loops.ranges import REDUCTIONS, reduction
from tapeless.passes.phi.graph.loops.recurrences import power_iteration
from tapeless.passes.phi.graph.nodes import Body, Node

Loop = Callable[[Graph, Node, Sequence[Node], tuple[Body, ...]], Node]


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
