"""The kept states of a chain at run time: a stack of rows, with the position of each and its rounds left."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.prepare.rooms import empty_rows
from tapeless.passes.ad.reversible.chain.whole_numbers import minus, plus, rounds_for, split
from tapeless.passes.ir.build import index, is_array
from tapeless.passes.ir.rows import insert_row, row_at

FEW_ROWS = 1024
"""Numbers for so many rows of scalars take next to no room, however few are kept."""


@dataclass(frozen=True)
class Kept:
    """One array of rows per state, positions and rounds as arrays of the same length, the newest row's number.

    Changes give a new record: values, like all of core IR.
    """

    budget: ir.Value
    top: ir.Value
    positions: ir.Value
    rounds: ir.Value
    rows: tuple[ir.Value, ...]

    @staticmethod
    def start(budget: int, steps: ir.Value, states: Sequence[ir.Value]) -> Kept:
        """The states before the first of `steps`.

        No more states are ever kept than there are steps, so a short chain takes less room than its budget. A few rows
        of scalars are always there: room that is known when compiling is on the stack.
        """
        most, bottom = _most_kept(budget, steps), index(0)
        is_fixed = budget <= FEW_ROWS
        known = index(budget) if is_fixed else most
        rounds = rounds_for(steps, known)
        extent: int | ir.Value = budget if is_fixed else most
        room = most if any(is_array(state) for state in states) else extent
        empty = tensor.EmptyOp([extent], ir.IndexType.get()).result
        rows = [insert_row(empty_rows(room, state), bottom, state) for state in states]
        positions = insert_row(empty, bottom, bottom)
        return Kept(known, bottom, positions, insert_row(empty, bottom, rounds), tuple(rows))

    @property
    def values(self) -> list[ir.Value]:
        """All values, for loops to carry."""
        return [self.top, self.positions, self.rounds, *self.rows]

    def carried(self, values: Sequence[ir.Value]) -> Kept:
        """The same record with the values that a loop carries."""
        top, positions, rounds, *rows = values
        return Kept(self.budget, top, positions, rounds, tuple(rows))

    def position(self) -> ir.Value:
        """The position of the newest states."""
        return row_at(self.positions, self.top)

    def states(self) -> list[ir.Value]:
        """The newest states."""
        return [row_at(row, self.top) for row in self.rows]

    def next_position(self, end: ir.Value) -> ir.Value:
        """Where to keep the next states when the newest ones stand for the steps before `end`."""
        free = minus(self.budget, self.top)
        return split(free, row_at(self.rounds, self.top), self.position(), end)

    def push(self, position: ir.Value, states: Sequence[ir.Value]) -> Kept:
        """Keeps states beside those there are; they may be started from as often as the newest ones."""
        top = plus(self.top, index(1))
        positions = insert_row(self.positions, top, position)
        rounds = insert_row(self.rounds, top, row_at(self.rounds, self.top))
        rows = [insert_row(room, top, state) for room, state in zip(self.rows, states, strict=True)]
        return Kept(self.budget, top, positions, rounds, tuple(rows))

    def visited(self, step: ir.Value) -> Kept:
        """After a visit: states kept right there go, and those before have one round less."""
        is_here = arith.CmpIOp(arith.CmpIPredicate.eq, self.position(), step).result
        lower = arith.MaxSIOp(minus(self.top, index(1)), index(0)).result
        top = arith.SelectOp(is_here, lower, self.top).result
        fewer = minus(row_at(self.rounds, top), index(1))
        return Kept(self.budget, top, self.positions, insert_row(self.rounds, top, fewer), self.rows)


def _most_kept(budget: int, steps: ir.Value) -> ir.Value:
    """How many states are ever kept of a chain: one at least, and none that no step begins with."""
    return arith.MaxSIOp(arith.MinSIOp(steps, index(budget)).result, index(1)).result
