"""Which merges become branches, and which a choice between two values that are both computed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tapeless.passes.phi.exchange.layout import Branch, Scope, laid_out
from tapeless.passes.phi.graph.branches import is_lazy
from tapeless.passes.phi.graph.nodes import Node
from tapeless.passes.phi.lower.weights import weight

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
    """Adds the merges that are branches; gives what the scope costs, without bound where it is guarded."""
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
