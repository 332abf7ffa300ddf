"""The same elements in another shape: `reshape`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.errors import ShapeMismatch
from tapeless.frontend.arrays import array_arguments
from tapeless.frontend.elementwise import arithmetic
from tapeless.frontend.values import bounds, integers, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Scalar, Tuple, Value
from tapeless.types import f64, i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator

_MOST_ELEMENTS = 2**62


def reshape(t: Translator, x: Value, shape: Value) -> Array:
    """The same elements in another shape; one size may be -1."""
    array = t.array(x)
    items = shape.items if isinstance(shape, Tuple) else (shape,)
    unknown = [axis for axis, item in enumerate(items) if isinstance(item, Scalar) and item.literal == -1]
    if len(unknown) > 1:
        raise t.error("only one size of a shape can be -1", "write the other sizes", ShapeMismatch)
    known = (
        array_arguments.shape(t, Tuple(tuple(item for axis, item in enumerate(items) if axis not in unknown)))
        if len(items) > len(unknown)
        else ()
    )
    dims = list(known)
    if unknown:
        dims.insert(unknown[0], _remaining(t, array, known))
    _check_count(t, array.dims, dims)
    return reshaped(t, array, dims)


def reshaped(t: Translator, array: Array, dims: Sequence[Affine]) -> Array:
    """The same elements in other sizes, which are known to fit."""
    if array.dims == tuple(dims):
        return array
    operands = [integers.index_value(t.builder, size) for size in dims]
    shape_type = ir.RankedTensorType.get([len(dims)], t.builder.types.index, loc=t.builder.types.unknown)
    wanted = t.builder.value("tensor.from_elements", shape_type, operands)
    ssa = t.builder.value("tensor.reshape", t.builder.types.tensor(array.dtype, dims), [array.ssa, wanted])
    return Array(array.dtype, tuple(dims), ssa)


def _remaining(t: Translator, array: Array, known: Sequence[Affine]) -> Affine:
    """The size that -1 stands for."""
    total, part = product(t, array.dims), product(t, known)
    if part == Affine(1):
        return total
    if total.is_constant and part.is_constant and part.constant:
        return Affine(total.constant // part.constant)
    divisor = bounds.maximum(t.builder, part, Affine(1))
    operands = [integers.index_value(t.builder, each) for each in (total, divisor)]
    return integers.opaque(t.builder, t.builder.value("arith.divsi", t.builder.types.index, operands), (Affine(0),))


def product(t: Translator, dims: Sequence[Affine]) -> Affine:
    """The number of elements of a shape."""
    total = Affine(1)
    for size in sorted(dims, key=lambda each: tuple(symbol.serial for symbol in each.terms)):
        total = bounds.product(t.builder, total, size)
    return total


def _check_count(t: Translator, old: Sequence[Affine], new: Sequence[Affine]) -> None:
    before, after = product(t, old), product(t, new)
    if before == after:
        return
    if before.is_constant and after.is_constant:
        raise t.error(
            f"{before.constant} elements cannot be reshaped to {after.constant}",
            "keep the number of elements",
            ShapeMismatch,
        )
    values = [integers.index_value(t.builder, each) for each in (before, after)]
    condition = integers.compare(t.builder, "eq", *values)
    if LONGEST_AXIS ** sum(not size.is_constant for size in new) * _constant_part(new) > _MOST_ELEMENTS:
        condition = t.builder.value("arith.andi", condition.type, [condition, _is_countable(t, new)])
    t.builder.check(condition, "ShapeMismatch", "{} elements cannot be reshaped to {}; keep their number", *values)


def _constant_part(dims: Sequence[Affine]) -> int:
    return math.prod(size.constant for size in dims if size.is_constant)


def _is_countable(t: Translator, dims: Sequence[Affine]) -> ir.Value:
    """Whether the number of elements fits into an integer, which a wrapped product would not tell."""
    builder, f64_type = t.builder, t.builder.types.scalars[f64]
    total = builder.constant(float(_constant_part(dims)), f64_type)
    for size in dims:
        if not size.is_constant:
            factor = promotion.convert(builder, integers.integer_value(builder, size), i64, f64)
            total = arithmetic.multiply(builder, f64, total, factor)
    return arithmetic.float_compare(builder, "le", total, builder.constant(float(_MOST_ELEMENTS), f64_type))
