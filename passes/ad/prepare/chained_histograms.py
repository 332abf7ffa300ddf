"""Histograms as loops over the values, in which every value knows the one before it in its bin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import ad
from tapeless.dialects.ad.marks import SURE
from tapeless.dialects.array_types import DYNAMIC, row_type
from tapeless.passes.ad.copying import combined
from tapeless.passes.ad.prepare.rooms import empty_rows_of
from tapeless.passes.ir.build import cast_to, dim, filled, index, map_, number
from tapeless.passes.ir.rows import insert_row, row_at

Values = Sequence[ir.Value]


def chained_histogram(op: ir.OpView) -> list[ir.Value]:
    """A histogram that stores each updated bin in a cell of its own (single assignment), so that no state of the bins
    is needed.
    """
    earlier, latest = _chains(op)
    rooms = [empty_rows_of(op.width, dest) for dest in op.dests]
    loop = scf.ForOp(index(0), op.width, index(1), rooms)
    with ir.InsertionPoint(loop.body):
        i = loop.induction_variable
        made = [_written_once(array) for array in loop.inner_iter_args]

        def combine(key: ir.Value) -> list[ir.Value]:
            old = _row_of_either(made, row_at(earlier, i), op.dests, key)
            rows = combined(op, old, [row_at(array, i) for array in op.values])
            return [insert_row(array, i, row) for array, row in zip(made, rows, strict=True)]

        scf.YieldOp(_if_inside(op, i, combine, made))
    rows = list(loop.results)

    def final(bin_: ir.Value, places: Values, _: Values) -> tuple[list[ir.Value], list[ir.Value]]:
        return _row_of_either(rows, places[0], op.dests, bin_), []

    return map_(dim(op.dests[0], 0), [latest], [], final)[0]


def _written_once(array: ir.Value) -> ir.Value:
    mark = ad.PromiseOp(array, array.type)
    mark.operation.attributes[SURE] = ir.UnitAttr.get()
    return mark.out


def _chains(op: ir.OpView) -> tuple[ir.Value, ir.Value]:
    """For each value the one before it in its bin, and for each bin its last value; -1 where there is none."""
    i64 = ir.IntegerType.get_signless(64)
    none = number(i64, -1)
    starts = [filled(_vector(i64), [width], none) for width in (op.width, dim(op.dests[0], 0))]
    loop = scf.ForOp(index(0), op.width, index(1), starts)
    with ir.InsertionPoint(loop.body):
        i = loop.induction_variable
        earlier, latest = loop.inner_iter_args

        def append(key: ir.Value) -> list[ir.Value]:
            position = arith.IndexCastOp(i64, i).result
            return [insert_row(earlier, i, row_at(latest, key)), insert_row(latest, key, position)]

        scf.YieldOp(_if_inside(op, i, append, [earlier, latest]))
    earlier, latest = loop.results
    return earlier, latest


def _if_inside(
    op: ir.OpView, i: ir.Value, then: Callable[[ir.Value], list[ir.Value]], otherwise: Values
) -> list[ir.Value]:
    """The results of `then` for the bin of value `i`, if there is such a bin."""
    key = arith.IndexCastOp(ir.IndexType.get(), row_at(op.keys, i)).result
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, dim(op.dests[0], 0)).result
    choice = scf.IfOp(inside, [value.type for value in otherwise], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(then(key))
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(list(otherwise))
    return list(choice.results)


def _row_of_either(arrays: Values, place: ir.Value, others: Values, other_place: ir.Value) -> list[ir.Value]:
    """The rows of some arrays at a place, or those of others if the place is -1."""
    position = arith.IndexCastOp(ir.IndexType.get(), place).result
    is_there = arith.CmpIOp(arith.CmpIPredicate.sge, position, index(0)).result
    types = [row_type(array.type) for array in arrays]
    choice = scf.IfOp(is_there, types, has_else=True)
    sides = ((choice.then_block, arrays, position), (choice.else_block, others, other_place))
    for block, sources, where in sides:
        with ir.InsertionPoint(block):
            rows = [row_at(array, where) for array in sources]
            scf.YieldOp([cast_to(type_, row) for type_, row in zip(types, rows, strict=True)])
    return list(choice.results)


def _vector(element: ir.Type) -> ir.RankedTensorType:
    return ir.RankedTensorType.get([DYNAMIC], element)
