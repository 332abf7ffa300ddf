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
      scf.while (rows, at) { a state is to be kept before that step } do { steps forward; keep it }
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
    states, carried = operands_of(op, "states"), operands_of(op, "carried")
    budget = ir.IntegerAttr(op.budget).value
    kept = Kept.start(budget, rounds_for(op.trips, budget), states)
    loop = scf.ForOp(index(0), op.trips, index(1), [*kept.values, *carried])
    with ir.InsertionPoint(loop.body):
        inner = list(loop.inner_iter_args)
        count = len(kept.values)
        step = minus(minus(op.trips, index(1)), loop.induction_variable)
        kept, states = _arrive(op, kept.carried(inner[:count]), step)
        bars = inline_block(op.visit.blocks[0], [_index_at(op, step), *states, *inner[count:]])
        scf.YieldOp([*kept.visited(step).values, *bars])
    return list(loop.results)[count:]


def _arrive(op: ir.OpView, kept: Kept, step: ir.Value) -> tuple[Kept, Values]:
    """Goes forward from the newest kept states to those before a step, keeping more on the way."""
    states = kept.states()
    start = [kept.position(), *kept.values, *states]
    types = [value.type for value in start]
    loop = scf.WhileOp([ir.IndexType.get(), *types], start)
    here = [ir.Location.current] * (1 + len(start))
    with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here[1:])):
        _, inner, _ = _parts(kept, before.arguments)
        target = inner.next_position(plus(step, index(1)))
        scf.ConditionOp(arith.CmpIOp(LESS, target, step).result, [target, *before.arguments])
    with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, [ir.IndexType.get(), *types], here)):
        target, *passed = after.arguments
        at, inner, states = _parts(kept, passed)
        states = _advance(op, at, target, states)
        scf.YieldOp([target, *inner.push(target, states).values, *states])
    at, kept, states = _parts(kept, list(loop.results)[1:])
    return kept, _advance(op, at, step, states)


def _parts(kept: Kept, values: Values) -> tuple[ir.Value, Kept, Values]:
    """The position, the kept states and the current ones, as a loop carries them."""
    position, *rest = values
    count = len(kept.values)
    return position, kept.carried(rest[:count]), rest[count:]


def _advance(op: ir.OpView, start: ir.Value, end: ir.Value, states: Values) -> Values:
    """The states after the steps from `start` to `end`."""
    loop = scf.ForOp(start, end, index(1), list(states))
    with ir.InsertionPoint(loop.body):
        i = _index_at(op, loop.induction_variable)
        scf.YieldOp(inline_block(op.step.blocks[0], [i, *loop.inner_iter_args]))
    return list(loop.results)


def _index_at(op: ir.OpView, step: ir.Value) -> ir.Value:
    """The index that the program's own loop had in a step."""
    return plus(op.lower, arith.MulIOp(step, op.stride).result)
