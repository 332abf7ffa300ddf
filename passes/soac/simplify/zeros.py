"""Zeros that change nothing: added to a number, written into zeros, added to an accumulator."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.rebuild import as_type, replace_op

# The flags of sums of adjoints.
ADJOINT = "#arith.fastmath<reassoc,contract>"


def add_zero(op: ir.OpView) -> ir.OpView | None:
    """`x + 0` is `x` when the sign of a zero may be ignored; `x + -0` always is, which upstream knows.

    It may be where flags say so (`nsz`) and in sums of adjoints, which start from a zero of no sign.
    """
    if not _ignores_zero_sign(op):
        return op
    left, right = op.operands
    for value, other in ((left, right), (right, left)):
        if _constant_float(other) == 0.0:
            replace_op(op, [value])
            return None
    return op


def write_same_fill(op: ir.OpView) -> ir.OpView | None:
    """Writing a value, or a fill with it, into a fill with the same value changes nothing."""
    part, dest = op.operands[0], op.operands[1]
    filling = _filling(dest)
    if filling is None:
        return op
    written = _filling(part) if isinstance(part.type, ir.RankedTensorType) else part
    if written is None or not _is_same(written, filling):
        return op
    replace_op(op, [as_type(dest, op.results[0].type, op)])
    return None


def update_by_zero(op: ir.OpView) -> ir.OpView | None:
    """An accumulator is a sum in any order, so that adding zero leaves it as it is."""
    value = op.operands[len(op.operands) - 1]
    number = _filling(value) if isinstance(value.type, ir.RankedTensorType) else value
    if number is None or _constant_float(number) != 0.0:
        return op
    replace_op(op, [op.operands[0]])
    return None


def is_zero(array: ir.Value) -> bool:
    """Whether an array is a fill with zero."""
    number = _filling(array)
    return number is not None and is_zero_number(number)


def is_zero_number(number: ir.Value) -> bool:
    """Whether a float is the constant zero."""
    return _constant_float(number) == 0.0


def _ignores_zero_sign(op: ir.OpView) -> bool:
    flags = str(op.attributes["fastmath"]) if "fastmath" in op.attributes else ""
    return "nsz" in flags or "<fast>" in flags or flags == ADJOINT


def _constant(value: ir.Value) -> ir.Attribute | None:
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.constant":
        return None
    return value.owner.attributes["value"]


def _constant_float(value: ir.Value) -> float | None:
    attribute = _constant(value)
    return attribute.value if isinstance(attribute, ir.FloatAttr) else None


def _filling(array: ir.Value) -> ir.Value | None:
    """The scalar that fills an array made by `tensor.splat`."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "tensor.splat":
        return None
    return array.owner.operands[0]


def _is_same(left: ir.Value, right: ir.Value) -> bool:
    if left == right:
        return True
    attributes = (_constant(left), _constant(right))
    return attributes[0] is not None and attributes[1] is not None and attributes[0] == attributes[1]
