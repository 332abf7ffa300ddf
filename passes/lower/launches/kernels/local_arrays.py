"""Small arrays of a thread, made where its kernel begins: only there does LLVM make numbers in registers of them."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named


def make_at_start(kernel: ir.Operation) -> None:
    """Moves the arrays of fixed size that branches and loops of a kernel make for themselves to its start."""
    block = kernel.regions[0].blocks[0]
    for view in ops_named(kernel.opview, "memref.alloca"):
        op = view.operation
        if not len(op.operands) and op.block != block and not _is_handed_on(op.results[0]):
            op.move_before(block.operations[0])


def _is_handed_on(array: ir.Value) -> bool:
    """Whether the producer of the array may make the next one before the last use of this one."""
    return any(len(use.owner.operation.regions) or use.owner.operation.name == "scf.yield" for use in array.uses)
