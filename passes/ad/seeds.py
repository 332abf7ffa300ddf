"""Seeds that are zero as written: their part of a derivative is left out."""

from __future__ import annotations

from tapeless._mlir import ir


def is_zero(value: ir.Value) -> bool:
    """Whether a seed is the constant zero, or an array filled with it."""
    if isinstance(value.owner, ir.Block):
        return False
    op = value.owner
    if op.name == "tensor.splat":
        return is_zero(op.operands[0])
    return op.name == "arith.constant" and _is_zero_attribute(op.attributes["value"])


def _is_zero_attribute(attribute: ir.Attribute) -> bool:
    if isinstance(attribute, ir.DenseFPElementsAttr):
        return attribute.is_splat and _is_zero_attribute(attribute.get_splat_value())
    return isinstance(attribute, ir.FloatAttr) and attribute.value == 0.0
