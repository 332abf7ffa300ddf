"""Rows and slices of arrays, read and written by value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import ir, tensor
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.passes.ir.build import dim, is_array

Size: TypeAlias = ir.Value | int


def slice_of(
    array: ir.Value,
    offsets: Sequence[Size],
    sizes: Sequence[Size],
    strides: Sequence[Size],
    type_: ir.RankedTensorType,
) -> ir.Value:
    """`tensor.extract_slice` with sizes that are constants or values; the result type may drop unit axes."""
    parts = [_split(numbers) for numbers in (offsets, sizes, strides)]
    return tensor.ExtractSliceOp(
        type_, array, *(values for values, _ in parts), *(static for _, static in parts)
    ).result


def with_slice(
    array: ir.Value,
    part: ir.Value,
    offsets: Sequence[Size],
    sizes: Sequence[Size],
    strides: Sequence[Size],
) -> ir.Value:
    """`tensor.insert_slice`: the array with a slice replaced."""
    parts = [_split(numbers) for numbers in (offsets, sizes, strides)]
    return tensor.InsertSliceOp(part, array, *(values for values, _ in parts), *(static for _, static in parts)).result


def row_at(array: ir.Value, i: ir.Value) -> ir.Value:
    """The scalar or row that index `i` of axis 0 selects."""
    if array.type.rank == 1:
        return tensor.ExtractOp(array, [i]).result
    return slice_of(array, *_row(array, i), row_type(array.type))


def insert_row(array: ir.Value, i: ir.Value, row: ir.Value) -> ir.Value:
    """The array with the row at index `i` of axis 0 replaced."""
    if not is_array(row):
        return tensor.InsertOp(row, array, [i]).result
    return with_slice(array, row, *_row(array, i))


def _row(array: ir.Value, i: ir.Value) -> tuple[list[Size], list[Size], list[Size]]:
    rest = array.type.rank - 1
    sizes = [array.type.shape[k] if array.type.shape[k] != DYNAMIC else dim(array, k) for k in range(1, rest + 1)]
    return [i, *([0] * rest)], [1, *sizes], [1] * (rest + 1)


def _split(numbers: Sequence[Size]) -> tuple[list[ir.Value], list[int]]:
    """Values and static entries as the slice ops store them."""
    values = [number for number in numbers if not isinstance(number, int)]
    return values, [number if isinstance(number, int) else DYNAMIC for number in numbers]
