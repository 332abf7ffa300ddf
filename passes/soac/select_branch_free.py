"""`soac-select-branch-free`: guarded branches of which the exact way is as good as the fast one, without the latter."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.guards import BRANCH_FREE, exact_way
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class SelectBranchFree:
    """Keeps the branch-free way of a guarded branch, so that no condition is read back from the device.

    ```mlir
    %ok = "soac.guard"(%product_is_not_zero) {exact = "branch-free"}      scans
    %x = scf.if %ok { quotients } else { scans }
    ```
    For targets whose host would have to wait for the condition.
    """

    name: ClassVar[str] = "soac-select-branch-free"

    def run(self, module: ir.Module) -> None:
        """Replaces every such branch, and removes the operations that only the other way needs."""
        root = module.operation.opview
        branches = [op for op in ops_named(root, "scf.if") if exact_way(op) == BRANCH_FREE and is_outside_operators(op)]
        for op in branches:
            *operations, last = list(op.regions[1].blocks[0].operations)
            for inner in operations:
                inner.operation.move_before(op.operation)
            replace_op(op, list(last.operands))
        if branches:
            prune(root)
