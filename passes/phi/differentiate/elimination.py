"""Jacobians by elimination: the values between inputs and results are taken out of the graph of partial derivatives.

Taking one out multiplies each partial derivative in it with each of it, so the one with the fewest such pairs goes
first (Markowitz). Forward and reverse mode are the orders from first to last and from last to first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.phi.differentiate.partials import PARTIALS, partials
from tapeless.passes.phi.graph.contents import dependent
from tapeless.passes.phi.graph.graph import Graph
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.graph.products import multiply
from tapeless.passes.phi.graph.sums import add
from tapeless.passes.phi.graph.walk import inside

# Which of the values that are left goes next, by how many multiplications it takes and where it stands.
Order = Callable[[int, int], tuple[int, ...]]
ORDERS: dict[str, Order] = {
    "markowitz": lambda pairs, place: (pairs, -place),
    "forward": lambda pairs, place: (place,),
    "reverse": lambda pairs, place: (-place,),
}


@dataclass
class Elimination:
    """Partial derivatives as edges of a computational graph, for vertex elimination; results have numbers as names."""

    graph: Graph
    inputs: Sequence[Node]
    order: str = "markowitz"
    multiplications: int = 0
    _into: dict[Node | int, dict[Node, Node]] = field(default_factory=dict)
    _out_of: dict[Node, dict[Node | int, None]] = field(default_factory=dict)

    def jacobian(self, roots: Sequence[Node]) -> list[Node]:
        """For each root its partial derivatives in all inputs."""
        active = dependent(roots, self.inputs)
        between = [node for node in inside(roots) if node in active and node not in self.inputs]
        for node in between:
            for arg, partial in partials(self.graph, node):
                if arg in active:
                    self._connect(arg, node, partial)
        for place, root in enumerate(roots):
            self._into[place] = {}
            if root in active:
                self._connect(root, place, self.graph.constant(1, root.type))
        while between:
            following = min(between, key=lambda node: ORDERS[self.order](self._pairs(node), node.place))
            between.remove(following)
            self._take_out(following)
        zeros = [self.graph.constant(0, root.type) for root in roots]
        return [self._into[place].get(each, zeros[place]) for place in range(len(roots)) for each in self.inputs]

    def _pairs(self, node: Node) -> int:
        return len(self._into.get(node, {})) * len(self._out_of.get(node, {}))

    def _take_out(self, node: Node) -> None:
        for user in self._out_of.pop(node, {}):
            outer = self._into[user].pop(node)
            for arg, inner in self._into.get(node, {}).items():
                self.multiplications += not (_is_unit(outer) or _is_unit(inner))
                self._connect(arg, user, multiply(self.graph, outer, inner))
        for arg in self._into.pop(node, {}):
            self._out_of[arg].pop(node, None)

    def _connect(self, arg: Node, user: Node | int, partial: Node) -> None:
        known = self._into.setdefault(user, {}).get(arg)
        self._into[user][arg] = partial if known is None else add(self.graph, known, partial)
        self._out_of.setdefault(arg, {})[user] = None


def can_eliminate(roots: Sequence[Node], inputs: Sequence[Node]) -> bool:
    """Whether all partial derivatives are plain values: no loops, and no branches, whose arms have theirs apart."""
    active = dependent(roots, inputs)
    return all(node in inputs or node.kind in PARTIALS for node in active)


def _is_unit(node: Node) -> bool:
    return node.kind == "constant" and abs(node.constant) == 1
