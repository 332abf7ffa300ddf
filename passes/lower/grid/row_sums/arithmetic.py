"""Numbers, tests and branches of launches that add rows."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.lower.loops.builder import Builder


def sum_of_two(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    return builder.value("arith.addi" if _is_whole(left.type) else "arith.addf", left.type, [left, right])


def zero_of(builder: Builder, type_: ir.Type) -> ir.Value:
    attribute = ir.IntegerAttr.get(type_, 0) if _is_whole(type_) else ir.FloatAttr.get(type_, 0.0)
    return builder.constant(type_, attribute)


def _is_whole(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType)


def begin_if(builder: Builder, predicate: arith.CmpIPredicate, left: ir.Value, right: ir.Value) -> None:
    attribute = ir.IntegerAttr.get(word(), predicate.value)
    _begin_branch(builder, builder.value("arith.cmpi", _bit(), [left, right], predicate=attribute))


def begin_if_not_zero(builder: Builder, value: ir.Value) -> None:
    """A NaN is not zero."""
    is_whole = _is_whole(value.type)
    predicate = arith.CmpIPredicate.ne if is_whole else arith.CmpFPredicate.UNE
    attribute = ir.IntegerAttr.get(word(), predicate.value)
    name = "arith.cmpi" if is_whole else "arith.cmpf"
    _begin_branch(builder, builder.value(name, _bit(), [value, zero_of(builder, value.type)], predicate=attribute))


def _begin_branch(builder: Builder, condition: ir.Value) -> None:
    branch = builder.create("scf.if", [], [condition], regions=2)
    builder.push(branch, 0, [], is_branch=True)


def narrow(builder: Builder, value: ir.Value) -> ir.Value:
    """A number of an element of a block, which has few; dividing it takes less."""
    return builder.value("arith.index_cast", _half_word(), [value])


def wide(builder: Builder, value: ir.Value) -> ir.Value:
    return builder.value("arith.index_cast", builder.index, [value])


def divided(builder: Builder, value: ir.Value, by: int) -> ir.Value:
    return value if by == 1 else _narrow_arith(builder, "arith.divui", value, by)


def times(builder: Builder, value: ir.Value, by: int) -> ir.Value:
    return _narrow_arith(builder, "arith.muli", value, by)


def less(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    return builder.value("arith.subi", _half_word(), [left, right])


def _narrow_arith(builder: Builder, name: str, value: ir.Value, by: int) -> ir.Value:
    constant = builder.constant(_half_word(), ir.IntegerAttr.get(_half_word(), by))
    return builder.value(name, _half_word(), [value, constant])


def word() -> ir.Type:
    return ir.IntegerType.get_signless(64)


def _half_word() -> ir.Type:
    return ir.IntegerType.get_signless(32)


def _bit() -> ir.Type:
    return ir.IntegerType.get_signless(1)
