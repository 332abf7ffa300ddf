"""`soac-take-general`: branches of which one is always right, without the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import GENERAL
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class TakeGeneral:
    """Replaces marked branches outside of operators by their first way, which needs no look at the data.

    ```mlir
    %x = scf.if %product_is_zero { scans } else { quotients } {tapeless.general}      scans
    ```
    For targets whose host would have to wait for the condition.
    """

    name: ClassVar[str] = "soac-take-general"

    def run(self, module: ir.Module) -> None:
        """Replaces every such branch; what only the other way needs goes."""
        root = module.operation.opview
        marked = [op for op in ops_named(root, "scf.if") if GENERAL in op.attributes and is_outside_operators(op)]
        for op in marked:
            *operations, last = list(op.regions[0].blocks[0].operations)
            for inner in operations:
                inner.operation.move_before(op.operation)
            replace_op(op, list(last.operands))
        if marked:
            prune(root)
