"""Choices by a number, one after the other: they are written as one `phi.switch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.graph.branches import is_lazy
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.walk import inside

INDEX = "index"
FEWEST_ARMS = 3


@dataclass(frozen=True)
class Switch:
    """The arm at the place that an index says; the last one for any other."""

    selector: Node
    arms: tuple[Node, ...]


def switches(nodes: Sequence[Node]) -> dict[Node, Switch]:
    """The merges among nodes that start a switch."""
    found = {node: _switch(node) for node in nodes}
    return {node: switch for node, switch in found.items() if switch is not None}


def unwritten(roots: Sequence[Node], found: Mapping[Node, Switch]) -> frozenset[Node]:
    """The nodes that only tell the arms of switches apart."""
    reached: set[Node] = set()
    left = list(roots)
    while left:
        node = left.pop()
        if node not in reached:
            reached.add(node)
            switch = found.get(node)
            left.extend(node.args if switch is None else (switch.selector, *switch.arms))
    return frozenset(inside(roots)) - reached if found else frozenset()


def _switch(node: Node) -> Switch | None:
    tested = _tested(node)
    if tested is None:
        return None
    selector = tested[0]
    arms: list[Node] = []
    while tested is not None and tested[0] is selector and tested[1].constant == len(arms):
        arms.append(node.args[1])
        node = node.args[2]
        tested = _tested(node)
    return Switch(selector, (*arms, node)) if len(arms) + 1 >= FEWEST_ARMS else None


def _tested(node: Node) -> tuple[Node, Node] | None:
    """Which index is compared with which number where a merge chooses."""
    if node.kind != "gamma" or is_lazy(node):
        return None
    condition = node.args[0]
    if condition.kind != "compare" or condition.name != "eq" or condition.args[0].type != INDEX:
        return None
    number, selector = sorted(condition.args, key=lambda each: each.kind != "constant")
    return (selector, number) if number.kind == "constant" and selector.kind != "constant" else None
