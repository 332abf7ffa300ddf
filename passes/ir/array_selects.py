"""Choices between arrays as branches."""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.rebuild import replace_op


def branch_on_arrays(root: ir.OpView) -> None:
    """Converts selects of arrays, which folding makes of branches, back into branches.

    ```mlir
    %x = arith.select %c, %a, %b : tensor<?xf64>      %x = scf.if %c { yield %a } else { yield %b }
    ```
    """
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                branch_on_arrays(op)
                if op.operation.name == "arith.select" and is_array(op.results[0]) and not is_array(op.operands[0]):
                    _branch(op)


def _branch(op: ir.OpView) -> None:
    condition, then, other = op.operands
    with ir.InsertionPoint(op), op.location:
        choice = scf.IfOp(condition, [op.results[0].type], has_else=True)
        for block, value in ((choice.then_block, then), (choice.else_block, other)):
            with ir.InsertionPoint(block):
                scf.YieldOp([value])
    replace_op(op, list(choice.results))
