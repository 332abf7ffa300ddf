"""Which merges become branches, and which a choice between two values that are both computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tapeless.passes.phi.cost import DIVISION, FUNCTIONS, OTHER_FUNCTION, ROOT
from tapeless.passes.phi.exchange.layout import Branch, Scope, laid_out
from tapeless.passes.phi.graph.branches import is_lazy
from tapeless.passes.phi.graph.nodes import Node

ARITHMETIC = {"div": DIVISION, "sqrt": ROOT}
FREE = ("constant", "symbol", "part", "barrier")
UNKNOWN = 60.0


def weight(node: Node) -> float:
    """The cost of a node when its arguments are there."""
    if node.kind in FREE:
        return 0.0
    if node.kind == "function":
        return FUNCTIONS.get(node.name, OTHER_FUNCTION)
    if node.kind == "instruction":
        return ARITHMETIC.get(node.name, 1.0)
    return UNKNOWN if node.kind in ("opaque", "loop") else 1.0


def cost(nodes: Iterable[Node]) -> float:
    """The cost of instructions together."""
    return sum(weight(node) for node in nodes)


# An arm that costs no more is computed always: a branch costs as much where its condition is hard to foresee.
CHEAP_ARM = 8
# What must not run unless the program runs it.
GUARDED = ("element", "loop", "opaque")


def with_branches(roots: Sequence[Node], given: Collection[Node] = ()) -> Scope:
    """Instructions in their places; merges whose arms are cheap and total are choices."""
    first = laid_out(roots, is_lazy, given)
    branching: set[Node] = set()
    _examine(first, branching)
    return laid_out(roots, lambda node: node in branching, given)


def _examine(scope: Scope, branching: set[Node]) -> float:
    """Adds the merges that are branches; gives the cost of the scope, without bound where it is guarded."""
    total = 0.0
    for item in scope.items:
        if isinstance(item, Branch):
            arms = [_examine(arm, branching) for arm in item.arms]
            if max(arms) > CHEAP_ARM:
                branching.update(item.merges)
            total += sum(arms) + len(item.merges)
        else:
            total += float("inf") if item.kind in GUARDED else weight(item)
    return total
