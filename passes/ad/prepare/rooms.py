"""Buffers for the values that the iterations of a loop make."""

from __future__ import annotations

from tapeless._mlir import ir, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import dim, is_array


def empty_rows(count: int | ir.Value, row: ir.Value) -> ir.Value:
    """An array without contents for so many rows, or scalars, like this one."""
    if not is_array(row):
        return tensor.EmptyOp([count], row.type).result
    return tensor.EmptyOp([count, *_sizes(row)], row.type.element_type).result


def empty_rows_of(count: ir.Value, array: ir.Value) -> ir.Value:
    """An array without contents for so many rows like those of another."""
    return tensor.EmptyOp([count, *_sizes(array)[1:]], array.type.element_type).result


def _sizes(array: ir.Value) -> list[ir.Value | int]:
    return [extent if extent != DYNAMIC else dim(array, axis) for axis, extent in enumerate(array.type.shape)]
