"""Arrays joined to one: `concat`, `stack`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import ShapeMismatch, TypeMismatch
from tapeless.frontend.arrays import array_arguments, whole_arrays
from tapeless.frontend.arrays.axes import permuted
from tapeless.frontend.arrays.reshaping import product, reshaped
from tapeless.frontend.elementwise import broadcasting
from tapeless.frontend.elementwise.application import force
from tapeless.frontend.indexing import slices
from tapeless.frontend.indexing.insertion import written
from tapeless.frontend.indexing.selections import Selection
from tapeless.frontend.indexing.slices import Span
from tapeless.frontend.values import bounds, promotion
from tapeless.frontend.values.affine import Affine
from tapeless.frontend.values.value import Array, Number, Opaque, Rows, Scalar, Tuple, Value, describe, literal

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def _parts(t: Translator, value: Value, name: str) -> list[Number]:
    if not isinstance(value, Tuple) or not value.items:
        raise t.error(
            f"tl.{name} takes a tuple of arrays, not {describe(value)}", f"write tl.{name}((a, b))", TypeMismatch
        )
    numbers = [t.number(item) for item in value.items]
    dtype, _ = promotion.common([promotion.weight(number) for number in numbers])
    return [force(t, whole_arrays.converted(t, number, dtype)) for number in numbers]


def concat(t: Translator, values: Value, axis: Value) -> Array:
    """Arrays one after the other."""
    if isinstance(values, Rows):
        return _rows_joined(t, values.array, axis)
    parts = [t.array(part) for part in _parts(t, values, "concat")]
    if isinstance(axis, Opaque) and axis.value is None:
        parts, axis = [reshaped(t, part, [product(t, part.dims)]) for part in parts], literal(0)
    rank = parts[0].rank
    if any(part.rank != rank for part in parts):
        raise t.error("arrays of different rank cannot be joined", "use arrays of one rank", ShapeMismatch)
    along = array_arguments.axis(t, axis, rank)
    dims = list(parts[0].dims)
    for part in parts[1:]:
        for other in set(range(rank)) - {along}:
            dims[other] = broadcasting.same_size(t, dims[other], part.dims[other], other)
        dims[along] = bounds.sum_of_parts(dims[along] + part.dims[along])
    sources = [_with_sizes(t, part, dims, along) for part in parts]
    attributes = {"dim": ir.IntegerAttr.get(t.builder.types.i64, along)}
    result = t.builder.types.tensor(parts[0].dtype, dims)
    ssa = t.builder.value("tensor.concat", result, sources, attributes)
    return Array(parts[0].dtype, tuple(dims), ssa)


def _rows_joined(t: Translator, array: Array, axis: Value) -> Array:
    """The rows of an array one after the other, along an axis of theirs."""
    if array.rank == 1:
        raise t.error("numbers cannot be joined", "make an array of them with np.array(...)", ShapeMismatch)
    if isinstance(axis, Opaque) and axis.value is None:
        return reshaped(t, array, [product(t, array.dims)])
    along = array_arguments.axis(t, axis, array.rank - 1)
    moved = _moved(t, array, along)
    merged = product(t, moved.dims[along : along + 2])
    return reshaped(t, moved, [*moved.dims[:along], merged, *moved.dims[along + 2 :]])


def _moved(t: Translator, array: Array, along: int) -> Array:
    """An array whose first axis is another one."""
    order = [*range(1, array.rank)]
    order.insert(along, 0)
    return permuted(t, array, tuple(order))


def _with_sizes(t: Translator, part: Array, dims: Sequence[Affine], along: int) -> ir.Value:
    wanted = [part.dims[axis] if axis == along else size for axis, size in enumerate(dims)]
    return broadcasting.with_static_sizes(t, part.ssa, wanted)


def stack(t: Translator, values: Value, axis: Value) -> Array:
    """Values of one shape, stacked along a new axis."""
    if isinstance(values, Rows):
        return _moved(t, values.array, array_arguments.axis(t, axis, values.array.rank))
    parts = _parts(t, values, "stack")
    if all(isinstance(part, Scalar) for part in parts):
        array_arguments.axis(t, axis, 1)
        dtype, dims = parts[0].dtype, (Affine(len(parts)),)
        elements = [promotion.ssa(t.builder, part, dtype) for part in parts]
        return Array(
            dtype, dims, t.builder.value("tensor.from_elements", t.builder.types.tensor(dtype, dims), elements)
        )
    rows = [t.array(part) for part in parts]
    if any(row.rank != rows[0].rank for row in rows):
        raise t.error("arrays of different rank cannot be stacked", "use arrays of one shape", ShapeMismatch)
    return _stacked(t, rows, array_arguments.axis(t, axis, rows[0].rank + 1))


def _stacked(t: Translator, rows: Sequence[Array], along: int) -> Array:
    dims = list(rows[0].dims)
    for row in rows[1:]:
        dims = [broadcasting.same_size(t, *pair, axis) for axis, pair in enumerate(zip(dims, row.dims, strict=True))]
    result = whole_arrays.empty(t, [*dims[:along], Affine(len(rows)), *dims[along:]], rows[0].dtype)
    for position, row in enumerate(rows):
        spans = [slices.whole(size) for size in dims]
        spans.insert(along, Span(Affine(position), Affine(1), 1, dropped=True))
        result = written(t, result, Selection(tuple(spans), ()), row)
    return result
