"""The pass `ad-lift`: operators that read differentiated values from outside, as loops.

The rules of reductions, scans and histograms differentiate with respect to the elements. An operator that also reads
other float values gets a loop instead, whose rule finds the adjoints of everything its body reads.
"""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.copying import combined, free_values
from tapeless.passes.ad.operators import directions
from tapeless.passes.ad.prepare.chained_histograms import chained_histogram
from tapeless.passes.ad.prepare.rooms import empty_rows
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import cast_to, index
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.search import ops_named


@dataclass(frozen=True)
class Lift(FunctionPass):
    """Converts reductions, scans and histograms whose operator is a closure over floats into loops.

    ```mlir
    %r = "soac.reduce"(%n, %xs, %e) ({ uses %w })
    %r = scf.for %i = 0 to %n iter_args(%y = %e) { %y op %xs[%i], uses %w }
    ```
    """

    name: ClassVar[str] = "ad-lift"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites every such operator of the function."""
        lift_operators(function)


def lift_operators(function: ir.OpView) -> None:
    """Rewrites the operators of a function that read floats from outside."""
    for op in ops_named(function, *LOOPS):
        if any(is_float(value.type) and not _is_constant(value) for value in free_values(op)):
            with ir.InsertionPoint(op), op.location:
                made = LOOPS[op.operation.name](op)
                replace_op(op, [cast_to(r.type, value) for r, value in zip(op.operation.results, made, strict=True)])


def _is_constant(value: ir.Value) -> bool:
    return not isinstance(value, ir.BlockArgument) and value.owner.operation.name == "arith.constant"


def _reduce(op: ir.OpView) -> list[ir.Value]:
    loop = scf.ForOp(index(0), op.width, index(1), list(op.neutral))
    with ir.InsertionPoint(loop.body):
        rows = [row_at(array, loop.induction_variable) for array in op.inputs]
        scf.YieldOp(combined(op, list(loop.inner_iter_args), rows))
    return list(loop.results)


def _scan(op: ir.OpView) -> list[ir.Value]:
    exclusive, backwards = directions(op)
    count = len(op.inputs)
    empty = [empty_rows(op.width, value) for value in op.neutral]
    loop = scf.ForOp(index(0), op.width, index(1), [*op.neutral, *empty])
    with ir.InsertionPoint(loop.body):
        i = loop.induction_variable
        if backwards:
            i = arith.SubIOp(arith.SubIOp(op.width, index(1)).result, i).result
        state, arrays = list(loop.inner_iter_args)[:count], list(loop.inner_iter_args)[count:]
        rows = [row_at(array, i) for array in op.inputs]
        following = combined(op, rows, state) if backwards else combined(op, state, rows)
        stored = state if exclusive else following
        scf.YieldOp([*following, *(insert_row(array, i, value) for array, value in zip(arrays, stored, strict=True))])
    return list(loop.results)[count:]


LOOPS = {"soac.reduce": _reduce, "soac.scan": _scan, "soac.hist": chained_histogram}
