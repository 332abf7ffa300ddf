"""`soac-defer-sums`: sums over rows that a loop adds to an array in every iteration, taken for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import is_defined_outside, terminator
from tapeless.passes.ir.search import ops_named
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.cascade.places import is_outside_operators
from tapeless.passes.soac.defer.chunks import run_in_chunks
from tapeless.passes.soac.defer.found import RowSum, row_sums
from tapeless.passes.soac.defer.positions import UP
from tapeless.passes.soac.defer.stacks import Factors, Kept, Stored
from tapeless.passes.soac.simplify.prune import prune


@dataclass(frozen=True)
class DeferSums:
    """Defers reductions over the steps of a loop: stores the rows, and contracts those of many steps at once.

    ```
    for t:                                  for chunks of iterations:
      g = ...                                 for t of the chunk:
      w += product of x[t] and g, summed        g = ...; gs[t] = g
           over their rows                    w += product of x[chunk] and gs, summed over all rows of the chunk
    ```
    Nothing else in the loop may look at `w`. Sums of products and of the rows themselves are deferred, where all rows
    that they take are made in the loop or belong to an array from before it whose index goes up or down by one.
    A chunk has as many iterations as keep `most_kept` bytes, and at least one; what is there already is not kept.
    The order of sums changes, so this is for targets whose sums have no order that a program could tell.
    """

    name: ClassVar[str] = "soac-defer-sums"
    most_kept: int = 1 << 28

    def run(self, module: ir.Module) -> None:
        """Rewrites every loop that no operator contains, inner ones first."""
        root = module.operation.opview
        changed = any([_hand_on(accumulation) for accumulation in ops_named(root, "soac.with_acc")])
        for loop in ops_named(root, "scf.for"):
            if is_outside_operators(loop) and constant_int(loop.operands[2]) == 1:
                sums, factors = _deferrable(loop, row_sums(loop))
                if sums:
                    run_in_chunks(loop, sums, factors, self.most_kept)
                    changed = True
        if changed:
            prune(root)


def _hand_on(accumulation: ir.OpView) -> bool:
    """Forwards operands that an accumulation only hands on to their users; whether there is any."""
    yielded = terminator(accumulation.regions[0].blocks[0]).operands
    handed_on = [
        (result, value)
        for result, value in zip(accumulation.results, yielded, strict=True)
        if result.type == value.type and is_defined_outside(value, accumulation.operation)
    ]
    for result, value in handed_on:
        result.replace_all_uses_with(value)
    return bool(handed_on)


def _deferrable(loop: ir.OpView, sums: Sequence[RowSum]) -> tuple[list[RowSum], Factors]:
    """The sums whose rows are kept or there, all in one direction, and where these are."""
    factors, taken = Factors({}, {}, UP), []
    for each in sums:
        stored = {row: found for row in each.rows if (found := Stored.of(row, loop)) is not None}
        others = [row for row in each.rows if row not in stored]
        kept = {row: own for row in others if (own := Kept.of(row, each.width, loop)) is not None}
        directions = {found.direction for found in stored.values()}
        if factors.stored:
            directions.add(factors.direction)
        if len(kept) == len(others) and len(directions) <= 1:
            direction = next(iter(directions), factors.direction)
            factors = Factors({**factors.stored, **stored}, {**kept, **factors.kept}, direction)
            taken.append(each)
    return taken, factors
