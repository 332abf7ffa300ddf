"""Sums of parallel iterations: cells that they share and only add to are accumulators while they run."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects import soac
from tapeless.dialects.rev.accesses import Access, accesses
from tapeless.dialects.rev.cells import base
from tapeless.dialects.rev.iterations import holds_floats_alone
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.ir.build import elementwise, is_array
from tapeless.passes.rev.to_core.state import State

WHILE = "rev.while"


def is_accumulator(state: State, cell: ir.Value) -> bool:
    """Whether iterations around add to a cell, or to the cell behind a view."""
    return isinstance(state.cells[base(cell)][0].type, soac.AccType)


def can_be_accumulators(state: State, op: ir.OpView, cells: Sequence[ir.Value]) -> bool:
    """Whether the additions of a loop's iterations to cells can be those to accumulators."""
    for cell in cells:
        if not is_array(state.cells[cell][0]) and not is_accumulator(state, cell):
            continue
        found = [access for access in accesses(op.body) if base(access.cell) == cell]
        if not holds_floats_alone(cell) or not all(_can_be_update(access, op) for access in found):
            return False
    return True


def _can_be_update(access: Access, op: ir.OpView) -> bool:
    """Whether an access is at leading indices or at an element, outside of loops with conditions."""
    around = access.op.operation.parent
    while around.operation != op.operation:
        if around.operation.name == WHILE:
            return False
        around = around.operation.parent
    return access.cell == base(access.cell) or (
        access.cell.type.rank == 0 and access.cell.owner.operands[0] == base(access.cell)
    )


def add_to(state: State, op: ir.OpView, value: ir.Value) -> None:
    """The update of an accumulator for an accumulation."""
    cell = base(op.target)
    indices = list(op.indices) if op.target == cell else list(op.target.owner.opview.offsets)
    if op.kind.value == "sub":
        value = elementwise(lambda x: arith.NegFOp(x).result, value)
    (acc,) = state.cells[cell]
    made = ir.Operation.create(
        "soac.update",
        results=[acc.type],
        operands=[acc, *state.left(cell, indices), value],
        attributes={IN_BOUNDS: ir.UnitAttr.get()},
    )
    state.cells[cell] = (made.results[0],)
