"""Chains visited backwards from states at multiples of powers of two, as loops without divisions.

Row j holds the states at the largest multiple of 2^j that is not beyond the step to be visited. From one visit to the
next, rows change up to the lowest digit of the position that is set; they are made again from the row above these, in
n log2(n) / 2 steps for n visits. With `budget` rows, chains of more than 2^budget steps start from the beginning now
and then.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, math, scf
from tapeless.passes.ad.prepare.rooms import empty_rows
from tapeless.passes.ad.retrace import Step, Values, Visit
from tapeless.passes.ad.reversible.chain.whole_numbers import minus, plus
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rows import insert_row, row_at

EQUAL = arith.CmpIPredicate.eq
LAST_DIGIT = 63


def backward(
    steps: ir.Value, budget: int, states: Sequence[ir.Value], carried: Sequence[ir.Value], step: Step, visit: Visit
) -> Values:
    """The carried values after the visits of all steps, the last one first."""
    rooms = [empty_rows(budget, state) for state in states]
    loop = scf.ForOp(index(0), steps, index(1), [*rooms, *carried])
    with ir.InsertionPoint(loop.body):
        inner = list(loop.inner_iter_args)
        after = minus(steps, loop.induction_variable)
        position = minus(after, index(1))
        is_first = arith.CmpIOp(EQUAL, loop.induction_variable, index(0)).result
        changed = arith.MinSIOp(plus(_lowest_digit(after), index(1)), index(budget)).result
        changed = arith.SelectOp(is_first, index(budget), changed).result
        rows, there = _made_again(inner[: len(rooms)], changed, budget, states, position, step)
        passed = visit(position, there, inner[len(rooms) :])
        scf.YieldOp([*rows, *passed])
    return list(loop.results)[len(rooms) :]


def _made_again(
    rows: Values, changed: ir.Value, budget: int, start: Sequence[ir.Value], position: ir.Value, step: Step
) -> tuple[Values, Values]:
    """The rows below `changed` for a position, and the states there."""
    is_start = arith.CmpIOp(EQUAL, changed, index(budget)).result
    above = scf.IfOp(is_start, [ir.IndexType.get(), *(state.type for state in start)], has_else=True)
    with ir.InsertionPoint(above.then_block):
        scf.YieldOp([index(0), *start])
    with ir.InsertionPoint(above.else_block):
        scf.YieldOp([_aligned(position, changed), *(row_at(row, changed) for row in rows)])
    loop = scf.ForOp(index(0), changed, index(1), [*above.results, *rows])
    with ir.InsertionPoint(loop.body):
        at, *values = loop.inner_iter_args
        level = minus(minus(changed, index(1)), loop.induction_variable)
        end = _aligned(position, level)
        there = _advanced(at, end, values[: len(start)], step)
        kept = [insert_row(row, level, state) for row, state in zip(values[len(start) :], there, strict=True)]
        scf.YieldOp([end, *there, *kept])
    _, *results = loop.results
    return results[len(start) :], results[: len(start)]


def _advanced(first: ir.Value, end: ir.Value, states: Values, step: Step) -> Values:
    loop = scf.ForOp(first, end, index(1), states)
    with ir.InsertionPoint(loop.body):
        scf.YieldOp(step(loop.induction_variable, list(loop.inner_iter_args)))
    return list(loop.results)


def _aligned(position: ir.Value, level: ir.Value) -> ir.Value:
    """The largest multiple of 2^level that is not beyond a position."""
    return arith.ShLIOp(arith.ShRSIOp(position, level).result, level).result


def _lowest_digit(number: ir.Value) -> ir.Value:
    """The number of the lowest binary digit of a positive number that is set."""
    word = ir.IntegerType.get_signless(64)
    value = arith.IndexCastOp(word, number).result
    zero, last = (arith.ConstantOp(word, digit).result for digit in (0, LAST_DIGIT))
    lowest = arith.AndIOp(value, arith.SubIOp(zero, value).result).result
    digit = arith.SubIOp(last, math.CountLeadingZerosOp(lowest).result).result
    return arith.IndexCastOp(ir.IndexType.get(), digit).result
