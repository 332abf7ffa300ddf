"""The pass `ad-take-steps`: derivatives are differentiated in the form that goes step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ad.prepare.functions import replace
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.guards import is_guarded, takes_steps
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class TakeSteps(FunctionPass):
    """Replaces guarded branches by their exact fallback, and those of loops by the fast path.

    ```mlir
    %ok = "soac.guard"(%whole) {exact = "operations"}                      operations
    %x = scf.if %ok { yield %whole } else { operations }
    ```
    What is made of the derivative may then be looked at as a whole again, and has the same steps to fall back on as the
    derivative of the program itself. Steps of loops would store states: what is made of their derivatives as a whole
    falls back on the program as it was.
    """

    name: ClassVar[str] = "ad-take-steps"

    def run_on(self, function: ir.OpView) -> None:
        """Replaces every such branch of a function, inner ones first; a short one may have become a choice."""
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
