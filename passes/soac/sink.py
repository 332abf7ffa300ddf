"""Loops moved into the `soac.with_acc` that alone reads what they make, where they can be fused with its loops."""

from __future__ import annotations

from tapeless._mlir import ir

from .costs import is_check
from .scopes import is_inside

LOOPS = ("soac.map", "soac.fused")


def sink_into_accumulations(root: ir.OpView) -> None:
    """Moves producers into every `soac.with_acc` below `root`, outer ones first."""
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                if op.operation.name == "soac.with_acc":
                    _sink_into(op)
                sink_into_accumulations(op)


def _sink_into(target: ir.OpView) -> None:
    """Moves loops from before `target` into it, last first, so that producers of producers follow."""
    before = [op for op in target.operation.block.operations if op.operation.is_before_in_block(target.operation)]
    for op in reversed(before):
        if op.operation.name in LOOPS and not is_check(op) and _is_read_only_in(op, target):
            op.operation.move_before(target.body.blocks[0].operations[0].operation)


def _is_read_only_in(op: ir.OpView, target: ir.OpView) -> bool:
    users = [use.owner.operation for result in op.results for use in result.uses]
    return bool(users) and all(is_inside(user, target.operation) for user in users)
