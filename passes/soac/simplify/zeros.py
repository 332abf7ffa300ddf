"""Zeros that change nothing: added to a number, written into zeros, added to an accumulator."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.build import ANY_ORDER
from tapeless.passes.ir.constants import constant_of, filling_of, is_zero, is_zero_fill
from tapeless.passes.ir.rebuild import recreate, replace_op
from tapeless.passes.soac.simplify.known_writes import leave_out


def add_zero(op: ir.OpView) -> ir.OpView | None:
    """`x + 0` is `x` when the sign of a zero may be ignored; `x + -0` always is, which upstream knows.

    It may be where flags say so (`nsz`) and in sums of adjoints, which start from a zero of no sign.
    """
    if not _ignores_zero_sign(op):
        return op
    left, right = op.operands
    for value, other in ((left, right), (right, left)):
        if is_zero(other):
            replace_op(op, [value])
            return None
    return op


def write_same_fill(op: ir.OpView) -> ir.OpView | None:
    """Writing a value, or a fill with it, into a fill with the same value changes nothing."""
    part, dest = op.operands[0], op.operands[1]
    filling = filling_of(dest)
    if filling is None:
        return op
    written = filling_of(part) if isinstance(part.type, ir.RankedTensorType) else part
    if written is None or not _is_same(written, filling):
        return op
    leave_out(op)
    return None


def update_by_zero(op: ir.OpView) -> ir.OpView | None:
    """An accumulator is a sum in any order, so that adding zero leaves it as it is."""
    value = op.operands[len(op.operands) - 1]
    number = filling_of(value) if isinstance(value.type, ir.RankedTensorType) else value
    if number is None or not is_zero(number):
        return op
    replace_op(op, [op.operands[0]])
    return None


def update_by_element(op: ir.OpView) -> ir.OpView | None:
    """Zeros in which one element was set add that element alone.

    So are the adjoints of rows of which one element was read.
    """
    value = op.operands[len(op.operands) - 1]
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "tensor.insert":
        return op
    number, zeros, *indices = value.owner.operands
    if not is_zero_fill(zeros):
        return op
    made = recreate(op, [[op.acc, *op.indices, *indices, number]], [op.out.type])
    replace_op(op, made.results)
    return made


def _ignores_zero_sign(op: ir.OpView) -> bool:
    flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    return "nsz" in flags or "<fast>" in flags or flags == ANY_ORDER


def _is_same(left: ir.Value, right: ir.Value) -> bool:
    if left == right:
        return True
    attributes = (constant_of(left), constant_of(right))
    return attributes[0] is not None and attributes[1] is not None and attributes[0] == attributes[1]
