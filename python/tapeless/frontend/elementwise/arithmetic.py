"""The arithmetic operators on SSA scalars of one type: one small emitter per operator and kind of number."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.integers import compare
from tapeless.types import ScalarType

Emit = Callable[[Builder, ScalarType, ir.Value, ir.Value], ir.Value]

_ORDERED = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_SIGNED = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_UNSIGNED = {**_SIGNED, "lt": "ult", "le": "ule", "gt": "ugt", "ge": "uge"}


def plain(float_name: str, int_name: str, bool_name: str | None = None, unsigned_name: str | None = None) -> Emit:
    """An operator that is one operation for every kind of number."""

    def emit(builder: Builder, dtype: ScalarType, left: ir.Value, right: ir.Value) -> ir.Value:
        if dtype.is_float:
            return builder.floating(float_name, left.type, [left, right])
        other = bool_name if dtype.is_bool else unsigned_name if dtype.is_unsigned else None
        return builder.value(other or int_name, left.type, [left, right])

    return emit


add = plain("arith.addf", "arith.addi", "arith.ori")
subtract = plain("arith.subf", "arith.subi")
multiply = plain("arith.mulf", "arith.muli", "arith.andi")
minimum = plain("arith.minimumf", "arith.minsi", "arith.andi", "arith.minui")
maximum = plain("arith.maximumf", "arith.maxsi", "arith.ori", "arith.maxui")
bit_and = plain("", "arith.andi")
bit_or = plain("", "arith.ori")
bit_xor = plain("", "arith.xori")


def shift_left(builder: Builder, dtype: ScalarType, left: ir.Value, right: ir.Value) -> ir.Value:
    """`left << right`; as in numpy nothing is left where it goes by all bits, or by a negative number."""
    return _unless_all(builder, dtype, "arith.shli", left, right)


def _unless_all(builder: Builder, dtype: ScalarType, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A shift that leaves nothing where it goes by all bits."""
    shifted = builder.value(name, left.type, [left, _below_bits(builder, dtype, right)])
    fits = compare(builder, "ult", right, builder.constant(dtype.bits, right.type))
    return builder.value("arith.select", left.type, [fits, shifted, builder.constant(0, left.type)])


def shift_right(builder: Builder, dtype: ScalarType, left: ir.Value, right: ir.Value) -> ir.Value:
    """`left >> right`; as in numpy only the sign is left where it goes by all bits, or by a negative number."""
    if dtype.is_unsigned:
        return _unless_all(builder, dtype, "arith.shrui", left, right)
    return builder.value("arith.shrsi", left.type, [left, _below_bits(builder, dtype, right)])


def _below_bits(builder: Builder, dtype: ScalarType, count: ir.Value) -> ir.Value:
    return builder.value("arith.minui", count.type, [count, builder.constant(dtype.bits - 1, count.type)])


def divide(builder: Builder, dtype: ScalarType | None, left: ir.Value, right: ir.Value) -> ir.Value:
    return builder.floating("arith.divf", left.type, [left, right])


def comparison(name: str) -> Emit:
    """A comparison; bools compare as 0 and 1."""

    def emit(builder: Builder, dtype: ScalarType, left: ir.Value, right: ir.Value) -> ir.Value:
        if dtype.is_float:
            return float_compare(builder, name, left, right)
        return compare(builder, (_UNSIGNED if dtype.is_bool or dtype.is_unsigned else _SIGNED)[name], left, right)

    return emit


