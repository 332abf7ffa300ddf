"""Widened arrays whose size no loop changes get it back."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.regions.slots import argument_for
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.soac.simplify.known_writes import kept_sizes

LOOPS = ("scf.for", "scf.while")


def narrow_kept_sizes(op: ir.OpView) -> ir.OpView | None:
    """`soac.widen` becomes a cast, which upstream passes fold, unless a loop that starts from it changes the size."""
    with kept_sizes():
        changes = any(_changes_size(use.owner, use.operand_number) for use in op.results[0].uses)
    if changes:
        return op
    replace_op(op, [op.operands[0]])
    return None


def _changes_size(user: ir.OpView, position: int) -> bool:
    """Whether an operation is a loop that carries this operand and may change its size."""
    if user.operation.name not in LOOPS:
        return False
    argument, start = argument_for(user, position), user.operands[position]
    if argument is None:
        return False
    return any(size_of(argument, axis) != size_of(start, axis) for axis in range(start.type.rank))
