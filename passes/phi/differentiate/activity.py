"""Which nodes lie between what is differentiated and what it is differentiated in, and who uses them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside


@dataclass(frozen=True)
class Flows:
    """The active nodes in order, and for each of them the active nodes that use it."""

    nodes: list[Node]
    users: dict[Node, set[Node]]

    def below(self, node: Node) -> list[Node]:
        """The active nodes that a node is made of, itself included, in order."""
        return [each for each in inside([node]) if each in self.users]


def flows_between(g: Graph, roots: Sequence[Node], wanted: Sequence[Node]) -> Flows:
    """Derivatives flow through floats; not into conditions, indices and numbers of steps."""
    active = set(wanted)
    nodes = inside(roots)
    for node in nodes:
        if node.is_float and any(arg in active for arg in differentiable(node)):
            active.add(node)
    users: dict[Node, set[Node]] = {node: set() for node in nodes if node in active}
    for node in users:
        for arg in differentiable(node):
            if arg in users:
                users[arg].add(node)
    return Flows(list(users), users)


def differentiable(node: Node) -> tuple[Node, ...]:
    """The arguments that derivatives may flow into."""
    if node.kind == "gamma":
        return node.args[1:]
    if node.kind in ("compare", "logic", "element"):
        return ()
    return node.args
