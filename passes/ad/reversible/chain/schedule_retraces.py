"""The pass `ad-schedule-retraces`: chains visited backwards become loops that keep few states, as Treeverse says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.prepare.functions import replace
from tapeless.passes.ad.reversible.chain.kept import Kept
from tapeless.passes.ad.reversible.chain.whole_numbers import LESS, minus, plus, rounds_for
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.regions.members import operands_of
from tapeless.passes.ir.search import ops_named

Values = list[ir.Value]


@dataclass(frozen=True)
class ScheduleRetraces(FunctionPass):
    """Replaces `rev.retrace` by loops.

    ```mlir
    %r = "rev.retrace"(%lo, %n, %step, %x, %bar) ({ step }, { visit }) {budget = 8}

    %rows = (8 rows, the first of them %x)
    %r = scf.for %k = 0 to %n iter_args(rows, bar) {      the step to visit is n - 1 - k
      scf.while (rows) { a state is to be kept before that step } do { steps forward; keep it }
      scf.for { the steps left }
      visit
    }
    ```
    """

    name: ClassVar[str] = "ad-schedule-retraces"

    def run_on(self, function: ir.OpView) -> None:
        """Rewrites every retrace of the function, inner ones first."""
        # Most programs never ask for the dialect, so that there is nothing to look for.
        if not function.context.is_dialect_loaded("rev"):
            return
        for op in ops_named(function, "rev.retrace"):
            with ir.InsertionPoint(op), op.location:
                replace(op, scheduled(op))


def scheduled(op: ir.OpView) -> Values:
    """What a retrace carries at its end, computed by loops at the insertion point."""
    budget = ir.IntegerAttr(op.budget).value
    kept = Kept.start(budget, rounds_for(op.trips, budget), operands_of(op, "states"))
    loop = scf.ForOp(index(0), op.trips, index(1), [*kept.values, *operands_of(op, "carried")])
    count = len(kept.values)
    with ir.InsertionPoint(loop.body):
        inner = list(loop.inner_iter_args)
        step = minus(minus(op.trips, index(1)), loop.induction_variable)
        kept = _keep_more(op, kept.carried(inner[:count]), step)
        states = _advance(op, kept, step)
        carried = inline_block(op.visit.blocks[0], [_index_at(op, step), *states, *inner[count:]])
        scf.YieldOp([*kept.visited(step).values, *carried])
    return list(loop.results)[count:]


def _keep_more(op: ir.OpView, kept: Kept, step: ir.Value) -> Kept:
    """Keeps the states that are wanted between the newest ones and a step to be visited."""
    types = [value.type for value in kept.values]
    loop = scf.WhileOp([ir.IndexType.get(), *types], kept.values)
    here = [ir.Location.current] * (1 + len(types))
    with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here[1:])):
        position = kept.carried(before.arguments).next_position(plus(step, index(1)))
        scf.ConditionOp(arith.CmpIOp(LESS, position, step).result, [position, *before.arguments])
    with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, [ir.IndexType.get(), *types], here)):
        position, *values = after.arguments
        inner = kept.carried(values)
        scf.YieldOp(inner.push(position, _advance(op, inner, position)).values)
    return kept.carried(list(loop.results)[1:])


def _advance(op: ir.OpView, kept: Kept, end: ir.Value) -> Values:
    """The states before step `end`, from the newest kept ones."""
    loop = scf.ForOp(kept.position(), end, index(1), kept.states())
    with ir.InsertionPoint(loop.body):
        i = _index_at(op, loop.induction_variable)
        scf.YieldOp(inline_block(op.step.blocks[0], [i, *loop.inner_iter_args]))
    return list(loop.results)


def _index_at(op: ir.OpView, step: ir.Value) -> ir.Value:
    """The index that the program's own loop had in a step."""
    return plus(op.lower, arith.MulIOp(step, op.stride).result)
