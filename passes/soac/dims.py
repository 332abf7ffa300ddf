"""`tensor.dim` answered by what made the array."""

from __future__ import annotations

from tapeless._mlir import ir

from .rebuild import replace_op
from .shapes import size_of
from .sizes import Dim, as_value, can_write, constant_int, write


def fold_dim(op: ir.OpView) -> ir.OpView | None:
    """The size of an array known from its producers, so that asking for it does not keep the array alive."""
    array, axis = op.operands
    number = constant_int(axis)
    if number is None or not 0 <= number < array.type.rank:
        return op
    size = size_of(array, number)
    at = ir.InsertionPoint(op)
    if size == Dim(array, number) or not can_write(size, at):
        return op
    replace_op(op, [as_value(write(size, at), at)])
    return None
