"""`rev-expand-compute`: compute blocks written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dialects import rev
from tapeless.passes.rev.blocks import body_blocks, procedures, statements
from tapeless.passes.rev.inverse import invert_block


@dataclass(frozen=True)
class ExpandCompute:
    """Replaces every `rev.compute` by what it computes, its use, and the inverse of what it computed.

    ```mlir
    "rev.compute"() ({                                             "rev.neg"(%x) : (memref<f64>) -> ()
      "rev.neg"(%x) : (memref<f64>) -> ()                          "rev.swap"(%y, %z) : ...
    }, {                                                           "rev.neg"(%x) : (memref<f64>) -> ()
      "rev.swap"(%y, %z) : ...
    }) : () -> ()
    ```
    Blocks must be normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-expand-compute"

    def run(self, module: ir.Module) -> None:
        for op in procedures(module):
            expand_below(op)


def expand_below(op: ir.OpView) -> None:
    """Writes out the compute blocks of an operation and below, inner ones first."""
    for block in body_blocks(op):
        for statement in statements(block):
            expand_below(statement)
            if isinstance(statement, rev.ComputeOp):
                _write_out(statement)


def _write_out(op: ir.OpView) -> None:
    undone = op.operation.clone(ip=ir.InsertionPoint(op)).opview
    invert_block(undone.compute.blocks[0])
    for block in (op.compute.blocks[0], op.use.blocks[0], undone.compute.blocks[0]):
        for inner in list(block.operations):
            inner.operation.move_before(op.operation)
    undone.operation.erase()
    op.operation.erase()
