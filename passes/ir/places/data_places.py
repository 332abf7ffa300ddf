"""Indices that are data: read from arrays, not counted by loops."""

from __future__ import annotations

from tapeless._mlir import ir

COUNTING = frozenset({"soac.map", "soac.fused", "scf.for"})
FUNCTION = "func.func"
READ = "tensor.extract"


def is_data(place: ir.Value) -> bool:
    """Whether an index depends on an element of an array, or on anything else that only running a loop tells."""
    pending, seen = [place], {place}
    while pending:
        value = pending.pop()
        if isinstance(value, ir.BlockArgument):
            if not _is_counted(value):
                return True
        elif value.owner.operation.name == READ or len(value.owner.regions):
            return True
        elif value.owner.operation.name != "tensor.dim":
            pending.extend(operand for operand in value.owner.operands if operand not in seen)
            seen.update(value.owner.operands)
    return False


def _is_counted(argument: ir.BlockArgument) -> bool:
    """Whether a block argument is the index of a loop or an argument of the function."""
    holder = argument.owner.owner.operation
    return holder.name == FUNCTION or (holder.name in COUNTING and argument.arg_number == 0)
