"""The return rules of `soac.hist` and `soac.scatter`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.passes.ad.operators import GENERAL, component_kinds
from tapeless.passes.ad.reverse.reductions import product_of_others, refuse_active_neutral
from tapeless.passes.ad.reverse.slices import row_at
from tapeless.passes.ad.reverse.sorted_histograms import general_histogram_back
from tapeless.passes.ad.reverse.sweep import Sweep
from tapeless.passes.rules.expr import Expr, choose
from tapeless.passes.soac.build import (
    dim,
    element_type,
    elementwise,
    filled,
    flags,
    map_,
    number,
    row_type,
    zeros_like,
)


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

    def one(i: ir.Value, elements: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple:
        key = arith.IndexCastOp(ir.IndexType.get(), elements[0]).result
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        return [_if_inside(inside, table, lambda: body(row_at(table, key), key, i, *elements[1:]))], []

    bars, _ = map_(width, [keys, *arrays], [], one)
    return bars[0]


def _if_inside(inside: ir.Value, table: ir.Value, emit: Callable[[], ir.Value]) -> ir.Value:
    type_ = row_type(table.type)
    choice = scf.IfOp(inside, [type_], has_else=True)
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
        keys, width = sweep.primal(op.keys), sweep.primal(op.width)
        sweep.bars.add(op.values[k], gathered(keys, width, seed, lambda row, *_: row))


def _extremum(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """The destination wins ties, then the first value that equals its bin's result."""
    width, keys = sweep.primal(op.width), sweep.primal(op.keys)
    dest, values, result = (sweep.primal(v) for v in (op.dests[k], op.values[k], op.operation.results[k]))
    i64 = ir.IntegerType.get_signless(64)
    nobody = arith.IndexCastOp(i64, width).result

    def kept(d: ir.Value, h: ir.Value) -> ir.Value:
        return arith.SelectOp(_same(d, h), number(i64, -1), nobody).result

    start = elementwise(kept, dest, result)
    candidates = _candidates(keys, width, result, values, nobody)
    (winner,) = _hist(width, keys, [start], [candidates], [nobody], lambda a, b: arith.MinSIOp(a, b).result)

    def dest_bar(w: ir.Value, bar: ir.Value) -> ir.Value:
        won = arith.CmpIOp(arith.CmpIPredicate.slt, w, number(i64, 0)).result
        return arith.SelectOp(won, bar, number(bar.type, 0.0)).result

    if op.dests[k] in sweep.activity:
        sweep.bars.add(op.dests[k], elementwise(dest_bar, winner, seed))
    if op.values[k] in sweep.activity:
        sweep.bars.add(op.values[k], gathered(keys, width, seed, _winner_bar(winner)))


def _winner_bar(winner: ir.Value) -> Callable[..., ir.Value]:
    def bar(row: ir.Value, key: ir.Value, i: ir.Value) -> ir.Value:
        owner = arith.IndexCastOp(ir.IndexType.get(), row_at(winner, key)).result
        won = arith.CmpIOp(arith.CmpIPredicate.eq, owner, i).result
        return arith.SelectOp(won, row, number(row.type, 0.0)).result

    return bar


