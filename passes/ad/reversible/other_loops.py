"""Loops that cannot be undone, or went astray.

The first store all states, or with a budget few of them at a time. Those that went astray were to take no memory that
grows with the number of iterations, so they never store all.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import BUDGET
from tapeless.passes.ad.redundant.control import loops as stored
from tapeless.passes.ad.redundant.control.loops import LoopEnds
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.retrace import Keeping
from tapeless.passes.ad.reversible.chain.loops import chain_bars, chain_forward

# Treeverse visits 561 steps in 2 rounds with it, 6,545 in 3, 58,905 in 4, 435,897 in 5.
STATES_AGAIN = 32


def forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop, and stores its states unless it has a budget."""
    (chain_forward if budget_of(op) else stored.for_forward)(sweep, op)


def back(sweep: Sweep, ends: LoopEnds) -> list[ir.Value]:
    """The adjoints that a loop's ends take, from stored states or by finding them again within the budget."""
    budget = budget_of(ends.op)
    return chain_bars(sweep, ends, Keeping.of(ends.op, budget)) if budget else stored.return_loop(sweep, ends)


def again(sweep: Sweep, ends: LoopEnds) -> list[ir.Value]:
    """The same for a loop that ran without leaving anything: as a chain within its budget, if it has one."""
    return chain_bars(sweep.scope(), ends, Keeping.of(ends.op, budget_of(ends.op) or STATES_AGAIN))


def budget_of(op: ir.OpView) -> int:
    """How many states a user lets a loop keep; 0 for any number."""
    attributes = op.operation.attributes
    return ir.IntegerAttr(attributes[BUDGET]).value if BUDGET in attributes else 0
