"""The return rule of `soac.scan` (inclusive and forward but for sums; the others are rewritten before).

With y[i] the results, the total adjoint of y[i] is r[i] = y_bar[i] + C[i]' r[i+1], C[i] = d(y[i] op a[i+1]) / dy[i];
then a_bar[i] += adjoint of a in y[i-1] op a, seeded with r[i]. The recurrence for r is itself a scan from the right:

- one component: composition of the linear maps r -> y_bar + C r (Jacobian composition);
- several: of triples (y, a, y_bar), which needs adjoints of the operator but no Jacobian (triple form).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dialects import ad
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.operators import component_kinds, directions
from tapeless.passes.ad.redundant.operators.lambdas import apply, dense, pull_back
from tapeless.passes.ad.redundant.operators.reductions import refuse_active_neutral, unless_zero
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import Rows, add, dim, index, is_array, map_, mapped, number, scan_, zeros_like
from tapeless.passes.ir.rows import row_at, slice_of
from tapeless.passes.rules.emitted import Emitted


def scan_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the scanned arrays."""
    refuse_active_neutral(sweep, op)
    kinds = component_kinds(op.combine)
    if all(kind == "add" for kind in kinds):
        for k in range(len(kinds)):
            _sum(sweep, op, k)
        return
    if len(kinds) == 1 and kinds[0] in SPECIAL:
        SPECIAL[kinds[0]](sweep, op)
        return
    _general(sweep, op)


def _product(sweep: Sweep, op: ir.OpView) -> None:
    """Without zeros the adjoint of a[i] is the sum over j >= i of y_bar[j] y[j], divided by a[i].

    When one factor is zero, so is the last product. Then it is (y_bar[i] + u[i+1]) y[i-1], where
    u[i] = a[i] (y_bar[i] + u[i+1]) is a scan from the right that composes linear maps.
    """
    array, result, width = sweep.primal(op.inputs[0]), sweep.primal(op.operation.results[0]), sweep.primal(op.width)
    seed = sweep.bars.of(op.operation.results[0])
    type_ = result.type.element_type
    last = rows_or([result], arith.SubIOp(width, index(1)).result, 0, width, [number(type_, 0.0)])[0]

    weighted = mapped(width, [seed, result], lambda bar, y: (Emitted(bar) * Emitted(y)).value)

    def quotients() -> ir.Value:
        (sums,) = scan_(width, [weighted], [number(type_, 0.0)], _plus, reverse=True)
        return mapped(width, [sums, array], lambda s, x: (Emitted(s) / Emitted(x)).value)

    def general() -> ir.Value:
        one, zero = number(type_, 1.0), number(type_, 0.0)
        (before,) = scan_(width, [array], [one], _times, exclusive=True)
        moved = mapped(width, [seed, array], lambda bar, x: (Emitted(bar) * Emitted(x)).value)
        behind = scan_(width, [moved, array], [zero, one], _compose, exclusive=True, reverse=True)[0]
        return mapped(width, [seed, behind, before], _total)

    def _total(bar: ir.Value, behind: ir.Value, before: ir.Value) -> ir.Value:
        return ((Emitted(bar) + Emitted(behind)) * Emitted(before)).value

    sweep.bars.add(op.inputs[0], unless_zero(op, last, quotients, general, op.inputs[0].type))


def _sum(sweep: Sweep, op: ir.OpView, k: int) -> None:
    """Sums from the other end."""
    seed = sweep.bars.get(op.operation.results[k])
    if seed is None or op.inputs[k] not in sweep.activity:
        return
    exclusive, backwards = directions(op)
    neutral = zeros_like(sweep.primal(op.neutral[k]))
    (bar,) = scan_(sweep.primal(op.width), [seed], [neutral], _plus, exclusive=exclusive, reverse=not backwards)
    sweep.bars.add(op.inputs[k], bar)


def _times(left: Rows, right: Rows) -> list[ir.Value]:
    return [(Emitted(left[0]) * Emitted(right[0])).value]


