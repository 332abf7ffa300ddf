"""`rev-expand-compute`: compute blocks written out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.rev.accesses import Access, pairs_between, stands_in
from tapeless.passes.driver.inner import run_inner
from tapeless.passes.rev.blocks import body_blocks, procedures, statements
from tapeless.passes.rev.checks.aliasing import require_apart
from tapeless.passes.rev.inversion.inverse import invert_block
from tapeless.passes.rev.inversion.invert import Invert

CHANGED = "a compute block reads what is changed before it is taken back"


@dataclass(frozen=True)
class ExpandCompute:
    """Replaces every `rev.compute` by its computation, its use, and the inverse of its computation.

    ```mlir
    "rev.compute"() ({                                             "rev.neg"(%x) : (memref<f64>) -> ()
      "rev.neg"(%x) : (memref<f64>) -> ()                          "rev.swap"(%y, %z) : ...
    }, {                                                           "rev.neg"(%x) : (memref<f64>) -> ()
      "rev.swap"(%y, %z) : ...
    }) : () -> ()
    ```
    Calls on the way back call inverses, which `rev-invert` then adds. Blocks must be normal (`rev-normalise`).
    """

    name: ClassVar[str] = "rev-expand-compute"

    def run(self, module: ir.Module) -> None:
        for op in procedures(module):
            expand_below(op)
        run_inner(Invert(), module)


def expand_below(op: ir.OpView) -> None:
    """Writes out the compute blocks of an operation and below, inner ones first."""
    for block in body_blocks(op):
        for statement in statements(block):
            expand_below(statement)
            if isinstance(statement, rev.ComputeOp):
                _write_out(statement)


def _write_out(op: ir.OpView) -> None:
    _require_kept(op)
    undone = op.operation.clone(ip=ir.InsertionPoint(op)).opview
    invert_block(undone.compute.blocks[0])
    for block in (op.compute.blocks[0], op.use.blocks[0], undone.compute.blocks[0]):
        for inner in list(block.operations):
            inner.operation.move_before(op.operation)
    undone.operation.erase()
    op.operation.erase()


def _require_kept(op: ir.OpView) -> None:
    """Compares the cells that the use changes with those that the compute block reads, before either runs."""
    pairs = list(pairs_between(op.use, op.compute))
    if not pairs:
        return
    with ir.InsertionPoint(op), op.location:
        check = ir.Operation.create(rev.SafeOp.OPERATION_NAME, regions=1)
        with ir.InsertionPoint(ir.Block.create_at_start(check.regions[0])):
            for write, read in pairs:
                require_apart(op, _place(write), _place(read), CHANGED, _Rematerialised(op).value)


def _place(access: Access) -> tuple[ir.Value, Sequence[ir.Value]]:
    return access.cell, access.indices


@dataclass
class _Rematerialised:
    """Copies, in front of an operation, of the pure operations inside of it."""

    op: ir.OpView

    def value(self, value: ir.Value) -> ir.Value:
        """The value, computed again if it comes from inside."""
        if not stands_in(value, self.op):
            return value
        operands = [self.value(each) for each in value.owner.operands]
        made = value.owner.clone()
        for number, operand in enumerate(operands):
            made.operands[number] = operand
        return made.results[ir.OpResult(value).result_number]
