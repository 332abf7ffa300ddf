"""Known values: constants, and arrays filled with one."""

from __future__ import annotations

from tapeless._mlir import ir


def constant_of(value: ir.Value) -> ir.Attribute | None:
    """The attribute of a constant; nothing for any other value."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "arith.constant":
        return None
    return value.owner.operation.attributes["value"]


def filling_of(array: ir.Value) -> ir.Value | None:
    """The scalar that fills an array made by `tensor.splat`."""
    if isinstance(array, ir.BlockArgument) or array.owner.operation.name != "tensor.splat":
        return None
    return array.owner.operands[0]


def is_zero(value: ir.Value) -> bool:
    """Whether a float is the constant zero, of any sign, or an array is filled with it."""
    number = filling_of(value)
    return _is_zero_attribute(constant_of(value if number is None else number))


def is_zero_fill(value: ir.Value) -> bool:
    """Whether a value is an array made by filling it with zero."""
    number = filling_of(value)
    return number is not None and is_zero(number)


def _is_zero_attribute(attribute: ir.Attribute | None) -> bool:
    if isinstance(attribute, ir.DenseFPElementsAttr):
        return attribute.is_splat and _is_zero_attribute(attribute.get_splat_value())
    return isinstance(attribute, ir.FloatAttr) and attribute.value == 0.0
