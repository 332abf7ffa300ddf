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
        *("dynamic_iota", "dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_pad", "dynamic_gather"),
        *("concatenate", "pad", "dynamic_slice", "dynamic_update_slice", "gather", "select", "while", "case", "if"),
        *("composite", "optimization_barrier", "add", "subtract", "multiply", "negate", "and", "or", "xor", "not"),
        *("shift_left", "shift_right_logical", "shift_right_arithmetic", "popcnt", "count_leading_zeros"),
        *("bitcast_convert", "map", "dot_general", "dot", "convolution", "return"),
    )
) | {"func.call", "func.return", "arith.constant"}
"""Operations that do not look at the sign."""

OTHERWISE = frozenset(
    f"stablehlo.{name}"
    for name in ("compare", "convert", "reduce", "reduce_window", "select_and_scatter", "scatter", "sort")
) | {"chlo.top_k"}
"""Operations whose rules know integers without a sign."""

SIZES = {
    "stablehlo.dynamic_gather": 2,
    "stablehlo.dynamic_iota": 0,
    "stablehlo.dynamic_broadcast_in_dim": 1,
    "stablehlo.dynamic_reshape": 1,
    "stablehlo.dynamic_pad": 2,
}
"""Operations whose operands from here on are sizes, which have a sign."""

OPERATORS = {"maximum": "unsigned_maximum", "minimum": "unsigned_minimum"}
"""Operators of reductions that are others for integers without a sign."""


def is_unsigned(type_: ir.Type) -> bool:
    """Whether a type has integers without a sign as elements."""
    element = type_.element_type if isinstance(type_, ir.RankedTensorType) else type_
    return isinstance(element, ir.IntegerType) and element.is_unsigned


def _divisor(right: ir.Value) -> ir.Value:
    return scalars.select(scalars.equals(right, 0), number(right.type, 1), right)


def divide(left: ir.Value, right: ir.Value) -> ir.Value:
    """The quotient; all bits are set for a divisor 0."""
    quotient = arith.DivUIOp(left, _divisor(right)).result
    return scalars.select(scalars.equals(right, 0), number(left.type, -1), quotient)


def remainder(left: ir.Value, right: ir.Value) -> ir.Value:
    """The remainder of an unsigned division."""
    rest = arith.RemUIOp(left, _divisor(right)).result
    return scalars.select(scalars.equals(right, 0), left, rest)


maximum, minimum = scalars.OPERATORS["unsigned_maximum"], scalars.OPERATORS["unsigned_minimum"]


def clamp(low: ir.Value, value: ir.Value, high: ir.Value) -> ir.Value:
    """The value, at least `low`, and then at most `high`."""
    return minimum(maximum(value, low), high)


FUNCTIONS: dict[str, scalars.Emit] = {
    "stablehlo.divide": divide,
    "stablehlo.remainder": remainder,
    "stablehlo.maximum": maximum,
    "stablehlo.minimum": minimum,
    "stablehlo.clamp": clamp,
}
"""Elementwise operations that do something else to integers without a sign."""


def compare(direction: str, left: ir.Value, right: ir.Value) -> ir.Value:
    """A comparison of numbers that are not negative."""
    sign = "" if direction in ("eq", "ne") else "u"
    return arith.CmpIOp(getattr(arith.CmpIPredicate, sign + direction), left, right).result


def as_signed_index(value: ir.Value) -> ir.Value:
    """An index without a sign as an `i64`; numbers beyond these are the largest one, which is as far outside."""
    i64 = ir.IntegerType.get_signless(64)
    if value.type.width < i64.width:
        return arith.ExtUIOp(i64, value).result
    return minimum(value, number(i64, 2**63 - 1))


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