def _compose(left: Rows, right: Rows) -> list[ir.Value]:
    """Linear maps r -> shift + factor r, the left one after the right one."""
    shift, factor = Emitted(left[0]), Emitted(left[1])
    return [(shift + factor * Emitted(right[0])).value, (factor * Emitted(right[1])).value]


def _plus(left: Rows, right: Rows) -> list[ir.Value]:
    return [add(left[0], right[0])]


def _general(sweep: Sweep, op: ir.OpView) -> None:
    wanted = [value for value in op.inputs if value in sweep.activity]
    for value, bar in zip(wanted, _general_bars(sweep, op), strict=True):
        sweep.bars.add(value, bar)


def _general_bars(sweep: Sweep, op: ir.OpView) -> list[ir.Value]:
    """The adjoints of the active inputs, by total adjoints of the results."""
    block, width = op.combine.blocks[0], sweep.primal(op.width)
    inputs, results = sweep.primals(op.inputs), sweep.primals(op.operation.results)
    seeds = [sweep.bars.or_zeros(result, value) for result, value in zip(op.operation.results, results, strict=True)]
    scalar = len(inputs) == 1 and not is_array(op.neutral[0])
    totals = (_by_jacobians if scalar else _by_triples)(sweep, op, inputs, results, seeds)
    known = [k for k, total in enumerate(totals) if total is not None]
    count = len(inputs)
    wanted = [k for k in range(count) if op.inputs[k] in sweep.activity]
    neutral = sweep.primals(op.neutral)

    def body(i: ir.Value, elements: Rows, _: Rows) -> tuple[Rows, Rows]:
        here = elements[:count]
        given = dict(zip(known, elements[count:], strict=True))
        total = [given.get(k) for k in range(count)]
        before = rows_or(results, i, -1, width, neutral)
        bars = dense(pull_back(sweep, block, [*before, *here], total)[count:], here)
        first = arith.CmpIOp(arith.CmpIPredicate.eq, i, index(0)).result
        return [_select(first, total[k], bars[k]) for k in wanted], []

    return map_(width, [*inputs, *(totals[k] for k in known)], [], body)[0]


def _by_jacobians(
    sweep: Sweep, op: ir.OpView, inputs: list[ir.Value], results: list[ir.Value], seeds: list[ir.Value]
) -> list[ir.Value]:
    """Total adjoints of a scalar scan by composing linear maps."""
    block, width = op.combine.blocks[0], sweep.primal(op.width)
    type_ = seeds[0].type.element_type
    one = number(type_, 1.0)
    neutral = sweep.primals(op.neutral)

    def slope(i: ir.Value, elements: Rows, _: Rows) -> tuple[Rows, Rows]:
        after = rows_or(inputs, i, 1, width, neutral)
        bars = pull_back(sweep, block, [elements[0], *after], [one])[:1]
        return dense(bars, [one]), []

    slopes, _ = map_(width, results, [], slope)

    totals = scan_(width, [seeds[0], slopes[0]], [number(type_, 0.0), one], _compose, reverse=True)
    return totals[:1]


def _by_triples(
    sweep: Sweep, op: ir.OpView, inputs: list[ir.Value], results: list[ir.Value], seeds: list[ir.Value]
) -> list[ir.Value]:
    """Total adjoints by scanning (result, next element, adjoint) from the right."""
    block, width = op.combine.blocks[0], sweep.primal(op.width)
    count = len(inputs)
    neutral = sweep.primals(op.neutral)
    following, _ = map_(width, [], [], lambda i, _, __: (rows_or(inputs, i, 1, width, neutral), []))

    def combine(left: Rows, right: Rows) -> list[ir.Value]:
        state, step, bar = left[:count], left[count : 2 * count], left[2 * count :]
        _, next_step, next_bar = right[:count], right[count : 2 * count], right[2 * count :]
        pulled = dense(pull_back(sweep, block, [*state, *step], spread(next_bar))[:count], state)
        moved = apply(sweep, block, [*step, *next_step])
        return [*state, *moved, *(add(a, pulled[k]) for a, k in zip(bar, floats, strict=True))]

    floats = [k for k, value in enumerate(neutral) if is_float(value.type)]

    def spread(bars: Rows) -> list[ir.Value | None]:
        given = dict(zip(floats, bars, strict=True))
        return [given.get(k) for k in range(count)]

    zeros = [zeros_like(neutral[k]) for k in floats]
    triples = [*results, *following, *(seeds[k] for k in floats)]
    scanned = scan_(width, triples, [*neutral, *neutral, *zeros], combine, reverse=True)
    return spread(scanned[2 * count :])


