"""The return rule of a map of whose results only one element matters: its body once, at that index."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.redundant.scope.bars import Single
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import cast_to, index, number
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.rows import row_at


def single_back(sweep: Sweep, op: ir.OpView, k: int, one: Single) -> None:
    """Adds the adjoints of the body's operands at one index, when there is any iteration at all."""
    inputs = [value for value in dict.fromkeys(op.inputs) if value in sweep.activity]
    targets = list(dict.fromkeys([*inputs, *sweep.free_active(op)]))
    if not targets:
        return
    before = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in targets]
    width = sweep.primal(op.width)
    some = arith.CmpIOp(arith.CmpIPredicate.sgt, width, index(0)).result
    choice = scf.IfOp(some, [bar.type for bar in before], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scope = sweep.scope()
        for value, bar in zip(targets, before, strict=True):
            scope.bars.set(value, bar)
        _run_at(scope, op, k, one, width)
        bars = [cast_to(bar.type, scope.bars.of(value)) for value, bar in zip(targets, before, strict=True)]
        scf.YieldOp(bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(before)
    for value, bar in zip(targets, choice.results, strict=True):
        sweep.bars.set(value, bar)


def _run_at(scope: Sweep, op: ir.OpView, k: int, one: Single, width: ir.Value) -> None:
    """The body at the index, with adjoint zero when the index is outside."""
    block = op.body.blocks[0]
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, one.index, width).result
    seed = arith.SelectOp(inside, one.value, number(one.value.type, 0.0)).result
    i = arith.MinUIOp(one.index, arith.SubIOp(width, index(1)).result).result
    arrays = scope.primals(op.inputs)
    scope.bind(block.arguments, [i, *(row_at(array, i) for array in arrays)])
    scope.differentiate(block, [seed if position == k else None for position in range(len(op.operation.results))])
    for value, array, argument in zip(op.inputs, arrays, arguments_of(op, "inputs"), strict=True):
        bar = scope.bars.get(argument)
        if bar is not None and value in scope.activity:
            scope.bars.add_row(value, i, bar, array)