def float_compare(builder: Builder, name: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A float comparison that is false for NaN, except `ne`."""
    predicate = ir.IntegerAttr.get(builder.types.i64, _ORDERED[name])
    attributes = {"predicate": predicate, "fastmath": builder.types.fastmath}
    return builder.value("arith.cmpf", builder.types.i1, [left, right], attributes)


def select(builder: Builder, condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return builder.value("arith.select", left.type, [condition, left, right])


def floor_divide(builder: Builder, dtype: ScalarType | None, left: ir.Value, right: ir.Value) -> ir.Value:
    """`//` with Python's signs."""
    if dtype.is_float:
        return _float_floor_divide(builder, left, right)
    if dtype.is_unsigned:
        return builder.value("arith.divui", left.type, [left, _unsigned_divisor(builder, right)])
    checked = _checked_divisor(builder, right)
    quotient = builder.value("arith.divsi", left.type, [left, checked])
    remainder = builder.value("arith.remsi", left.type, [left, checked])
    one = builder.constant(1, left.type)
    lowered = builder.value("arith.subi", left.type, [quotient, one])
    quotient = select(builder, _signs_differ(builder, remainder, checked), lowered, quotient)
    negated = builder.value("arith.subi", left.type, [builder.constant(0, left.type), left])
    return select(builder, compare(builder, "eq", right, builder.constant(-1, left.type)), negated, quotient)


def modulo(builder: Builder, dtype: ScalarType, left: ir.Value, right: ir.Value) -> ir.Value:
    """`%` with Python's signs."""
    if dtype.is_float:
        return _float_modulo(builder, left, right)
    if dtype.is_unsigned:
        return builder.value("arith.remui", left.type, [left, _unsigned_divisor(builder, right)])
    checked = _checked_divisor(builder, right)
    remainder = builder.value("arith.remsi", left.type, [left, checked])
    raised = builder.value("arith.addi", left.type, [remainder, checked])
    return select(builder, _signs_differ(builder, remainder, checked), raised, remainder)


def _checked_divisor(builder: Builder, divisor: ir.Value) -> ir.Value:
    """The divisor, checked not to be 0; 1 in place of 0 and -1, whose quotients the hardware may not have."""
    if builder.literals.get(divisor, 0) not in (0, -1):
        return divisor
    zero = builder.constant(0, divisor.type)
    nonzero = _check_nonzero(builder, divisor)
    is_minus_one = compare(builder, "eq", divisor, builder.constant(-1, divisor.type))
    is_unsafe = builder.value("arith.ori", nonzero.type, [compare(builder, "eq", divisor, zero), is_minus_one])
    return select(builder, is_unsafe, builder.constant(1, divisor.type), divisor)


def _unsigned_divisor(builder: Builder, divisor: ir.Value) -> ir.Value:
    """The divisor of numbers without a sign, checked not to be 0; 1 in place of 0."""
    if builder.literals.get(divisor, 0) != 0:
        return divisor
    return select(builder, _check_nonzero(builder, divisor), divisor, builder.constant(1, divisor.type))


def _check_nonzero(builder: Builder, divisor: ir.Value) -> ir.Value:
    nonzero = compare(builder, "ne", divisor, builder.constant(0, divisor.type))
    builder.check(nonzero, "ArgumentError", "integer division by zero; test the divisor first")
    return nonzero


def _signs_differ(builder: Builder, remainder: ir.Value, divisor: ir.Value) -> ir.Value:
    """Whether a remainder is not 0 and has not the sign of the divisor."""
    zero = builder.constant(0, divisor.type)
    mixed = builder.value("arith.xori", divisor.type, [remainder, divisor])
    opposite = compare(builder, "slt", mixed, zero)
    return builder.value("arith.andi", opposite.type, [opposite, compare(builder, "ne", remainder, zero)])


def divide_by_positive(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    """`//` of a value that is not negative by a positive one."""
    return builder.value("arith.divsi", left.type, [left, right])


def remainder_by_positive(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    """`%` of a value that is not negative by a positive one."""
    return builder.value("arith.remsi", left.type, [left, right])


def _float_modulo(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    zero = builder.constant(0.0, left.type)
    remainder = builder.floating("arith.remf", left.type, [left, right])
    raised = builder.floating("arith.addf", left.type, [remainder, right])
    adjusted = select(builder, _float_signs_differ(builder, remainder, right), raised, remainder)
    is_zero = float_compare(builder, "eq", remainder, zero)
    return select(builder, is_zero, builder.floating("math.copysign", left.type, [remainder, right]), adjusted)


def _float_signs_differ(builder: Builder, remainder: ir.Value, divisor: ir.Value) -> ir.Value:
    zero = builder.constant(0.0, divisor.type)
    i1 = builder.types.i1
    negative = [float_compare(builder, "lt", value, zero) for value in (remainder, divisor)]
    opposite = builder.value("arith.xori", i1, negative)
    return builder.value("arith.andi", i1, [opposite, float_compare(builder, "ne", remainder, zero)])


def _float_floor_divide(builder: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    """Exact where `floor(left / right)` is not: (left - remainder) / right, rounded to whole."""
    remainder = builder.floating("arith.remf", left.type, [left, right])
    quotient = divide(builder, None, builder.floating("arith.subf", left.type, [left, remainder]), right)
    lowered = builder.floating("arith.subf", left.type, [quotient, builder.constant(1.0, left.type)])
    adjusted = select(builder, _float_signs_differ(builder, remainder, right), lowered, quotient)
    whole = builder.floating("math.roundeven", left.type, [adjusted])
    by_zero = float_compare(builder, "eq", right, builder.constant(0.0, left.type))
    return select(builder, by_zero, divide(builder, None, left, right), whole)
