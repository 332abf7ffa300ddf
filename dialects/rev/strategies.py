"""How the states of a chain are kept: by Treeverse or by Bennett's scheme, and how many."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.verification import Problems

# The least budget of each: kept states, or parts of a stretch.
LEAST = {"treeverse": 1, "bennett": 2}


def strategy_problems(op: ir.OpView) -> Problems:
    """The strategy must be known and its budget large enough."""
    strategy, budget = op.strategy.value, op.budget.value
    if strategy not in LEAST:
        yield f"has the unknown strategy {strategy!r}; use one of {', '.join(LEAST)}"
    if budget < LEAST[strategy]:
        yield f"has budget = {budget}; allow at least {LEAST[strategy]} with {strategy}"
