"""Floats converted to integers: a scalar that is no integer of the type is refused, as Python refuses `int(nan)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.application import apply
from tapeless.frontend.elementwise.functions import conversion
from tapeless.frontend.values import promotion
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.value import Number, Scalar
from tapeless.types import ScalarType, f64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def converted(t: Translator, value: Number, dtype: ScalarType, *, weak: bool = False) -> Number:
    """A number or array with another dtype; elements of arrays are not checked."""
    if isinstance(value, Scalar) and value.dtype.is_float and dtype.is_int and value.literal is None:
        _check_range(t, value, dtype)
    return apply(t, conversion(dtype, weak=weak), value)


def _check_range(t: Translator, value: Scalar, dtype: ScalarType) -> None:
    builder, number = t.builder, promotion.ssa(t.builder, value)
    fits = _is_within(builder, number, dtype, value.dtype)
    shown = promotion.convert(builder, number, value.dtype, f64)
    kind = "unsigned integer" if dtype.is_unsigned else "integer"
    message = f"{{}} is no {kind} of {dtype.bits} bits; test the number before converting it"
    builder.check(fits, "ConversionError", message, shown)


def _is_within(builder: Builder, number: ir.Value, wanted: ScalarType, dtype: ScalarType) -> ir.Value:
    """Fractions are cut off, so everything between the integers just outside is in range; NaN is not.

    A float type with no more bits than the integers have has no number between the lowest integer and the one below,
    unless that is -1.
    """
    lowest, highest = wanted.limits
    has_numbers_between = dtype.bits > wanted.bits or wanted.is_unsigned
    limits = ("gt", float(lowest - 1)) if has_numbers_between else ("ge", float(lowest))
    low = arithmetic.float_compare(builder, limits[0], number, builder.constant(limits[1], number.type))
    high = arithmetic.float_compare(builder, "lt", number, builder.constant(float(highest + 1), number.type))
    return builder.value("arith.andi", builder.types.i1, [low, high])
