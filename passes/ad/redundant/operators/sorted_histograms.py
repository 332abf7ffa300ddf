"""The return rule of `soac.hist` with any operator: values sorted by key, scanned within each bin from both ends.

In bin k the result is dest[k] op v1 op ... op vm. For each value, `left` is what stands before it (dest[k] included)
and `right` what follows; its adjoint is that of the middle operand of (left op v) op right, for the bin's adjoint.

All rows get the sizes of the values' rows (`row_sizes.py`), as branches choose between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.dialects.array_types import row_type
from tapeless.passes.ad.redundant.operators.lambdas import apply, dense, pull_back
from tapeless.passes.ad.redundant.operators.reductions import middle_bars
from tapeless.passes.ad.redundant.operators.row_sizes import as_row_of, row_sizes, with_rows_of
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import cast_to, dim, filled, index, map_, number, scan_, zeros_like
from tapeless.passes.ir.rows import row_at

Rows = Sequence[ir.Value]


def general_histogram_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of destinations and values."""
    seeds = [sweep.bars.or_zeros(r, sweep.primal(d)) for r, d in zip(op.operation.results, op.dests, strict=True)]
    dest_bars, value_bars = general_histogram_bars(sweep, op, seeds)
    for value, bar in zip([*op.dests, *op.values], [*dest_bars, *value_bars], strict=True):
        if value in sweep.activity:
            sweep.bars.add(value, bar)


