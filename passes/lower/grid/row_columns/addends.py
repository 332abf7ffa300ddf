"""Maps that add rows to arrays, taken apart into the addends of an iteration in each column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Column
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.schedule.row_columns.adding_maps import outside_of_rows
from tapeless.passes.lower.storage.tree import Node


@dataclass(frozen=True)
class Columns:
    """The maps over elements of rows in the body of a map with accumulators, and how many elements rows have.

    Rows may be shorter than those of the sums, of which some elements then stay as they are.
    """

    opened: Map
    inner: list[Node]
    count: Index

    @property
    def reach(self) -> Index:
        """How many columns the sums have, of which the first `count` are added to."""
        arith = self.opened.emitter.builder.arith
        return reduce(partial(arith, "arith.maxsi"), [view.sizes[-1] for view in self.opened.sums])

    def run(self, number: ir.Value, column: ir.Value, sums: Sequence[View]) -> None:
        """The addend of the iteration of this number in one column."""
        emitter = self.opened.emitter
        alone = dict.fromkeys(self.inner, column)
        emitter.alone |= alone
        emitter.forget(self.opened.node)
        self.opened.run(number, sums)
        for node in alone:
            del emitter.alone[node]


def columns_of(opened: Map) -> Columns:
    """The columns of a map with accumulators whose schedule says that it adds rows."""
    emitter = opened.emitter
    maps = [node for node in outside_of_rows(opened.node.regions[0]) if node.name == "soac.map"]
    inner = [node for node in maps if isinstance(emitter.schedule(node), Column)]
    return Columns(opened, inner, emitter.builder.arith("arith.maxsi", emitter.index(inner[0].op.width), 0))
