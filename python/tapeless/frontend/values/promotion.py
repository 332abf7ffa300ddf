"""Which type numbers of several types have in common, and conversions between types."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from tapeless._mlir import ir
from tapeless.frontend.values import integers
from tapeless.frontend.values.builder import Builder
from tapeless.frontend.values.value import Number, Scalar
from tapeless.half_floats import rounded_half
from tapeless.types import ScalarType, bool_, f32, f64, from_numpy, i64

_KINDS = ("bool", "int", "float")
_WEAKEST = {"bool": bool_, "int": i64, "float": f64}

Weighted = tuple[ScalarType, bool]


def weight(value: Number) -> Weighted:
    """The type of a number and whether it is weak; bool scalars always are."""
    if isinstance(value, Scalar):
        return value.dtype, value.weak or value.dtype.is_bool
    return value.dtype, False


def common(types: Iterable[Weighted]) -> Weighted:
    """The type numbers of these types are converted to when they meet; weak ones only lift the kind."""
    return _common(tuple(types))


@lru_cache(maxsize=4096)
def _common(types: tuple[Weighted, ...]) -> Weighted:
    kind = max((dtype.kind for dtype, _ in types), key=_KINDS.index)
    strong = [computed(dtype) for dtype, weak in types if not weak]
    if not strong:
        return _WEAKEST[kind], True
    joined = from_numpy(np.result_type(*(dtype.numpy for dtype in strong)))
    return (joined, False) if joined.kind == kind else (_WEAKEST[kind], False)


def floating(dtype: ScalarType) -> ScalarType:
    """The float type a function of floats computes in for arguments of this type."""
    return computed(dtype) if dtype.is_float else f64


def computed(dtype: ScalarType) -> ScalarType:
    """The type that numbers of a type are computed with."""
    return f32 if dtype.is_half else dtype


def ssa(builder: Builder, scalar: Scalar, dtype: ScalarType | None = None) -> ir.Value:
    """A scalar as an SSA value of a type, by default its own."""
    wanted = dtype or scalar.dtype
    number = scalar.literal
    if number is not None:
        return builder.constant(_literal_as(number, wanted), builder.types.scalars[wanted])
    if scalar.affine is not None:
        return convert(builder, integers.integer_value(builder, scalar.affine), i64, wanted)
    return convert(builder, scalar.ssa, scalar.dtype, wanted)


class LiteralTooLarge(Exception):
    """A number known when compiling is used as one of a type that cannot hold it."""


def _literal_as(number: int | float | bool, dtype: ScalarType) -> int | float | bool:
    if dtype.is_bool:
        return bool(number)
    try:
        converted = float(number) if dtype.is_float else int(number)
    except (OverflowError, ValueError):
        raise _too_large(number, dtype) from None
    if dtype.is_half:
        return rounded_half(converted, dtype.name)
    if dtype.is_int and not dtype.limits[0] <= converted <= dtype.limits[1]:
        raise _too_large(number, dtype)
    return converted


def _too_large(number: int | float | bool, dtype: ScalarType) -> LiteralTooLarge:
    kind = "integer" if isinstance(number, int) else "number"
    return LiteralTooLarge(f"the {kind} {number} does not fit {dtype!r}")


def check_literals(*scalars: Scalar) -> None:
    """Refuses literals that do not fit their own type."""
    for scalar in scalars:
        if scalar.literal is not None:
            _literal_as(scalar.literal, scalar.dtype)


def convert(builder: Builder, value: ir.Value, old: ScalarType, new: ScalarType) -> ir.Value:
    """An SSA scalar of one type as another; floats lose their fraction on the way to integers."""
    if old == new:
        return value
    if new.is_half:
        return _rounded(builder, value, computed(old), new)
    if old.is_half:
        return convert(builder, value, f32, new)
    result = builder.types.scalars[new]
    if new.is_bool:
        return _is_nonzero(builder, value, old)
    if old.is_float and new.is_unsigned:  # by way of more bits, so that negative numbers wrap as integers do
        return convert(builder, convert(builder, value, old, i64), i64, new)
    if old.is_int and new.is_int and old.bits == new.bits:
        return value  # the same bits
    return builder.value(_conversion(old, new), result, [value])


def _rounded(builder: Builder, value: ir.Value, old: ScalarType, new: ScalarType) -> ir.Value:
    """A number of 16 bits, held as an `f32`; rounded once."""
    wide = f32 if old == f32 or old.is_bool else f64
    number = convert(builder, value, old, wide)
    function = {"function": ir.StringAttr.get(f"round_{new.name}")}
    return convert(builder, builder.value("soac.fn", number.type, [number], function), wide, f32)


def _conversion(old: ScalarType, new: ScalarType) -> str:
    has_no_sign = old.is_bool or old.is_unsigned
    if old.kind == new.kind and new.bits < old.bits:
        return "arith.truncf" if old.is_float else "arith.trunci"
    if old.kind == new.kind and old.is_float:
        return "arith.extf"
    if new.is_float:
        return "arith.uitofp" if has_no_sign else "arith.sitofp"
    if old.is_float:
        return "arith.fptosi"
    return "arith.extui" if has_no_sign else "arith.extsi"


def _is_nonzero(builder: Builder, value: ir.Value, dtype: ScalarType) -> ir.Value:
    zero = builder.constant(0.0 if dtype.is_float else 0, value.type)
    if dtype.is_int:
        return integers.compare(builder, "ne", value, zero)
    unordered_or_unequal = ir.IntegerAttr.get(builder.types.i64, 13)
    attributes = {"predicate": unordered_or_unequal, "fastmath": builder.types.fastmath}
    return builder.value("arith.cmpf", builder.types.i1, [value, zero], attributes)


def from_ssa(builder: Builder, value: ir.Value, dtype: ScalarType, *, weak: bool = False) -> Scalar:
    """An SSA scalar as a value of the language."""
    if dtype == i64:
        return Scalar(i64, affine=integers.opaque(builder, value), weak=weak)
    return Scalar(dtype, ssa=value, weak=weak)
