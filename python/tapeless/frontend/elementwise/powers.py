"""Powers: products for small constant exponents, `math.powf` for floats, a loop for computed integer exponents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import arithmetic, functions
from tapeless.frontend.elementwise.application import ScalarFunction, apply
from tapeless.frontend.elementwise.conversions import converted
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.integers import compare
from tapeless.frontend.values.value import Number, Scalar, Value
from tapeless.types import ScalarType, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_LARGEST_FLOAT_PRODUCT = 4


def power(t: Translator, base: Number, exponent: Number) -> Number:
    """`base ** exponent`."""
    number = exponent.literal if isinstance(exponent, Scalar) else None
    if base.dtype.is_bool and exponent.dtype.is_bool:
        base = converted(t, base, i64)
    if number is None:
        return apply(t, _INTEGER if _both_integers(base, exponent) else _FLOAT, base, exponent)
    is_whole = float(number).is_integer()
    if not base.dtype.is_float and isinstance(number, int) and number >= 0:
        return apply(t, _product(int(number)), base)
    if is_whole and abs(number) <= _LARGEST_FLOAT_PRODUCT:
        return apply(t, _float_product(int(number)), base)
    if number == 0.5:
        return apply(t, functions.FUNCTIONS["sqrt"], base)
    return apply(t, _FLOAT, base, exponent)


def pow_(t: Translator, x: Value, y: Value) -> Number:
    return power(t, t.number(x), t.number(y))


def _both_integers(base: Number, exponent: Number) -> bool:
    return not base.dtype.is_float and not exponent.dtype.is_float


def _product(exponent: int) -> ScalarFunction:
    """`base ** exponent` by repeated squaring, in the type of the base."""

    def emit(builder: Builder, dtype: ScalarType, base: ir.Value) -> ir.Value:
        result, square, left = None, base, exponent
        while left:
            if left & 1:
                result = square if result is None else arithmetic.multiply(builder, dtype, result, square)
            left >>= 1
            if left:
                square = arithmetic.multiply(builder, dtype, square, square)
        return builder.constant(1.0 if dtype.is_float else 1, base.type) if result is None else result

    return ScalarFunction("power", functions.numbers, emit)


def _float_product(exponent: int) -> ScalarFunction:
    product = _product(abs(exponent)).emit

    def emit(builder: Builder, dtype: ScalarType, base: ir.Value) -> ir.Value:
        result = product(builder, dtype, base)
        return result if exponent >= 0 else arithmetic.divide(builder, dtype, builder.constant(1.0, base.type), result)

    return ScalarFunction("power", functions.floats, emit)


def _float_power(builder: Builder, dtype: ScalarType, base: ir.Value, exponent: ir.Value) -> ir.Value:
    return builder.floating("math.powf", base.type, [base, exponent])


def _integer_power(builder: Builder, dtype: ScalarType, base: ir.Value, exponent: ir.Value) -> ir.Value:
    """Repeated squaring in a loop; a negative exponent, whose power is no integer, is an error."""
    kind, zero, one = base.type, builder.constant(0, base.type), builder.constant(1, base.type)
    if not dtype.is_unsigned:
        builder.check(
            compare(builder, "sge", exponent, zero),
            "ArgumentError",
            "an integer has no integer power {}; convert it with float()",
            _wide(builder, exponent),
        )
    halve = "shrui" if dtype.is_unsigned else "shrsi"
    with builder.region([kind] * 3) as before:
        state = list(before.arguments)
        builder.operation("scf.condition", [], [compare(builder, "ne", state[2], zero), *state])
    with builder.region([kind] * 3) as after:
        result, square, left = after.arguments
        is_odd = compare(builder, "ne", builder.value("arith.andi", kind, [left, one]), zero)
        longer = builder.value("arith.muli", kind, [result, square])
        step = [
            arithmetic.select(builder, is_odd, longer, result),
            builder.value("arith.muli", kind, [square, square]),
            builder.value(f"arith.{halve}", kind, [left, one]),
        ]
        builder.operation("scf.yield", [], step)
    loop = builder.operation("scf.while", [kind] * 3, [one, base, exponent], regions=2)
    return builder.attach(loop, before, after).results[0]


def _wide(builder: Builder, value: ir.Value) -> ir.Value:
    return value if value.type == builder.types.i64 else builder.value("arith.extsi", builder.types.i64, [value])


_FLOAT = ScalarFunction("power", functions.floats, _float_power)
_INTEGER = ScalarFunction("power", functions.numbers, _integer_power)
