"""`soac-take-whole`: derivatives of loops as a whole in operators, without their steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.passes.ir.guards import is_solved
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class TakeWhole:
    """Replaces branches in operators that look at derivatives of loops as a whole by their first way.

    ```mlir
    %x = scf.if %finite { yield %whole } else { steps, back by their states }      %whole
    ```
    For targets on which each of many threads would need memory for the states of its loop.
    """

    name: ClassVar[str] = "soac-take-whole"

    def run(self, module: ir.Module) -> None:
        """Replaces every such branch; what only the other way needs goes."""
        root = module.operation.opview
        found = [op for op in ops_named(root, "scf.if") if is_solved(op) and not is_outside_operators(op)]
        for op in found:
            *operations, last = list(op.operation.regions[0].blocks[0].operations)
            for inner in operations:
                inner.operation.move_before(op.operation)
            replace_op(op, list(last.operation.operands))
        if found:
            prune(root)
