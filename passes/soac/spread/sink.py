"""Arrays of one number that only one variant of an operation needs: made there."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import VARIANTS


def sink_fills(root: ir.OpView) -> bool:
    """Moves every `tensor.splat` that is used inside of one branch of variants alone to its beginning."""
    changed = False
    for op in ops_named(root, "tensor.splat"):
        blocks = {_branch(use.owner.operation, op.operation.block) for use in op.results[0].uses}
        (block, *others) = blocks or {None}
        if block is not None and not others:
            op.operation.move_before(block.operations[0].operation)
            changed = True
    return changed


def _branch(user: ir.Operation, block: ir.Block) -> ir.Block | None:
    """The block of a branch of variants in this block that an operation lies in, if it lies in one."""
    while user.block != block:
        around = user.parent
        if around is None:
            return None
        if around.operation.block == block:
            return user.block if VARIANTS in around.operation.attributes else None
        user = around.operation
    return None
