"""Gathers: `x[indices]` with an integer array of any rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapeless._mlir import ir
from tapeless.errors import TypeMismatch
from tapeless.frontend.elementwise import application
from tapeless.frontend.indexing import extraction, positions
from tapeless.frontend.values import integers, promotion
from tapeless.frontend.values.value import Array, Leaf, Pending, Scalar, Value, describe
from tapeless.types import i64

if TYPE_CHECKING:
    from tapeless.frontend.translator import Translator


def gather(t: Translator, array: Array, parts: Sequence[Value]) -> Array | Pending:
    """The elements, or rows, of the leading axis that an integer array names."""
    if len(parts) != 1:
        raise t.error("an index array must be the only index", "index in two steps: x[:, j][indices]")
    indices = parts[0]
    if indices.dtype.is_bool:
        raise t.error(
            "a bool array cannot index: the size of the result would vary", "use tl.where(mask, x, 0.0)", TypeMismatch
        )
    if not indices.dtype.is_int:
        raise t.error(
            f"an index is {describe(indices)}", "index with integers, slices or an integer array", TypeMismatch
        )
    return _elements(t, array, indices) if array.rank == 1 else _rows(t, array, indices)


def _elements(t: Translator, array: Array, indices: Array) -> Pending:
    location = t.builder.location
    leaf = Leaf(indices.ssa, tuple(range(indices.rank)))

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        with t.builder.at(location):
            return promotion.ssa(t.builder, _picked(t, array, elements[leaf], indices))

    return Pending(array.dtype, indices.dims, (leaf,), build)


def _picked(t: Translator, array: Array, index: ir.Value, indices: Array) -> Scalar | Array:
    wide = promotion.convert(t.builder, index, indices.dtype, i64)
    position = positions.checked_position(t, integers.opaque(t.builder, wide), array.dims[0], 0)
    return extraction.element(t, array, position)


def _rows(t: Translator, array: Array, indices: Array) -> Array:
    dims = (*indices.dims, *array.dims[1:])
    return Array(array.dtype, dims, _row_maps(t, array, indices, indices.ssa, 0))


def _row_maps(t: Translator, array: Array, indices: Array, rest: ir.Value, axis: int) -> ir.Value:
    builder = t.builder
    is_last = axis + 1 == indices.rank
    element = (
        builder.types.scalars[indices.dtype]
        if is_last
        else builder.types.tensor(indices.dtype, indices.dims[axis + 1 :])
    )
    with builder.region([builder.types.index, element]) as block:
        inner = block.arguments[1]
        row = _picked(t, array, inner, indices).ssa if is_last else _row_maps(t, array, indices, inner, axis + 1)
        builder.operation("soac.yield", [], [row])
    result = builder.types.tensor(array.dtype, (*indices.dims[axis:], *array.dims[1:]))
    return application.map_operation(builder, indices.dims[axis], [rest], [result], block).result


def permuted_line(t: Translator, line: Array, order: Array) -> Pending:
    """A rank-1 array in the order of a permutation of its positions, which needs no checks."""
    leaf = Leaf(order.ssa, (0,))

    def build(elements: dict[Leaf, ir.Value]) -> ir.Value:
        return promotion.ssa(t.builder, extraction.element_at(t, line, [integers.opaque(t.builder, elements[leaf])]))

    return Pending(line.dtype, line.dims, (leaf,), build)