def _select(condition: ir.Value, then: ir.Value, other: ir.Value) -> ir.Value:
    if not is_array(then):
        return arith.SelectOp(condition, then, other).result
    choice = scf.IfOp(condition, [then.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([then])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([typed(other, then)])
    return choice.results[0]


Values = Sequence[ir.Value]
Predicate = arith.CmpFPredicate

# The key of an empty sum, when a key gives way to another, and when one adds to the other.
KEYS = {
    "min": (-math.inf, Predicate.OLT, Predicate.OGE),
    "max": (math.inf, Predicate.OGT, Predicate.OLE),
}


def extreme_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoint of the scanned array."""
    result, width = sweep.primal(op.operation.results[0]), sweep.primal(op.width)
    seed = sweep.bars.of(op.operation.results[0])
    type_ = result.type.element_type
    lowest, gives_way, adds = KEYS[component_kinds(op.combine)[0]]

    def sum_of_first(left: Values, right: Values) -> list[ir.Value]:
        """The sum for the key of the left side, or for that of the right where the left has none."""
        is_empty = arith.CmpFOp(gives_way, left[1], right[1]).result
        goes_on = arith.CmpFOp(adds, right[1], left[1]).result
        zero = number(type_, 0.0)
        value = add(arith.SelectOp(is_empty, zero, left[0]).result, arith.SelectOp(goes_on, right[0], zero).result)
        return [value, arith.SelectOp(is_empty, right[1], left[1]).result]

    keys = ad.StopGradientOp(result, result.type).result
    sums, _ = scan_(width, [seed, keys], [number(type_, 0.0), number(type_, lowest)], sum_of_first, reverse=True)

    def body(i: ir.Value, elements: Values, _: Values) -> tuple[list[ir.Value], list[ir.Value]]:
        (before,) = rows_or([keys], i, -1, width, [number(type_, math.nan)])
        goes_on = arith.CmpFOp(Predicate.OEQ, before, elements[1]).result
        return [arith.SelectOp(goes_on, number(type_, 0.0), elements[0]).result], []

    sweep.bars.add(op.inputs[0], map_(width, [sums, keys], [], body)[0][0])


def rows_or(
    arrays: Sequence[ir.Value], i: ir.Value, offset: int, width: ir.Value, otherwise: Sequence[ir.Value]
) -> list[ir.Value]:
    """The rows at `i + offset`, or the given values where that is outside."""
    place = arith.AddIOp(i, index(offset)).result
    inside = arith.CmpIOp(arith.CmpIPredicate.ult, place, width).result
    choice = scf.IfOp(inside, [value.type for value in otherwise], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([_row_like(value, array, place) for array, value in zip(arrays, otherwise, strict=True)])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(list(otherwise))
    return list(choice.results)


def _row_like(like: ir.Value, array: ir.Value, place: ir.Value) -> ir.Value:
    """A row in the size of a value that takes its place elsewhere, so that the size of either is known to be one."""
    if not is_array(like):
        return row_at(array, place)
    sizes = [size if size != DYNAMIC else dim(like, k) for k, size in enumerate(like.type.shape)]
    return slice_of(array, [place, *([0] * len(sizes))], [1, *sizes], [1] * (len(sizes) + 1), like.type)


def typed(row: ir.Value, like: ir.Value) -> ir.Value:
    """The row with the type of another, from which it may differ in which sizes are static."""
    return row if row.type == like.type else tensor.CastOp(like.type, row).result


SPECIAL = {"mul": _product, "max": extreme_back, "min": extreme_back}
