"""Integers without a sign: `ui32` and `ui64` are `i32` and `i64` with the same bits.

Most operations do the same to the bits of both. Those that do not have functions of their own here, and operations
that are in neither list are refused for them.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.passes.imports.emit import scalars
from tapeless.passes.ir.build import number

NAMES = ("ui32", "ui64")

SAME_BITS = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("constant", "iota", "broadcast_in_dim", "broadcast", "reshape", "transpose", "reverse", "slice"),
        *("concatenate", "pad", "dynamic_slice", "dynamic_update_slice", "gather", "select", "while", "case", "if"),
        *("composite", "optimization_barrier", "add", "subtract", "multiply", "and", "or", "xor", "not"),
        *("shift_left", "shift_right_logical", "popcnt", "count_leading_zeros", "bitcast_convert", "return"),
    )
) | {"func.call", "func.return", "arith.constant"}
"""Operations that do not look at the sign."""

OTHERWISE = frozenset({"stablehlo.compare", "stablehlo.convert"})
"""Operations whose rules know integers without a sign."""

INDICES = {"stablehlo.dynamic_slice": 1, "stablehlo.dynamic_update_slice": 2, "stablehlo.gather": 1}
"""Operations whose operands from here on are indices, which have a sign."""


def is_unsigned(type_: ir.Type) -> bool:
    """Whether a type has integers without a sign as elements."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, ir.IntegerType) and element.is_unsigned


def core_element(type_: ir.RankedTensorType) -> ir.Type:
    """The type of elements in core IR."""
    element = type_.element_type
    return ir.IntegerType.get_signless(element.width) if is_unsigned(element) else element


def _divisor(right: ir.Value) -> ir.Value:
    return scalars.select(scalars.equals(right, 0), number(right.type, 1), right)


def divide(left: ir.Value, right: ir.Value) -> ir.Value:
    """The quotient; all bits are set for a divisor 0."""
    quotient = arith.DivUIOp(left, _divisor(right)).result
    return scalars.select(scalars.equals(right, 0), number(left.type, -1), quotient)


def remainder(left: ir.Value, right: ir.Value) -> ir.Value:
    """What is left of the dividend."""
    rest = arith.RemUIOp(left, _divisor(right)).result
    return scalars.select(scalars.equals(right, 0), left, rest)


FUNCTIONS: dict[str, scalars.Emit] = {
    "stablehlo.divide": divide,
    "stablehlo.remainder": remainder,
    "stablehlo.maximum": lambda left, right: arith.MaxUIOp(left, right).result,
    "stablehlo.minimum": lambda left, right: arith.MinUIOp(left, right).result,
}
"""Elementwise operations that do something else to integers without a sign."""


def compare(direction: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A comparison of numbers that are not negative."""
    sign = "" if direction in ("eq", "ne") else "u"
    return arith.CmpIOp(getattr(arith.CmpIPredicate, sign + direction), left, right).result


def converted_from(result: ir.Type) -> scalars.Emit:
    """The conversion of integers without a sign to a type."""

    def emit(value: ir.Value) -> ir.Value:
        if isinstance(result, scalars.FLOATS):
            return arith.UIToFPOp(result, value).result
        if result.width == 1 or result.width <= value.type.width:
            return scalars.convert(result)(value)
        return arith.ExtUIOp(result, value).result

    return emit


def converted_to(result: ir.IntegerType) -> scalars.Emit:
    """The conversion of floats to 32 bits without a sign: the nearest number that there is, 0 for NaN."""
    i64 = ir.IntegerType.get_signless(64)

    def emit(value: ir.Value) -> ir.Value:
        whole = scalars.convert(i64)(value)
        inside = scalars.clamp(number(i64, 0), whole, number(i64, 2**32 - 1))
        return arith.TruncIOp(result, inside).result

    return emit
