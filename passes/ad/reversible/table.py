"""Every rule of the method `reversible` in one table: those of redundant execution, with another one for loops."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import BUDGET
from tapeless.passes.ad.redundant import table
from tapeless.passes.ad.redundant.loops import for_back as stored_back
from tapeless.passes.ad.redundant.loops import for_forward as stored_forward
from tapeless.passes.ad.redundant.sweep import Rules, Sweep
from tapeless.passes.ad.reversible.chain.loops import chain_back, chain_forward


def for_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Stores the states of a loop unless it has a budget."""
    (chain_forward if BUDGET in op.operation.attributes else stored_forward)(sweep, op)


def for_back(sweep: Sweep, op: ir.OpView) -> None:
    """Reads the stored states of a loop, or finds them again within its budget."""
    if BUDGET in op.operation.attributes:
        chain_back(sweep, op, ir.IntegerAttr(op.operation.attributes[BUDGET]).value)
    else:
        stored_back(sweep, op)


RULES = Rules(
    forward={**table.RULES.forward, "scf.for": for_forward},
    back={**table.RULES.back, "scf.for": for_back},
)
