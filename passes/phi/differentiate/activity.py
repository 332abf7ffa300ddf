"""Activity analysis on expressions: nodes between roots and wanted symbols, with their users there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.contents import bodies_of, invariant
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.loops.array_terms import element_type, is_array
from tapeless.passes.phi.graph.loops.recurrences import PARTS
from tapeless.passes.phi.graph.nodes import FLOATS, Body, Node


@dataclass(frozen=True)
class Flows:
    """The active nodes in order, and for each of them the active nodes that use it."""

    nodes: list[Node]
    users: dict[Node, set[Node]]


def flows_between(g: Graph, roots: Sequence[Node], wanted: Sequence[Node]) -> Flows:
    """Derivatives flow through floats and arrays of them; not into conditions, indices and numbers of steps."""
    active = set(wanted)
    nodes = flow_order(roots)
    for node in nodes:
        if carries(node) and any(arg in active for arg in differentiable(node)):
            active.add(node)
    users: dict[Node, set[Node]] = {node: set() for node in nodes if node in active}
    for node in users:
        for arg in differentiable(node):
            if arg in users:
                users[arg].add(node)
    return Flows(list(users), users)


def flow_order(roots: Sequence[Node]) -> list[Node]:
    """The nodes that derivatives may come through on the way to roots, also from inside of loops."""
    found = {root.place: root for root in roots}
    left = list(found.values())
    while left:
        for arg in differentiable(left.pop()):
            if arg.place not in found:
                found[arg.place] = arg
                left.append(arg)
    return [found[place] for place in sorted(found)]


def differentiable(node: Node) -> Collection[Node]:
    """The nodes that derivatives may flow into; of a loop also the free values of its bodies."""
    if node.kind == "gamma":
        return node.args[1:]
    if node.kind in ("compare", "logic", "size"):
        return ()
    if node.kind == "element":
        return node.args[:1]
    if node.kind == "loop":
        return _of_loop(node)
    return node.args


def carries(node: Node) -> bool:
    """Whether a value may have a derivative: floats, arrays of them, and loops with several results."""
    return node.is_float or node.type == PARTS or (is_array(node.type) and element_type(node.type) in FLOATS)


@lru_cache(maxsize=4096)
def _of_loop(node: Node) -> tuple[Node, ...]:
    found = {each: None for each in node.args if carries(each)}
    for body in bodies_of(node):
        found |= {each: None for each in taken(body)}
    return tuple(found)


def taken(body: Body) -> list[Node]:
    """The free values of a body that may have a derivative; not those that only conditions read."""
    flowing = {each.place for each in flow_order(body.results)}
    return [each for each in invariant(body) if carries(each) and each.place in flowing]
