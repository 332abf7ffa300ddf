"""Exclusive and reversed scans by inclusive forward ones, which have the general rule."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.passes.ad.copying import combined
from tapeless.passes.ad.operators import component_kinds
from tapeless.passes.ir.build import cast_to, index, map_, scan_
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.search import ops_named


def plain_scans(function: ir.OpView) -> None:
    """Normalises scans with `exclusive` or `reverse` set to inclusive forward ones, sums excepted.

    ```mlir
    exclusive scan of xs      [e, ys[0], ..., ys[n-2]] with ys the inclusive scan
    reversed scan of xs       reverse of the scan, with operands exchanged, of the reversed xs
    ```
    """
    for op in ops_named(function, "soac.scan"):
        exclusive, backwards = (
            bool(ir.IntegerAttr(op.operation.attributes[n]).value) for n in ("exclusive", "reverse")
        )
        if (exclusive or backwards) and any(kind != "add" for kind in component_kinds(op.combine)):
            with ir.InsertionPoint(op), op.location:
                made = _rewritten(op, exclusive, backwards)
                replace_op(op, [cast_to(r.type, value) for r, value in zip(op.operation.results, made, strict=True)])


def _rewritten(op: ir.OpView, exclusive: bool, backwards: bool) -> list[ir.Value]:
    inputs = [_reversed(array) for array in op.inputs] if backwards else list(op.inputs)

    def combine(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
        return combined(op, right, left) if backwards else combined(op, left, right)

    results = scan_(op.width, inputs, list(op.neutral), combine)
    if exclusive:
        results = _shifted(op, results)
    return [_reversed(array) for array in results] if backwards else results


def _shifted(op: ir.OpView, arrays: Sequence[ir.Value]) -> list[ir.Value]:
    """Each array one place later, with the neutral element first."""

    def body(i: ir.Value, _: Sequence[ir.Value], __: Sequence[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        first = arith.CmpIOp(arith.CmpIPredicate.eq, i, index(0)).result
        choice = scf.IfOp(first, [value.type for value in op.neutral], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(list(op.neutral))
        with ir.InsertionPoint(choice.else_block):
            before = arith.SubIOp(i, index(1)).result
            scf.YieldOp([cast_to(n.type, row_at(a, before)) for n, a in zip(op.neutral, arrays, strict=True)])
        return list(choice.results), []

    return map_(op.width, [], [], body)[0]


def _reversed(array: ir.Value) -> ir.Value:
    return soac.ReverseOp(array, array.type, axis=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)).out
