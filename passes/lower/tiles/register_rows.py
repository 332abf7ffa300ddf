"""What a thread needs of its rows for products of small matrices, from memory straight to registers."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.lower.tiles.contraction import Contraction
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, smaller
from tapeless.passes.lower.tiles.matrices import STEPS
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.staging import raw_values, scope_at, with_invariants


class RegisterRows:
    """Some rows of a thread, and every fourth step of so many at a time, from the number of the thread on.

    What was loaded is kept as it is until it is needed, so that it may still be on its way.
    """

    def __init__(
        self, contraction: Contraction, places: Sequence[ir.Value], within: ir.Value, steps: int, block: Scope
    ) -> None:
        self.contraction, self.block = contraction, block
        side = contraction.rows
        self.scopes = [
            with_invariants(contraction, side, scope_at(contraction, side, place, block)) for place in places
        ]
        self.offsets = [add(within, each) for each in range(0, steps, STEPS // 2)]
        raw = raw_values(contraction, side)
        own = {*side.loops}
        self.of_rows = [value for value in raw if contraction.values.of_value(value) & own]
        self.of_steps = [value for value in raw if not contraction.values.of_value(value) & own]

    def load(self, first: ir.Value) -> list[ir.Value]:
        """What is loaded for the steps from `first` on; those after the last are not read."""
        found: list[ir.Value] = []
        last = add(self.contraction.reduction.operands[1], -1)
        for offset in self.offsets:
            bound = {self.contraction.step: smaller(add(first, offset), last)}
            of_step = Scope(self.contraction.values, [self.scopes[0]], bound)
            found += [of_step.value(value) for value in self.of_steps]
            for scope in self.scopes:
                of_row = Scope(self.contraction.values, [scope], bound)
                found += [of_row.value(value) for value in self.of_rows]
        return found

    def made(self, raw: Sequence[ir.Value], first: ir.Value, end: ir.Value | None) -> list[list[ir.Value]]:
        """The factors of each row, step by step, made of what was loaded; zeros from step `end` on, if it is given."""
        (staged,), given = self.contraction.rows.staged, iter(raw)
        found: list[list[ir.Value]] = [[] for _ in self.scopes]
        for offset in self.offsets:
            step = add(first, offset)
            shared = {value: next(given) for value in self.of_steps} | {self.contraction.step: step}
            for row, scope in enumerate(self.scopes):
                bound = shared | {value: next(given) for value in self.of_rows}
                value = Scope(self.contraction.values, [scope], bound).value(staged)
                if end is not None:
                    value = arith.select(is_below(step, end), value, arith.constant(value.type, 0.0))
                found[row].append(value)
        return found
