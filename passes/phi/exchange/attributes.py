"""Numbers and flags as attributes of operations."""

from __future__ import annotations

from collections.abc import Iterable

from tapeless._mlir import ir
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
