"""The work of a thread for the iterations of its block, some at a time: it copies rows, searches, and adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import wait_for_all
from tapeless.passes.lower.grid.row_columns.tables import Share
from tapeless.passes.lower.grid.row_columns.together.brought import BroughtRows, BroughtTable
from tapeless.passes.lower.grid.row_columns.together.finding import Finding
from tapeless.passes.lower.grid.row_columns.together.walks import Stop, Walk, walk
from tapeless.passes.lower.grid.row_columns.together.words import Words
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import add_to, begin_if_inside
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.soac.spread.together import ITERATIONS

# So many iterations have what they add loaded before the first of them adds.
ADDED_AT_ONCE = 4


@dataclass(frozen=True)
class Tiles:
    """The `share` of a thread in sums: `own` tables, one of so many `slices` of its column, in so many `blocks`.

    Rows, tables, and what is `handed` on are in memory of the block.
    """

    finding: Finding
    share: Share
    own: Sequence[View]
    slices: Index
    blocks: Index
    rows: Sequence[BroughtRows]
    tables: Mapping[ir.Value, BroughtTable]
    handed: Words

    @property
    def _emitter(self) -> Emitter:
        return self.finding.columns.opened.emitter

    def emit(self) -> None:
        """All that the block does, with a loop over its tiles."""
        emitter, opened = self._emitter, self.finding.columns.opened
        builder = emitter.builder
        for table in self.tables.values():
            table.fill(emitter, self.share.thread)
        width = builder.arith("arith.maxsi", opened.width, 0)
        loop = builder.begin_for(self.share.block, ceil_div(builder, width, ITERATIONS), self.blocks)
        first = builder.mul(loop.variable, ITERATIONS)
        left = builder.arith("arith.minsi", builder.sub(width, first), ITERATIONS)
        high = self.share.if_inside(builder, left)
        for rows in self.rows:
            rows.bring(emitter, self.share, self.slices, first, left)
        with builder.here():
            wait_for_all()
        _meet(builder)
        self._find(first, left)
        _meet(builder)
        self._add(first, high)
        _meet(builder)
        end_region(emitter)

    def _find(self, first: Index, left: Index) -> None:
        """Threads find places, each that of one iteration."""
        emitter, thread = self._emitter, self.share.thread
        builder = emitter.builder
        begin_if_inside(builder, [thread], [left])
        rows = [each.row(builder.mul(thread, each.pitch)) for each in self.rows]
        tables = {array: table.by_columns for array, table in self.tables.items()}
        values = self.finding.find(builder.as_value(builder.add(first, thread)), rows, tables, self.own)
        self.handed.store(values, thread)
        end_region(emitter)

    def _add(self, first: Index, high: Index) -> None:
        """Threads add the values of iterations in their columns."""
        emitter, column = self._emitter, self.share.column
        builder = emitter.builder
        tables = {array: table.by_rows for array, table in self.tables.items()}

        def add(stops: list[Stop]) -> None:
            values = [self.handed.load(stop.number) for stop in stops]
            with Later(emitter, self.own):
                for stop, handed in zip(stops, values, strict=True):
                    number = builder.as_value(builder.add(first, stop.number))
                    rows = [each.row(start) for each, start in zip(self.rows, stop.places, strict=True)]
                    self.finding.add(number, rows, tables, handed, column, self.own)

        pitches = [each.pitch for each in self.rows]
        way = Walk(self.share.slice, self._guarded(high), self.slices, [0] * len(pitches), pitches)
        walk(emitter, way, ADDED_AT_ONCE, add)

    def _guarded(self, high: Index) -> Index:
        """None of the iterations if the condition of their branch does not hold."""
        guard, builder = self.finding.guard, self._emitter.builder
        if guard is None:
            return high
        operands = [self._emitter.scalar(guard.operands[0]), *map(builder.as_value, (high, 0))]
        return builder.value("arith.select", builder.index, operands)


def _meet(builder: Builder) -> None:
    """All threads of the block wait for each other."""
    builder.create("gpu.barrier", [], [])


class Later:
    """While it is entered, additions to some tables are noted, and made when it is left, in their order.

    Memory that is written keeps loads after it waiting, since nobody knows that it is not the same. Additions in
    branches are made where they are.
    """

    def __init__(self, emitter: Emitter, tables: Sequence[View]) -> None:
        self._emitter, self._tables, self._depth = emitter, [view.base for view in tables], emitter.builder.depth
        self._waiting: list[tuple[View, list[Index], ir.Value]] = []

    def __enter__(self) -> None:
        self._enter()

    def __exit__(self, *_: object) -> None:
        self._leave()
        for target, at, value in self._waiting:
            add_to(self._emitter, target, at, value)

    def _enter(self) -> None:
        self._emitter.ways_to_add |= dict.fromkeys(self._tables, self._note)

    def _leave(self) -> None:
        for base in self._tables:
            self._emitter.ways_to_add.pop(base)

    def _note(self, target: View, at: Sequence[Index], value: ir.Value) -> None:
        if self._emitter.builder.depth == self._depth:
            self._waiting.append((target, list(at), value))
            return
        self._leave()
        add_to(self._emitter, target, at, value)
        self._enter()
