"""`tl.stop_gradient`: values that differentiation takes as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.transforms.leaves import is_static
from tapeless.frontend.values import promotion
from tapeless.frontend.values.value import STRUCTURES, Array, Scalar, Value, structured

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def stop_gradient(t: Translator, x: Value) -> Value:
    """The value, opaque to differentiation; integers and bools have no derivative anyway."""
    if isinstance(x, STRUCTURES):
        return structured(x.node, [item if is_static(item) else stop_gradient(t, item) for item in x.items])
    number = t.held(t.number(x))
    if not number.dtype.is_float:
        return number
    value = promotion.ssa(t.builder, number) if isinstance(number, Scalar) else number.ssa
    stopped: ir.Value = t.builder.value("ad.stop_gradient", value.type, [value])
    if isinstance(number, Scalar):
        return promotion.from_ssa(t.builder, stopped, number.dtype, weak=number.weak)
    return Array(number.dtype, number.dims, stopped)
