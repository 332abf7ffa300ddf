"""The scalar functions of the language: one table from name to types and emitter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.application import ScalarFunction, Signature, apply
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.promotion import Weighted, common, floating
from tapeless.frontend.values.value import Number, Value
from tapeless.types import ScalarType, bool_, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

Emit = Callable[..., ir.Value]


def numbers(types: Sequence[Weighted], has_arrays: bool) -> Signature:
    """Operands and result of the common type; bool scalars count as integers."""
    dtype, weak = common(types)
    if dtype.is_bool and not has_arrays:
        dtype, weak = i64, True
    return (dtype,) * len(types), dtype, weak


def floats(types: Sequence[Weighted], has_arrays: bool) -> Signature:
    """Operands and result of the common type, as a float."""
    dtype, weak = common(types)
    return (floating(dtype),) * len(types), floating(dtype), weak


def comparisons(types: Sequence[Weighted], has_arrays: bool) -> Signature:
    """Operands of the common type, a bool result."""
    dtype, _ = common(types)
    return (dtype,) * len(types), bool_, True


def float_tests(types: Sequence[Weighted], has_arrays: bool) -> Signature:
    """A float operand, a bool result."""
    return (floating(common(types)[0]),), bool_, True


def choices(types: Sequence[Weighted], has_arrays: bool) -> Signature:
    """A bool operand, then operands and result of the common type."""
    dtype, weak = common(types[1:])
    return (bool_, dtype, dtype), dtype, weak


def elementwise(function: ScalarFunction) -> Callable[..., Number]:
    """The handler of an operator that is a scalar function."""

    def handler(t: Translator, *arguments: Value) -> Number:
        return apply(t, function, *(t.number(argument) for argument in arguments))

    return handler


def conversion(result: ScalarType, *, weak: bool) -> ScalarFunction:
    """The function that converts to a type."""

    def types(given: Sequence[Weighted], has_arrays: bool) -> Signature:
        return (result,), result, weak

    return ScalarFunction(result.name, types, lambda builder, dtype, value: value)


def _math(name: str) -> Emit:
    def emit(builder: Builder, dtype: ScalarType, *operands: ir.Value) -> ir.Value:
        return builder.floating(f"math.{name}", operands[0].type, operands)

    return emit


def _named(name: str) -> Emit:
    def emit(builder: Builder, dtype: ScalarType, *operands: ir.Value) -> ir.Value:
        return builder.value("soac.fn", operands[0].type, operands, {"function": ir.StringAttr.get(name)})

    return emit


def _test(name: str) -> Emit:
    def emit(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
        return builder.floating(f"math.{name}", builder.types.i1, [value])

    return emit


def _rounding(name: str) -> Emit:
    """A rounding function; integers are whole already."""

    def emit(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
        return builder.floating(f"math.{name}", value.type, [value]) if dtype.is_float else value

    return emit


def _absolute(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    if dtype.is_float:
        return builder.floating("math.absf", value.type, [value])
    return builder.value("math.absi", value.type, [value]) if dtype.is_int and not dtype.is_unsigned else value


def _sign(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    if dtype.is_float:
        return _named("sign")(builder, dtype, value)
    if dtype.is_bool:
        return value
    low = value
    if not dtype.is_unsigned:
        low = arithmetic.maximum(builder, dtype, value, builder.constant(-1, value.type))
    return arithmetic.minimum(builder, dtype, low, builder.constant(1, value.type))


def negate(builder: Builder, dtype: ScalarType, value: ir.Value) -> ir.Value:
    if dtype.is_float:
        return builder.floating("arith.negf", value.type, [value])
    return builder.value("arith.subi", value.type, [builder.constant(0, value.type), value])


def _clamp(builder: Builder, dtype: ScalarType, value: ir.Value, low: ir.Value, high: ir.Value) -> ir.Value:
    return arithmetic.minimum(builder, dtype, arithmetic.maximum(builder, dtype, value, low), high)


def _where(builder: Builder, dtype: ScalarType, condition: ir.Value, left: ir.Value, right: ir.Value) -> ir.Value:
    return arithmetic.select(builder, condition, left, right)


_MATH = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "fma",
]
_NAMED = ["sigmoid", "softplus", "lgamma", "digamma", "erfinv", "hypot"]
_ROUNDING = {"floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "roundeven"}

FUNCTIONS: dict[str, ScalarFunction] = {
    **{name: ScalarFunction(name, floats, _math(name)) for name in _MATH},
    **{name: ScalarFunction(name, floats, _named(name)) for name in _NAMED},
    **{name: ScalarFunction(name, numbers, _rounding(op)) for name, op in _ROUNDING.items()},
    **{name: ScalarFunction(name, float_tests, _test(name)) for name in ("isnan", "isfinite")},
    "abs": ScalarFunction("abs", numbers, _absolute),
    "sign": ScalarFunction("sign", numbers, _sign),
    "minimum": ScalarFunction("minimum", numbers, arithmetic.minimum),
    "maximum": ScalarFunction("maximum", numbers, arithmetic.maximum),
    "clamp": ScalarFunction("clamp", numbers, _clamp),
    "where": ScalarFunction("where", choices, _where),
}
