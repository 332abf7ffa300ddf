"""Guarded branches, of which the way that is differentiated stays.

What is made of a derivative may then be looked at as a whole again, and has the same steps to fall back on as the
derivative of the program itself. Steps of loops would store states: what is made of their derivatives as a whole falls
back on the program as it was.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.prepare.functions import replace
from tapeless.passes.ir.guards import is_guarded, takes_steps
from tapeless.passes.ir.search import ops_named


def take_steps(function: ir.OpView) -> None:
    """Replaces guarded branches by their exact fallback, and those of loops by the fast path.

    ```mlir
    %ok = "soac.guard"(%whole) {exact = "operations"}                      operations
    %x = scf.if %ok { yield %whole } else { operations }
    ```
    Inner ones come first; a short branch may have become a choice.
    """
    for op in ops_named(function, "scf.if", "arith.select"):
        if is_guarded(op):
            replace(op, _taken(op, 0 if takes_steps(op) else 1))


def _taken(op: ir.OpView, way: int) -> list[ir.Value]:
    """The results of one way of a branch, whose operations are moved before the branch."""
    if op.operation.name == "arith.select":
        return [op.operation.operands[1 + way]]
    *steps, last = list(op.operation.regions[way].blocks[0].operations)
    for step in steps:
        step.operation.move_before(op.operation)
    return list(last.operation.operands)
