"""Maps narrowed to the rows that are picked of what they make."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import index, map_, static_size
from tapeless.passes.ir.rebuild import Values, copy_op
from tapeless.passes.ir.rows import row_at
from tapeless.passes.ir.scopes import is_defined_outside, outer_values
from tapeless.passes.soac.tabulate.picked_rows import PickedRows, outermost
from tapeless.passes.soac.tabulate.picks import Picks, after, picks_of, takes_long

# At most this share of the rows is picked: the rest pays for copies of what the map reads.
SHARE = (3, 4)


def narrow_below(root: ir.OpView, replaced: list[ir.OpView]) -> None:
    for region in root.operation.regions:
        for block in region.blocks:
            for op in reversed(list(block.operations)):
                narrow_below(op, replaced)
                if op.operation.name == "soac.map":
                    _narrow(op, replaced)


def _narrow(op: ir.OpView, replaced: list[ir.OpView]) -> None:
    """Makes only those rows of a map that are picked, if that pays; then nothing uses the map any more."""
    picks = picks_of(op)
    if picks is None or not takes_long(op):
        return
    rows, each = static_size(op.width), static_size(picks.reader.width)
    is_known = DYNAMIC not in (rows, each)
    if is_known and len(picks.places) * each * SHARE[1] > rows * SHARE[0]:
        return
    with picks.reader.location:
        count, fewer, places = _picked(op, picks, is_known=is_known)
        arrays = PickedRows(picks.reader, count, places, replaced).of_map(op, picks.reader)
        _read_rows(picks, fewer, dict(zip(op.operation.results, arrays, strict=True)))


def _picked(op: ir.OpView, picks: Picks, *, is_known: bool) -> tuple[ir.Value, ir.Value | None, ir.Value]:
    """How many rows there are to make, whether these are fewer (nothing where that is known), and which rows."""
    reader, several = picks.reader, len(picks.places)
    used = [value for each in picks.steps for value in outer_values(each)]
    used = [value for value in (reader.width, op.width, *used) if is_defined_outside(value, reader.operation)]
    sized = [(array, reader.width) for array in reader.inputs]
    with ir.InsertionPoint(outermost(reader, used, sized)):
        count, fewer = _times(reader.width, several), None
        if not is_known:
            share = _times(count, SHARE[1]), _times(op.width, SHARE[0])
            fewer = arith.CmpIOp(arith.CmpIPredicate.sle, *share).result
            count = arith.SelectOp(fewer, count, op.width).result
        (places,), _ = map_(count, [], [], lambda i, _, __: ([_place(op, picks, fewer, i)], []))
    return count, fewer, places


def _place(op: ir.OpView, picks: Picks, fewer: ir.Value | None, i: ir.Value) -> ir.Value:
    """The row that a pick names; a name that the reader is going to refuse is kept in range here."""
    reader, several = picks.reader, len(picks.places)
    own = i if several == 1 else arith.DivUIOp(i, index(several)).result
    elements = [row_at(array, own) for array in reader.inputs]
    values: Values = dict(zip(reader.body.blocks[0].arguments, [own, *elements], strict=True))
    for each in picks.steps:
        copy_op(each, values)
    found = values[picks.places[0]]
    for number, place in enumerate(picks.places[1:], start=1):
        turn = arith.RemUIOp(i, index(several)).result
        is_this = arith.CmpIOp(arith.CmpIPredicate.eq, turn, index(number)).result
        found = arith.SelectOp(is_this, values[place], found).result
    last = arith.SubIOp(op.width, index(1)).result
    found = arith.MaxSIOp(arith.MinSIOp(found, last).result, index(0)).result
    return found if fewer is None else arith.SelectOp(fewer, found, i).result


def _read_rows(picks: Picks, fewer: ir.Value | None, arrays: dict[ir.Value, ir.Value]) -> None:
    """Lets the reader find a row under the number of its pick."""
    index_, several = picks.reader.body.blocks[0].arguments[0], len(picks.places)
    for number, place in enumerate(picks.places):
        reads = [read for read in picks.reads if read.operation.operands[1] == place]
        with ir.InsertionPoint(after(place)):
            own = index_ if several == 1 else arith.AddIOp(_times(index_, several), index(number)).result
            entry = own if fewer is None else arith.SelectOp(fewer, own, place).result
        for read in reads:
            read.operation.operands[0] = arrays[read.operation.operands[0]]
            read.operation.operands[1] = entry


def _times(value: ir.Value, factor: int) -> ir.Value:
    return value if factor == 1 else arith.MulIOp(value, index(factor)).result
