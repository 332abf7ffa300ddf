"""Constants at the current insertion point."""

from __future__ import annotations

from tapeless._mlir import arith, ir


def number(type_: ir.Type, value: float) -> ir.Value:
    """A constant of a scalar type."""
    is_float = isinstance(type_, ir.F64Type | ir.F32Type)
    attr = ir.FloatAttr.get(type_, value) if is_float else ir.IntegerAttr.get(type_, int(value))
    return arith.ConstantOp(type_, attr).result


def index(value: int) -> ir.Value:
    """An `index` constant."""
    return arith.ConstantOp(ir.IndexType.get(), value).result
