"""Rows beside the one at hand."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.passes.soac.build import index
from tapeless.passes.soac.rows import row_at


def rows_or(
    arrays: Sequence[ir.Value], i: ir.Value, offset: int, width: ir.Value, otherwise: Sequence[ir.Value]
) -> list[ir.Value]:
    """The rows at `i + offset`, or the given values where that is outside."""
    place = arith.AddIOp(i, index(offset)).result
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, place, width).result
    choice = scf.IfOp(inside, [value.type for value in otherwise], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([typed(row_at(array, place), value) for array, value in zip(arrays, otherwise, strict=True)])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(list(otherwise))
    return list(choice.results)


def typed(row: ir.Value, like: ir.Value) -> ir.Value:
    """The row with the type of another, from which it may differ in which sizes are static."""
    return row if row.type == like.type else tensor.CastOp(like.type, row).result
