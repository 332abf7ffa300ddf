"""Widened arrays whose size no loop changes get it back."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.shapes import size_of

FIRST_STATE = {"scf.for": 3, "scf.while": 0}
FIRST_ARGUMENT = {"scf.for": 1, "scf.while": 0}


def narrow_kept_sizes(op: ir.OpView) -> ir.OpView | None:
    """`soac.widen` becomes a cast, which upstream passes fold, unless a loop that starts from it changes the size."""
    if any(_changes_size(use.owner, use.operand_number) for use in op.results[0].uses):
        return op
    replace_op(op, [op.operands[0]])
    return None


def _changes_size(user: ir.OpView, position: int) -> bool:
    """Whether an operation is a loop that carries this operand and may change its size."""
    name = user.operation.name
    if name not in FIRST_STATE or position < FIRST_STATE[name]:
        return False
    number = position - FIRST_STATE[name] + FIRST_ARGUMENT[name]
    argument, start = user.regions[0].blocks[0].arguments[number], user.operands[position]
    return any(size_of(argument, axis) != size_of(start, axis) for axis in range(start.type.rank))
