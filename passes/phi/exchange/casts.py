"""Integers as values of other types."""

from __future__ import annotations

from tapeless._mlir import arith, ir


def cast_value(value: ir.Value, type_: ir.Type) -> ir.Value:
    """An integer as a float, or as an integer of another width, at the insertion point."""
    index, source = ir.IndexType.get(), value.type
    if source == type_:
        return value
    if isinstance(type_, ir.F64Type | ir.F32Type):
        whole = arith.IndexCastOp(ir.IntegerType.get_signless(64), value).result if source == index else value
        return arith.SIToFPOp(type_, whole).result
    if index in (source, type_):
        return arith.IndexCastOp(type_, value).result
    is_wider = ir.IntegerType(type_).width > ir.IntegerType(source).width
    return (arith.ExtSIOp if is_wider else arith.TruncIOp)(type_, value).result
