"""States that a loop with a budget keeps on its way, at even distances: going back, it sets out from each of them anew.

Errors of a loop that runs backwards grow with the way it has come. Between two kept states the way is short, and where
it ends the true state is at hand: it is compared, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC, stack_type
from tapeless.passes.ad.prepare.rooms import empty_rows
from tapeless.passes.ad.reversible.plan import Plan
from tapeless.passes.ir.build import filled, index, number
from tapeless.passes.ir.rows import insert_row, row_at


@dataclass(frozen=True)
class Milestones:
    """How many states are kept, how many iterations apart, and the rows of each carried value that is found again."""

    trips: ir.Value
    spacing: ir.Value
    count: ir.Value
    rows: dict[int, ir.Value]

    @staticmethod
    def along(plan: Plan, budget: int, trips: ir.Value, initial: Sequence[ir.Value]) -> Milestones:
        """Room for at most `budget` states of a loop, the first of them that it begins with."""
        spacing = arith.MaxSIOp(arith.CeilDivSIOp(trips, index(budget)).result, index(1)).result
        count = arith.CeilDivSIOp(trips, spacing).result
        room = arith.AddIOp(count, index(1)).result
        return Milestones(trips, spacing, count, {k: empty_rows(room, initial[k]) for k in plan.slots})

    def with_rows(self, rows: Sequence[ir.Value]) -> Milestones:
        """The same with other rows, in order."""
        return replace(self, rows=dict(zip(self.rows, rows, strict=True)))

    def zeros(self) -> ir.Value:
        """A zero for each stretch."""
        f64 = ir.F64Type.get()
        return filled(stack_type(DYNAMIC, f64), [self.count], number(f64, 0.0))

    def stretch(self, n: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The positions at which the way from the n-th kept state begins and ends."""
        first = arith.MulIOp(n, self.spacing).result
        return first, arith.MinSIOp(arith.AddIOp(first, self.spacing).result, self.trips).result

    def passed(self, position: ir.Value, rows: Sequence[ir.Value], states: Sequence[ir.Value]) -> list[ir.Value]:
        """The rows after an iteration: with the state it began with, if that is to be kept."""
        is_there = arith.CmpIOp(arith.CmpIPredicate.eq, arith.RemUIOp(position, self.spacing).result, index(0)).result
        choice = scf.IfOp(is_there, [each.type for each in rows], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            kept = self.with_rows(rows).keep(arith.DivUIOp(position, self.spacing).result, states)
            scf.YieldOp(list(kept.rows.values()))
        with ir.InsertionPoint(choice.else_block):
            scf.YieldOp(list(rows))
        return list(choice.results)

    def keep(self, n: ir.Value, states: Sequence[ir.Value]) -> Milestones:
        """The same with the carried values as the n-th state."""
        return self.with_rows([insert_row(rows, n, states[k]) for k, rows in self.rows.items()])

    def kept(self, n: ir.Value) -> list[ir.Value]:
        """The n-th state."""
        return [row_at(rows, n) for rows in self.rows.values()]
