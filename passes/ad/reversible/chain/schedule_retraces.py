"""The pass `ad-schedule-retraces`: chains become loops that keep few states, as their strategy says."""

from __future__ import annotations

from typing import ClassVar

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.ad.marks import BENNETT, BUDGET
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.redundant.control.loops import trip_count
from tapeless.passes.ad.reversible.chain import by_bennett, by_bisection, by_treeverse
from tapeless.passes.ad.reversible.chain.whole_numbers import plus
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.search import ops_named

Values = list[ir.Value]
BACKWARD = {
    "treeverse": by_treeverse.backward,
    "bennett": by_bennett.backward,
    "bisection": by_bisection.backward,
}


@dataclass(frozen=True)
class ScheduleRetraces(FunctionPass):
    """Expands `rev.retrace`, and loops with `ad.bennett`, by a checkpointing schedule (Treeverse, Bennett).

    ```mlir
    %r = "rev.retrace"(%lo, %n, %step, %x, %bar) ({ step }, { visit }) {strategy = "treeverse", budget = 8}

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
        for op in ops_named(function, "rev.retrace", "scf.for"):
            is_retrace = op.operation.name == "rev.retrace"
            if is_retrace or is_for_bennett(op):
                with ir.InsertionPoint(op), op.location:
                    replace_op(op, _retraced(op) if is_retrace else _gone_through(op))


def is_for_bennett(loop: ir.OpView) -> bool:
    """Whether Bennett's scheme runs a loop."""
    return all(mark in loop.operation.attributes for mark in (BENNETT, BUDGET))


def _retraced(op: ir.OpView) -> Values:
    """The carried values at the end of a retrace."""

    def step(position: ir.Value, states: Values) -> Values:
        return inline_block(op.step.blocks[0], [index_at(op.lower, position, op.stride), *states])

    def visit(position: ir.Value, states: Values, carried: Values) -> Values:
        return inline_block(op.visit.blocks[0], [index_at(op.lower, position, op.stride), *states, *carried])

    budget = ir.IntegerAttr(op.budget).value
    states, carried = operands_of(op, "states"), operands_of(op, "carried")
    return BACKWARD[op.strategy.value](op.trips, budget, states, carried, step, visit)


def _gone_through(op: ir.OpView) -> Values:
    """The results of a loop that runs by Bennett's scheme."""
    lower, upper, stride, *initial = op.operation.operands

    def step(position: ir.Value, states: Values) -> Values:
        return inline_block(op.operation.regions[0].blocks[0], [index_at(lower, position, stride), *states])

    parts = ir.IntegerAttr(op.operation.attributes[BUDGET]).value
    return by_bennett.forward(trip_count(lower, upper, stride), parts, initial, step)


def index_at(lower: ir.Value, position: ir.Value, stride: ir.Value) -> ir.Value:
    """The index that the program's own loop had in a step."""
    return plus(lower, arith.MulIOp(position, stride).result)
