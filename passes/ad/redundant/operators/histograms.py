"""The return rules of `soac.hist`."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.passes.ad.operators import GENERAL, component_kinds
from tapeless.passes.ad.redundant.operators.reductions import equals_zero, refuse_active_neutral
from tapeless.passes.ad.redundant.operators.row_sizes import with_sizes_of
from tapeless.passes.ad.redundant.operators.sorted_histograms import general_histogram_back, general_histogram_bars
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import (
    Rows,
    dim,
    element_type,
    elementwise,
    filled,
    map_,
    number,
    reduce_,
    zeros_like,
)
from tapeless.passes.ir.rows import row_at
from tapeless.passes.rules.emitted import Emitted


def hist_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of a histogram's destinations and values."""
    refuse_active_neutral(sweep, op)
    kinds = component_kinds(op.combine)
    if GENERAL in kinds:
        general_histogram_back(sweep, op)
        return
    for k, kind in enumerate(kinds):
        seed = sweep.bars.get(op.operation.results[k])
        if seed is not None:
            SPECIAL[kind](sweep, op, k, seed)


def gathered(
    keys: ir.Value, width: ir.Value, table: ir.Value, body: Callable[..., ir.Value], *arrays: ir.Value
) -> ir.Value:
    """For each key the value of `body(row of table, position, *elements)`; zero where the key is outside the table."""
    bins = dim(table, 0)

    def one(i: ir.Value, elements: Rows, _: Rows) -> tuple[Rows, Rows]:
        key = arith.IndexCastOp(ir.IndexType.get(), elements[0]).result
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        return [row_if(inside, table, lambda: body(row_at(table, key), key, i, *elements[1:]))], []

    bars, _ = map_(width, [keys, *arrays], [], one)
    return bars[0]


def row_if(condition: ir.Value, table: ir.Value, emit: Callable[[], ir.Value]) -> ir.Value:
    """The result of `emit`, like a row of `table`, where the condition holds; else zero."""
    type_ = row_type(table.type)
    choice = scf.IfOp(condition, [type_], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([emit()])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([_zero_row(table)])
    return choice.results[0]


def _zero_row(table: ir.Value) -> ir.Value:
    zero = number(element_type(table.type), 0.0)
    if table.type.rank == 1:
        return zero
    return filled(row_type(table.type), [dim(table, axis) for axis in range(1, table.type.rank)], zero)


def _sum(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The destination keeps its adjoint, every value gets its bin's."""
    sweep.bars.add(op.dests[k], seed)
    if op.values[k] in sweep.activity:
        keys, width = sweep.primal(op.keys), dim(sweep.primal(op.values[k]), 0)
        sweep.bars.add(op.values[k], gathered(keys, width, seed, lambda row, *_: row))


def _extremum(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The destination wins ties, then the first value that equals its bin's result."""
    dest, result = sweep.primal(op.dests[k]), sweep.primal(op.operation.results[k])
    if op.dests[k] in sweep.activity:

        def dest_bar(d: ir.Value, h: ir.Value, bar: ir.Value) -> ir.Value:
            return arith.SelectOp(_same(d, h), bar, number(bar.type, 0.0)).result

        sweep.bars.add(op.dests[k], elementwise(dest_bar, dest, result, seed))
    if op.values[k] in sweep.activity:
        sweep.bars.add(op.values[k], _claims(sweep, op, k, seed))


def _claims(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> ir.Value:
    """Each value's adjoint: its bin's, if it claims the bin."""
    keys, values, dest = sweep.primal(op.keys), sweep.primal(op.values[k]), sweep.primal(op.dests[k])
    places = ir.RankedTensorType.get([DYNAMIC], ir.IntegerType.get_signless(64))
    first = soac.ArgHistOp(keys, values, dest, sweep.primal(op.operation.results[k]), places).out

    def kept(row: ir.Value, key: ir.Value, i: ir.Value) -> ir.Value:
        position = arith.IndexCastOp(first.type.element_type, i).result
        return row_if(arith.CmpIOp(arith.CmpIPredicate.eq, row_at(first, key), position).result, seed, lambda: row)

    return gathered(keys, dim(values, 0), seed, kept)


def _product(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """A bin's product divided by the value, unless some product is zero."""
    result = sweep.primal(op.operation.results[k])
    bins = dim(result, 0)
    zero_bins = elementwise(equals_zero, result)
    bit = zero_bins.type.element_type
    some = reduce_(bins, [zero_bins], [number(bit, 0)], lambda a, b: [arith.OrIOp(a[0], b[0]).result])[0]
    sides = op.dests[k], op.values[k]
    wanted = [side for side in range(2) if sides[side] in sweep.activity]
    choice = scf.IfOp(some, [sweep.primal(sides[side]).type for side in wanted], has_else=True)
    for block, emit in ((choice.then_block, _others), (choice.else_block, _quotients)):
        with ir.InsertionPoint(block):
            made = emit(sweep, op, k, seed)
            scf.YieldOp([with_sizes_of(sweep.primal(sides[side]), made[side]) for side in wanted])
    for side, bar in zip(wanted, choice.results, strict=True):
        sweep.bars.add(sides[side], bar)


def _quotients(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Adjoints of destination and values when no bin's product is zero."""
    keys = sweep.primal(op.keys)
    dest, values = sweep.primal(op.dests[k]), sweep.primal(op.values[k])
    whole = elementwise(lambda h, bar: (Emitted(h) * Emitted(bar)).value, sweep.primal(op.operation.results[k]), seed)
    dest_bar = elementwise(lambda w, d: (Emitted(w) / Emitted(d)).value, whole, dest)
    return dest_bar, gathered(keys, dim(values, 0), whole, lambda w, _, __, x: (Emitted(w) / Emitted(x)).value, values)


def _others(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The same in the general way, which divides by nothing."""
    dests = sweep.primals(op.dests)
    seeds = [seed if component == k else zeros_like(dest) for component, dest in enumerate(dests)]
    dest_bars, value_bars = general_histogram_bars(sweep, op, seeds)
    return dest_bars[k], value_bars[k]


def _same(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.CmpFOp(arith.CmpFPredicate.OEQ, a, b).result


SPECIAL = {"add": _sum, "mul": _product, "max": _extremum, "min": _extremum}
