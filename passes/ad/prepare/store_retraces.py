"""Chains visited backwards store all states, which can be run backwards again."""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import ad
from tapeless.dialects.ad.marks import SURE
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.prepare.rooms import empty_rows
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.rows import insert_row, row_at
from tapeless.passes.ir.search import ops_named

Values = list[ir.Value]


def store_retraces(function: ir.OpView) -> None:
    """Expands `rev.retrace` to a loop that checkpoints every state and one that reads them, last first.

    ```mlir
    %r = "rev.retrace"(%lo, %n, %step, %x, %bar) ({ step }, { visit }) {budget = 8}

    %_, %rows = scf.for %k = 0 to %n iter_args(x, rows) { rows[k] = x; step }
    %r = scf.for %k = 0 to %n iter_args(bar) { x = rows[n - 1 - k]; visit }
    ```
    Inner ones come first.
    """
    # Most programs never ask for the dialect, so that there is nothing to look for.
    if not function.context.is_dialect_loaded("rev"):
        return
    for op in ops_named(function, "rev.retrace"):
        with ir.InsertionPoint(op), op.location:
            replace_op(op, _visited(op, _stored(op)))


def _stored(op: ir.OpView) -> Values:
    """One array per state with a row per step; no row is written twice."""
    states = operands_of(op, "states")
    loop = scf.ForOp(index(0), op.trips, index(1), [*states, *(empty_rows(op.trips, state) for state in states)])
    with ir.InsertionPoint(loop.body):
        k, values = loop.induction_variable, list(loop.inner_iter_args)
        current, rooms = values[: len(states)], [_sure(room) for room in values[len(states) :]]
        rows = [insert_row(room, k, state) for room, state in zip(rooms, current, strict=True)]
        scf.YieldOp([*inline_block(op.step.blocks[0], [_index_at(op, k), *current]), *rows])
    return list(loop.results)[len(states) :]


def _sure(room: ir.Value) -> ir.Value:
    promise = ad.PromiseOp(room, room.type)
    promise.operation.attributes[SURE] = ir.UnitAttr.get()
    return promise.out


def _visited(op: ir.OpView, rows: Values) -> Values:
    loop = scf.ForOp(index(0), op.trips, index(1), list(operands_of(op, "carried")))
    with ir.InsertionPoint(loop.body):
        last = arith.SubIOp(op.trips, index(1)).result
        k = arith.SubIOp(last, loop.induction_variable).result
        states = [row_at(row, k) for row in rows]
        scf.YieldOp(inline_block(op.visit.blocks[0], [_index_at(op, k), *states, *loop.inner_iter_args]))
    return list(loop.results)


def _index_at(op: ir.OpView, k: ir.Value) -> ir.Value:
    return arith.AddIOp(op.lower, arith.MulIOp(k, op.stride).result).result