def _candidates(keys: ir.Value, width: ir.Value, result: ir.Value, values: ir.Value, nobody: ir.Value) -> ir.Value:
    """Per value its position when it equals its bin's result, else more than any position."""
    bins = dim(result, 0)
    i64 = nobody.type

    def one(i: ir.Value, elements: Sequence[ir.Value], _: Sequence[ir.Value]) -> tuple:
        key = arith.IndexCastOp(ir.IndexType.get(), elements[0]).result
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        choice = scf.IfOp(inside, [i64], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            wins = _same(elements[1], row_at(result, key))
            scf.YieldOp([arith.SelectOp(wins, arith.IndexCastOp(i64, i).result, nobody).result])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([nobody])
        return [choice.results[0]], []

    return map_(width, [keys, values], [], one)[0][0]


def _product(sweep: Sweep, op: ir.OpView, k: int, seed: ir.Value) -> None:
    """Per bin the number of zeros and the product of the other values; the rest is as for a product reduction."""
    width, keys = sweep.primal(op.width), sweep.primal(op.keys)
    dest, values = sweep.primal(op.dests[k]), sweep.primal(op.values[k])
    type_ = element_type(dest.type)
    i64 = ir.IntegerType.get_signless(64)
    bins = [dim(dest, 0)]

    def split(x: ir.Value) -> list[ir.Value]:
        is_zero = _same(x, number(type_, 0.0))
        count = arith.SelectOp(is_zero, number(i64, 1), number(i64, 0)).result
        return [count, arith.SelectOp(is_zero, number(type_, 1.0), x).result]

    (counts, factors), _ = map_(width, [values], [], lambda _, e, __: (split(e[0]), []))
    no_zeros = filled(ir.RankedTensorType.get(dest.type.shape, i64), bins, number(i64, 0))
    ones = filled(dest.type, bins, number(type_, 1.0))
    (zeros,) = _hist(width, keys, [no_zeros], [counts], [number(i64, 0)], lambda a, b: arith.AddIOp(a, b).result)
    (product,) = _hist(width, keys, [ones], [factors], [number(type_, 1.0)], _times)

    def dest_bar(zero_count: ir.Value, p: ir.Value, bar: ir.Value) -> ir.Value:
        none = arith.CmpIOp(arith.CmpIPredicate.eq, zero_count, number(i64, 0)).result
        return choose(none, Expr(bar) * Expr(p), 0.0, Expr(bar)).value

    if op.dests[k] in sweep.activity:
        sweep.bars.add(op.dests[k], elementwise(dest_bar, zeros, product, seed))
    if op.values[k] in sweep.activity:

        def value_bar(bar: ir.Value, key: ir.Value, i: ir.Value, x: ir.Value) -> ir.Value:
            count = arith.IndexCastOp(ir.IndexType.get(), row_at(zeros, key)).result
            whole = Expr(bar) * Expr(row_at(dest, key))
            return product_of_others(Expr(x), count, Expr(row_at(product, key)), whole).value

        sweep.bars.add(op.values[k], gathered(keys, width, seed, value_bar, values))


def _hist(
    width: ir.Value,
    keys: ir.Value,
    dests: Sequence[ir.Value],
    values: Sequence[ir.Value],
    neutral: Sequence[ir.Value],
    combine: Callable[[ir.Value, ir.Value], ir.Value],
) -> list[ir.Value]:
    op = soac.HistOp(width, keys, list(dests), list(values), list(neutral), [dest.type for dest in dests])
    types = [value.type for value in neutral]
    block = ir.Block.create_at_start(op.combine, [*types, *types], [ir.Location.current] * (2 * len(types)))
    with ir.InsertionPoint(block):
        soac.YieldOp([combine(*block.arguments)])
    return list(op.operation.results)


def _times(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.MulFOp(a, b, fastmath=flags()).result


def _same(a: ir.Value, b: ir.Value) -> ir.Value:
    return arith.CmpFOp(arith.CmpFPredicate.OEQ, a, b).result


def scatter_back(sweep: Sweep, op: ir.OpView) -> None:
    """The values gather their adjoints; the destination's is zero where something was written."""
    seed = sweep.bars.get(op.operation.results[0])
    keys, width = sweep.primal(op.keys), sweep.primal(op.width)
    if op.values in sweep.activity:
        sweep.bars.add(op.values, gathered(keys, width, seed, lambda row, *_: row))
    if op.dest in sweep.activity:
        zeros = zeros_like(sweep.primal(op.values))
        sweep.bars.add(op.dest, soac.ScatterOp(width, seed, keys, zeros, seed.type).out)


SPECIAL = {"add": _sum, "mul": _product, "max": _extremum, "min": _extremum}
