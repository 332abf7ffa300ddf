"""Branches of which the second way is hardly ever taken."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.marks import GUARDED, SOLVED


def is_guarded(op: ir.Operation | ir.OpView) -> bool:
    """Whether the condition of a branch says that the first way has finite numbers."""
    return _is_marked(op, GUARDED)


def is_solved(op: ir.Operation | ir.OpView) -> bool:
    """Whether it says so of derivatives of loops as a whole."""
    return _is_marked(op, SOLVED)


def _is_marked(op: ir.Operation | ir.OpView, mark: str) -> bool:
    condition = op.operation.operands[0]
    return not isinstance(condition, ir.BlockArgument) and mark in condition.owner.attributes


def number_tested(op: ir.Operation) -> ir.Value:
    """What the condition of a guarded branch looks at: zero, or no number."""
    return op.operands[0].owner.operands[0]


def widest(values: Sequence[ir.Value]) -> list[ir.Value]:
    """Floats, all in the widest type of them."""
    types = {value.type for value in values}
    if len(types) == 1:
        return list(values)
    wide = ir.F64Type.get()
    return [value if value.type == wide else arith.ExtFOp(wide, value).result for value in values]
