"""Sinks operations that only the second way of a guarded branch needs into it."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import ancestor_in

SCALAR_CODE = ("arith.", "math.", "soac.fn", "soac.guard")


def sink_into_second_way(branch: ir.Operation) -> None:
    """Moves the scalar operations before a branch that nothing else uses, the last one first."""
    block, rare = branch.block, branch.regions[1].blocks[0]
    before: list[ir.Operation] = []
    for op in block.operations:
        if op.operation == branch:
            break
        before.append(op.operation)
    for op in reversed(before):
        if op.name.startswith(SCALAR_CODE) and op.name != "arith.constant" and _is_used_only_in(rare, op):
            op.move_before(rare.operations[0].operation)


def _is_used_only_in(block: ir.Block, op: ir.Operation) -> bool:
    uses = [use.owner for result in op.results for use in result.uses]
    return bool(uses) and all(ancestor_in(block, use.operation) is not None for use in uses)
