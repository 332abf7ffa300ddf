"""Operators that make arrays: `zeros`, `full`, `iota`, `linspace` and their kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.elementwise.nests import map_operation
from tapeless.frontend.values import bounds, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Scalar, Value, literal
from tapeless.types import ScalarType, f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def zeros(t: Translator, shape: Value, dtype: Value) -> Array:
    return whole_arrays.filled(t, array_arguments.shape(t, shape), literal(0), array_arguments.dtype(t, dtype) or f64)


def ones(t: Translator, shape: Value, dtype: Value) -> Array:
    return whole_arrays.filled(t, array_arguments.shape(t, shape), literal(1), array_arguments.dtype(t, dtype) or f64)


def full(t: Translator, shape: Value, value: Value, dtype: Value) -> Array:
    scalar = t.scalar(value, "the value")
    return whole_arrays.filled(
        t, array_arguments.shape(t, shape), scalar, array_arguments.dtype(t, dtype) or scalar.dtype
    )


def zeros_like(t: Translator, x: Value, dtype: Value) -> Value:
    return full_like(t, x, literal(0), dtype)


def ones_like(t: Translator, x: Value, dtype: Value) -> Value:
    return full_like(t, x, literal(1), dtype)


def full_like(t: Translator, x: Value, value: Value, dtype: Value) -> Value:
    number, scalar = t.number(x), t.scalar(value, "the value")
    kind = array_arguments.dtype(t, dtype) or number.dtype
    if isinstance(number, Scalar):
        return promotion.from_ssa(t.builder, promotion.ssa(t.builder, scalar, kind), kind)
    return whole_arrays.filled(t, number.dims, scalar, kind)


def iota(t: Translator, n: Value) -> Array:
    return generated(t, array_arguments.size(t, n), i64, lambda index: as_integer(t, index))


def as_integer(t: Translator, index: ir.Value) -> ir.Value:
    """An `index` as an `i64`."""
    return t.builder.value("arith.index_cast", t.builder.types.i64, [index])


def generated(t: Translator, size: Affine, dtype: ScalarType, element: Callable[[ir.Value], ir.Value]) -> Array:
    """A rank-1 array whose elements are a function of their position."""
    with t.builder.region([t.builder.types.index]) as block:
        t.builder.operation("soac.yield", [], [element(block.arguments[0])])
    result = t.builder.types.tensor(dtype, [size])
    return Array(dtype, (size,), map_operation(t.builder, size, [], [result], block).result)


def linspace(t: Translator, a: Value, b: Value, n: Value, endpoint: Value) -> Array:
    """`a + i * (b - a) / (n - 1)`, with the last element exactly `b`; by `n` without the end point."""
    builder = t.builder
    first, last = t.scalar(a, "the first number"), t.scalar(b, "the last number")
    dtype = promotion.floating(promotion.common([promotion.weight(first), promotion.weight(last)])[0])
    size = array_arguments.size(t, n)
    start, stop = promotion.ssa(builder, first, dtype), promotion.ssa(builder, last, dtype)
    intervals = bounds.maximum(builder, size - 1 if t.flag(endpoint, "endpoint") else size, Affine(1))
    count = promotion.convert(builder, integers.integer_value(builder, intervals), i64, dtype)
    step = arithmetic.divide(builder, dtype, arithmetic.subtract(builder, dtype, stop, start), count)
    end = integers.index_value(builder, intervals)

    def element(index: ir.Value) -> ir.Value:
        position = promotion.convert(builder, as_integer(t, index), i64, dtype)
        value = arithmetic.add(builder, dtype, start, arithmetic.multiply(builder, dtype, position, step))
        return arithmetic.select(builder, integers.compare(builder, "eq", index, end), stop, value)

    return generated(t, size, dtype, element)


def copy(t: Translator, x: Value) -> Number:
    return t.number(x)
