"""Numbers that differentiation takes as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import Array, Number, Scalar

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def stopped(t: Translator, number: Number) -> Number:
    """The number or array, opaque to differentiation; integers and bools have no derivative anyway."""
    number = force(t, number)
    if not number.dtype.is_float:
        return number
    value = promotion.ssa(t.builder, number) if isinstance(number, Scalar) else number.ssa
    result: ir.Value = t.builder.value("ad.stop_gradient", value.type, [value])
    if isinstance(number, Scalar):
        return promotion.from_ssa(t.builder, result, number.dtype, weak=number.weak)
    return Array(number.dtype, number.dims, result)
