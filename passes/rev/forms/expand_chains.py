"""The pass `rev-expand-chains`: chains become accumulations of the results of a loop."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import rev
from tapeless.dialects.ad.marks import BENNETT, BUDGET
from tapeless.dialects.rev.cells import value_type
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import copy_op
from tapeless.passes.ir.search import ops_named
from tapeless.passes.rev.blocks import procedures


@dataclass(frozen=True)
class ExpandChains:
    """Replaces every `rev.chain` by one `rev.accum` per target, whose value is that of a loop.

    ```mlir
    "rev.chain"(%n, %x, %y) ({ step }) {kind = "add", strategy = "treeverse", budget = 8 : i64, ...}
    ```
    becomes
    ```mlir
    "rev.accum"(%y) ({
      %v = memref.load %x[] : memref<f64>
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f64) { step } {ad.budget = 8 : i64}
      "rev.yield"(%last) : (f64) -> ()
    }) {kind = "add"} : (memref<f64>) -> ()
    ```
    Loops for Bennett's scheme get `ad.bennett`, too; `ad-schedule-retraces` runs them by it. Loops of several targets
    are equal, and one of them is left in core IR.
    """

    name: ClassVar[str] = "rev-expand-chains"

    def run(self, module: ir.Module) -> None:
        for procedure in procedures(module):
            for op in ops_named(procedure, rev.ChainOp.OPERATION_NAME):
                with ir.InsertionPoint(op), op.location:
                    for number, target in enumerate(op.targets):
                        _accumulation(op, number, target)
                op.operation.erase()


def _accumulation(op: ir.OpView, number: int, target: ir.Value) -> None:
    """The statement that adds one of the last states to its target."""
    names = ("kind", *(name for name in ("checks", "atol", "rtol") if name in op.attributes))
    made = ir.Operation.create(
        rev.AccumOp.OPERATION_NAME,
        operands=[target],
        attributes={name: op.attributes[name] for name in names},
        regions=1,
    )
    with ir.InsertionPoint(ir.Block.create_at_start(made.regions[0])):
        rev.YieldOp([_loop(op).results[number]])


def _loop(op: ir.OpView) -> scf.ForOp:
    """All steps, from the states that the cells hold."""
    loop = scf.ForOp(index(0), op.steps, index(1), [_held(cell) for cell in op.starts])
    loop.operation.attributes[BUDGET] = op.budget
    if op.strategy.value == "bennett":
        loop.operation.attributes[BENNETT] = ir.UnitAttr.get()
    block = op.step.blocks[0]
    values = dict(zip(block.arguments, [loop.induction_variable, *loop.inner_iter_args], strict=True))
    with ir.InsertionPoint(loop.body):
        *statements, last = block.operations
        for statement in statements:
            copy_op(statement, values)
        scf.YieldOp([values.get(value, value) for value in last.operation.operands])
    return loop


def _held(cell: ir.Value) -> ir.Value:
    """The contents of a cell."""
    if cell.type.rank == 0:
        return memref.LoadOp(cell, []).result
    return rev.ReadOp(cell, [], value_type(cell.type)).out