def general_histogram_bars(
    sweep: Sweep, op: ir.OpView, seeds: Sequence[ir.Value]
) -> tuple[list[ir.Value], list[ir.Value]]:
    """The adjoints of all destinations and values."""
    block, width = op.combine.blocks[0], sweep.primal(op.width)
    values = sweep.primals(op.values)
    dests, seeds = (list(map(with_rows_of, values, arrays)) for arrays in (sweep.primals(op.dests), seeds))
    neutral = list(map(as_row_of, values, sweep.primals(op.neutral)))
    bins = dim(dests[0], 0)
    order, keys = _sorted(sweep.primal(op.keys), width, bins)
    chosen, _ = map_(width, [order], [], lambda _, e, __: ([row_at(v, _index(e[0])) for v in values], []))
    left = _left(sweep, block, keys, chosen, dests, bins, width)
    right = _right(sweep, block, keys, chosen, neutral, width)
    count = len(values)

    def value_bars(_: ir.Value, elements: Rows, __: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        key, rest = _index(elements[0]), elements[1:]
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        choice = scf.IfOp(inside, [value.type for value in neutral], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            bin_seeds = [row_at(seed, key) for seed in seeds]
            before, here, after = (list(rest[k * count : (k + 1) * count]) for k in range(3))
            bars = map(as_row_of, values, middle_bars(sweep, block, before, here, after, bin_seeds))
            scf.YieldOp([cast_to(value.type, bar) for value, bar in zip(neutral, bars, strict=True)])
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp([zeros_like(value) for value in neutral])
        return list(choice.results), []

    sorted_bars, _ = map_(width, [keys, *left, *chosen, *right], [], value_bars)
    bars = [
        soac.ScatterOp(width, zeros_like(value), order, cast_to(value.type, bar), value.type).out
        for value, bar in zip(values, sorted_bars, strict=True)
    ]
    return _dest_bars(sweep, op, keys, [*chosen, *right], dests, neutral, seeds), bars


def _dest_bars(
    sweep: Sweep, op: ir.OpView, keys: ir.Value, following: Rows, dests: Rows, neutral: Rows, seeds: Rows
) -> list[ir.Value]:
    """dest op (all values of the bin), where the latter is `v op right` at the bin's first value, or neutral."""
    block, width = op.combine.blocks[0], sweep.primal(op.width)
    bins = dim(dests[0], 0)
    count = len(dests)

    def first_total(i: ir.Value, elements: Rows, _: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        total = apply(sweep, block, list(elements[1:]))
        starts = _differs(keys, i, -1, width, elements[0])
        outside = arith.IndexCastOp(elements[0].type, bins).result
        return [*total, arith.SelectOp(starts, elements[0], outside).result], []

    (*totals, places), _ = map_(width, [keys, *following], [], first_total)
    sums = []
    for dest, total, value in zip(dests, totals, neutral, strict=True):
        rows, _ = map_(bins, [], [], lambda *_, value=value: ([value], []))
        start = cast_to(dest.type, rows[0])
        sums.append(soac.ScatterOp(width, start, places, total, dest.type).out)

    def bar(_: ir.Value, elements: Rows, __: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        here, others, seed = elements[:count], elements[count : 2 * count], elements[2 * count :]
        return dense(pull_back(sweep, block, [*here, *others], list(seed))[:count], list(here)), []

    return map_(bins, [*dests, *sums, *seeds], [], bar)[0]


def _sorted(keys: ir.Value, width: ir.Value, bins: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The stable order of the keys and the keys in that order, those outside all equal to the number of bins."""
    i64 = ir.IntegerType.get_signless(64)

    def clamp(_: ir.Value, elements: Rows, __: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        key = _index(elements[0])
        inside = arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result
        return [arith.IndexCastOp(i64, arith.SelectOp(inside, key, bins).result).result], []

    clamped = map_(width, [keys], [], clamp)[0][0]
    order = soac.ArgsortOp(clamped, ir.RankedTensorType.get(clamped.type.shape, i64)).out
    keys_in_order, _ = map_(width, [order], [], lambda _, e, __: ([row_at(clamped, _index(e[0]))], []))
    return order, keys_in_order[0]


def _left(
    sweep: Sweep, block: ir.Block, keys: ir.Value, chosen: Rows, dests: Rows, bins: ir.Value, width: ir.Value
) -> list[ir.Value]:
    """The exclusive prefix before each value in its bin; anything for values outside, which contribute nothing."""

    def from_dest(key: ir.Value) -> list[ir.Value]:
        types = [row_type(v.type) for v in chosen]
        inside = scf.IfOp(arith.CmpIOp(arith.CmpIPredicate.ult, key, bins).result, types, has_else=True)
        with ir.InsertionPoint(inside.then_block):
            scf.YieldOp([cast_to(t, row_at(d, key)) for t, d in zip(types, dests, strict=True)])
        with ir.InsertionPoint(inside.else_block):
            scf.YieldOp([_any_row(v) for v in chosen])
        return list(inside.results)

    def start(i: ir.Value, elements: Rows, _: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        first = _differs(keys, i, -1, width, elements[0])
        choice = scf.IfOp(first, [row_type(v.type) for v in chosen], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(from_dest(_index(elements[0])))
        with ir.InsertionPoint(choice.else_block):
            before = arith.SubIOp(i, index(1)).result
            scf.YieldOp([row_at(v, before) for v in chosen])
        return [first, *choice.results], []

    return _segmented(sweep, block, map_(width, [keys], [], start)[0], chosen, width, backwards=False)


def _right(
    sweep: Sweep, block: ir.Block, keys: ir.Value, chosen: Rows, neutral: Rows, width: ir.Value
) -> list[ir.Value]:
    """The exclusive suffix after each value in its bin."""

    def start(i: ir.Value, elements: Rows, _: Rows) -> tuple[list[ir.Value], list[ir.Value]]:
        last = _differs(keys, i, 1, width, elements[0])
        choice = scf.IfOp(last, [value.type for value in neutral], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(list(neutral))
        with ir.InsertionPoint(choice.else_block):
            after = arith.AddIOp(i, index(1)).result
            scf.YieldOp([cast_to(n.type, row_at(v, after)) for n, v in zip(neutral, chosen, strict=True)])
        return [last, *choice.results], []

    return _segmented(sweep, block, map_(width, [keys], [], start)[0], chosen, width, backwards=True)


def _segmented(
    sweep: Sweep, block: ir.Block, marked: Rows, chosen: Rows, width: ir.Value, *, backwards: bool
) -> list[ir.Value]:
    """The inclusive scan that starts anew at every marked element (the first of `marked`)."""
    count = len(chosen)
    bit = ir.IntegerType.get_signless(1)

    def combine(left: Rows, right: Rows) -> list[ir.Value]:
        near, far = (left, right) if backwards else (right, left)
        choice = scf.IfOp(near[0], [value.type for value in near[1:]], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            scf.YieldOp(list(near[1:]))
        with ir.InsertionPoint(choice.else_block):
            joined = map(as_row_of, chosen, apply(sweep, block, [*left[1:], *right[1:]]))
            scf.YieldOp([cast_to(a.type, b) for a, b in zip(near[1:], joined, strict=True)])
        return [arith.OrIOp(near[0], far[0]).result, *choice.results]

    neutral = [number(bit, 0), *(_any_row(value) for value in chosen)]
    scanned = scan_(width, list(marked), neutral, combine, reverse=backwards)
    return scanned[1 : 1 + count]


def _any_row(array: ir.Value) -> ir.Value:
    """A row of zeros: the scan's first element is marked, so its neutral element never matters."""
    zero = number(array.type.element_type, 0.0)
    if array.type.rank == 1:
        return zero
    return filled(row_type(array.type), row_sizes(array), zero)


def _differs(keys: ir.Value, i: ir.Value, offset: int, width: ir.Value, key: ir.Value) -> ir.Value:
    """Whether the neighbour of position `i` is outside or has another key."""
    place = arith.AddIOp(i, index(offset)).result
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, place, width).result
    bit = ir.IntegerType.get_signless(1)
    choice = scf.IfOp(inside, [bit], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([arith.CmpIOp(arith.CmpIPredicate.ne, row_at(keys, place), key).result])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([number(bit, 1)])
    return choice.results[0]


def _index(value: ir.Value) -> ir.Value:
    return arith.IndexCastOp(ir.IndexType.get(), value).result
