"""Rows beside the one at hand."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import dim, index, is_array
from tapeless.passes.ir.rows import row_at, slice_of


def rows_or(
    arrays: Sequence[ir.Value], i: ir.Value, offset: int, width: ir.Value, otherwise: Sequence[ir.Value]
) -> list[ir.Value]:
    """The rows at `i + offset`, or the given values where that is outside."""
    place = arith.AddIOp(i, index(offset)).result
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, place, width).result
    choice = scf.IfOp(inside, [value.type for value in otherwise], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([_row_like(value, array, place) for array, value in zip(arrays, otherwise, strict=True)])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(list(otherwise))
    return list(choice.results)


def _row_like(like: ir.Value, array: ir.Value, place: ir.Value) -> ir.Value:
    """A row in the size of a value that takes its place elsewhere, so that the size of either is known to be one."""
    if not is_array(like):
        return row_at(array, place)
    sizes = [size if size != DYNAMIC else dim(like, k) for k, size in enumerate(like.type.shape)]
    return slice_of(array, [place, *([0] * len(sizes))], [1, *sizes], [1] * (len(sizes) + 1), like.type)


def typed(row: ir.Value, like: ir.Value) -> ir.Value:
    """The row with the type of another, from which it may differ in which sizes are static."""
    return row if row.type == like.type else tensor.CastOp(like.type, row).result
