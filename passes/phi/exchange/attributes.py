"""Numbers and flags as attributes of operations, and integers as values of other types."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import arith, ir
from tapeless.dialects.phi import FmAttr, RatAttr
from tapeless.passes.phi.graph.numbers import Number, number, ratio


def number_of(attribute: ir.Attribute) -> Number:
    """The number that an attribute says."""
    if isinstance(attribute, RatAttr):
        return ratio(ir.IntegerAttr(attribute.numerator).value, ir.IntegerAttr(attribute.denominator).value)
    if isinstance(attribute, ir.FloatAttr):
        return number(attribute.value)
    return number(ir.IntegerAttr(attribute).value)


def attribute_of(value: Number) -> ir.Attribute:
    """A number as an attribute: exact where it is."""
    if isinstance(value, float):
        return ir.FloatAttr.get(ir.F64Type.get(), value)
    whole = ir.IntegerType.get_signless(64)
    if value.denominator == 1:
        return ir.IntegerAttr.get(whole, value.numerator)
    return ir.Attribute.parse(f"#phi.rat<{value.numerator} : i64, {value.denominator} : i64>")


def numbers_of(attributes: ir.ArrayAttr) -> list[Number]:
    """The numbers of a list."""
    return [number_of(each) for each in attributes]


def list_of(values: Iterable[Number]) -> ir.ArrayAttr:
    """Numbers as a list."""
    return ir.ArrayAttr.get([attribute_of(each) for each in values])


def flags_of(attribute: ir.Attribute) -> frozenset[str]:
    """The flags of a `#phi.fm`."""
    assert isinstance(attribute, FmAttr)
    return frozenset(ir.StringAttr(attribute.flags).value.split(",")) - {""}


def flags_attribute(flags: Iterable[str]) -> ir.Attribute:
    """Flags as a `#phi.fm`."""
    return ir.Attribute.parse(f'#phi.fm<"{",".join(sorted(flags))}">')


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
