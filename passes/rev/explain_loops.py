"""The pass `rev-explain-loops`: says of every loop how its return sweep goes."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.inverses.table import INVERSES
from tapeless.passes.ad.reversible.plan import plan_of
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.search import ops_named

WAY = "rev.way"
BACKWARDS = "runs backwards"
STORED = "stores states: "


@dataclass(frozen=True)
class ExplainLoops(FunctionPass):
    """Marks each `scf.for` with how the method `reversible` goes back through it, and why not the other way.

    ```mlir
    scf.for %i = %a to %b step %s iter_args(%x = %x0) { %y = arith.addf %x, %c  scf.yield %y }

    scf.for ... {rev.way = "runs backwards"}

    scf.for %i = %a to %b step %s iter_args(%x = %x0) { %y = arith.mulf %x, %x  scf.yield %y }

    scf.for ... {rev.way = "stores states: carried value 0 cannot be found again from what 'arith.mulf' makes of it"}
    ```
    """

    name: ClassVar[str] = "rev-explain-loops"

    def run_on(self, function: ir.OpView) -> None:
        """Looks at every loop of the function."""
        for op in ops_named(function, "scf.for"):
            if len(op.operation.results):
                op.operation.attributes[WAY] = ir.StringAttr.get(way_of(op), op.context)


def way_of(op: ir.OpView) -> str:
    """How a loop goes back, in words."""
    plan = plan_of(op, INVERSES, {})
    return STORED + plan if isinstance(plan, str) else BACKWARDS
