"""How the states of a chain are kept: by Treeverse, by Bennett's scheme or by bisection, and how many."""

from __future__ import annotations

from collections.abc import Mapping

from tapeless._mlir import ir
from tapeless.dialects.verification import Problems

# The least budget of each: kept states, or parts of a stretch.
OF_CHAINS = {"treeverse": 1, "bennett": 2}
OF_RETRACES = OF_CHAINS | {"bisection": 1}


def strategy_problems(op: ir.OpView, least: Mapping[str, int]) -> Problems:
    """The strategy must be known and its budget large enough."""
    strategy, budget = op.strategy.value, op.budget.value
    if strategy not in least:
        yield f"has the unknown strategy {strategy!r}; use one of {', '.join(least)}"
    if budget < least[strategy]:
        yield f"has budget = {budget}; allow at least {least[strategy]} with {strategy}"
