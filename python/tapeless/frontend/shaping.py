"""Operators that rearrange arrays: `reshape`, `transpose`, `concat`, `stack`, `reverse`, `astype`, `copy`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.abi import LONGEST_AXIS
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend import arithmetic, arrays, bounds, broadcasting, indexing, integers, promotion, slices
from tapeless.frontend.affine import Affine
from tapeless.frontend.elementwise import force
from tapeless.frontend.indexing import Selection
from tapeless.frontend.slices import Span
from tapeless.frontend.values import Array, Number, Opaque, Scalar, Tuple, Value, describe
from tapeless.frontend.writes import written
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
        arrays.shape(t, Tuple(tuple(item for axis, item in enumerate(items) if axis not in unknown)))
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


def transpose(t: Translator, x: Value, axes: Value) -> Array:
    """Axes permuted, by default reversed."""
    array = t.array(x)
    if isinstance(axes, Opaque) and axes.value is None:
        return permuted(t, array, tuple(reversed(range(array.rank))))
    items = axes.items if isinstance(axes, Tuple) else (axes,)
    order = tuple(arrays.axis(t, item, array.rank, "an axis") for item in items)
    if sorted(order) != list(range(array.rank)):
        raise t.error(
            f"axes {order} are not a permutation of the axes of the array", "name every axis once", ShapeMismatch
        )
    return permuted(t, array, order)


def permuted(t: Translator, array: Array, order: tuple[int, ...]) -> Array:
    """The array whose axis k is axis `order[k]` of the given one."""
    if order == tuple(range(array.rank)):
        return array
    dims = tuple(array.dims[axis] for axis in order)
    i64_type = t.builder.types.i64
    permutation = ir.ArrayAttr.get([ir.IntegerAttr.get(i64_type, axis) for axis in order])
    result = t.builder.types.tensor(array.dtype, dims)
    ssa = t.builder.value("soac.transpose", result, [array.ssa], {"permutation": permutation})
    return Array(array.dtype, dims, ssa)


def reverse(t: Translator, x: Value, axis: Value) -> Array:
    array = t.array(x)
    return indexing.reverse(t, array, arrays.axis(t, axis, array.rank))


def _parts(t: Translator, value: Value, name: str) -> list[Number]:
    if not isinstance(value, Tuple) or not value.items:
        raise t.error(
            f"tl.{name} takes a tuple of arrays, not {describe(value)}", f"write tl.{name}((a, b))", TypeMismatch
        )
    numbers = [t.number(item) for item in value.items]
    dtype, _ = promotion.common([promotion.weight(number) for number in numbers])
    return [force(t, arrays.converted(t, number, dtype)) for number in numbers]


def concat(t: Translator, values: Value, axis: Value) -> Array:
    """Arrays one after the other."""
    parts = [t.array(part) for part in _parts(t, values, "concat")]
    rank = parts[0].rank
    if any(part.rank != rank for part in parts):
        raise t.error("arrays of different rank cannot be joined", "use arrays of one rank", ShapeMismatch)
    along = arrays.axis(t, axis, rank)
    dims = list(parts[0].dims)
    for part in parts[1:]:
        for other in set(range(rank)) - {along}:
            dims[other] = broadcasting.same_size(t, dims[other], part.dims[other], other)
        dims[along] = dims[along] + part.dims[along]
    sources = [_with_sizes(t, part, dims, along) for part in parts]
    attributes = {"dim": ir.IntegerAttr.get(t.builder.types.i64, along)}
    result = t.builder.types.tensor(parts[0].dtype, dims)
    ssa = t.builder.value("tensor.concat", result, sources, attributes)
    return Array(parts[0].dtype, tuple(dims), ssa)


def _with_sizes(t: Translator, part: Array, dims: Sequence[Affine], along: int) -> ir.Value:
    wanted = [part.dims[axis] if axis == along else size for axis, size in enumerate(dims)]
    return broadcasting.with_static_sizes(t, part.ssa, wanted)


def stack(t: Translator, values: Value, axis: Value) -> Array:
    """Values of one shape, stacked along a new axis."""
    parts = _parts(t, values, "stack")
    if all(isinstance(part, Scalar) for part in parts):
        arrays.axis(t, axis, 1)
        dtype, dims = parts[0].dtype, (Affine(len(parts)),)
        elements = [promotion.ssa(t.builder, part, dtype) for part in parts]
        return Array(
            dtype, dims, t.builder.value("tensor.from_elements", t.builder.types.tensor(dtype, dims), elements)
        )
    rows = [t.array(part) for part in parts]
    if any(row.rank != rows[0].rank for row in rows):
        raise t.error("arrays of different rank cannot be stacked", "use arrays of one shape", ShapeMismatch)
    return _stacked(t, rows, arrays.axis(t, axis, rows[0].rank + 1))


def _stacked(t: Translator, rows: Sequence[Array], along: int) -> Array:
    dims = list(rows[0].dims)
    for row in rows[1:]:
        dims = [broadcasting.same_size(t, *pair, axis) for axis, pair in enumerate(zip(dims, row.dims, strict=True))]
    result = arrays.empty(t, [*dims[:along], Affine(len(rows)), *dims[along:]], rows[0].dtype)
    for position, row in enumerate(rows):
        spans = [slices.whole(size) for size in dims]
        spans.insert(along, Span(Affine(position), Affine(1), 1, dropped=True))
        result = written(t, result, Selection(tuple(spans), ()), row)
    return result


def copy(t: Translator, x: Value) -> Number:
    return t.number(x)


def astype(t: Translator, x: Value, dtype: Value) -> Number:
    wanted = arrays.dtype(t, dtype)
    if wanted is None:
        raise t.error("the dtype is None", "use tl.f64, tl.f32, tl.i64, tl.i32 or tl.bool_", TypeMismatch)
    return arrays.converted(t, t.number(x), wanted)


HANDLERS = {
    "reshape": reshape,
    "transpose": transpose,
    "reverse": reverse,
    "concat": concat,
    "stack": stack,
    "copy": copy,
    "astype": astype,
}
