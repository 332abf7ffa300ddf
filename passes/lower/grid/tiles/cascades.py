"""Scans over the same elements by tiles, of which later ones may use the prefixes of earlier ones at an element.

For every level of scans there is a launch that finds what tiles come to, with all earlier prefixes computed again on
the way, and one that turns this into where tiles start; the last launch computes all prefixes and delivers what is
wanted. What comes out depends on sizes only. A single tile takes one launch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, launch_blocks, on_threads
from tapeless.passes.lower.grid.tiles.in_block import Numbers, Operator, Team, joined
from tapeless.passes.lower.grid.tiles.shape import Shape, Tile
from tapeless.passes.lower.grid.tiles.tables import (
    Table,
    leave_in_table,
    new_table,
    running_values,
    total_of_table,
    turn_into_starts,
)
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.work import ceil_div

# What a scan has before an element and with it.
Prefix = tuple[Numbers, Numbers]
# What a scan takes in, from the position of an element, what was loaded for it, and the prefixes of earlier scans.
Lift = Callable[[ir.Value, Numbers, Sequence[Prefix]], Numbers]


@dataclass(frozen=True)
class Stage:
    """One scan, which uses the prefixes of lower levels only."""

    operator: Operator
    lift: Lift
    level: int = 0


@dataclass(frozen=True)
class Cascade:
    """Scans in the order of their levels.

    `load` gives what scans need of an element and is told whether this is the last launch; `loaded` stands for it
    behind the end of arrays. `deliver` stores what is wanted. `sums` combine what `summed` finds in what was loaded.
    """

    emitter: Emitter
    width: Index
    shape: Shape
    loaded: Numbers
    load: Callable[[ir.Value, bool], Numbers]
    stages: Sequence[Stage]
    deliver: Callable[[ir.Value, Numbers, Sequence[Prefix]], None]
    sums: Operator | None = None
    summed: Callable[[Numbers], Numbers] = lambda loaded: loaded

    def run(self) -> Numbers:
        """Emits the launches; gives the sums."""
        emitter, builder = self.emitter, self.emitter.builder
        width = builder.arith("arith.maxsi", self.width, 0)
        tiles = ceil_div(builder, width, self.shape.tile)
        work = Work(self, width, tiles)
        for level in range(work.levels):
            work.find_starts(level)
        sums = [] if self.sums is None else new_table(emitter, self.sums, tiles)

        def finish(block: ir.Value) -> None:
            """From the last tile on, which may still be in the cache."""
            number = builder.sub(builder.sub(tiles, 1), block)
            on_threads(emitter, THREADS_PER_BLOCK, lambda thread: work.finish(number, thread, sums))

        launch_blocks(emitter, tiles, finish)
        results = [] if self.sums is None else total_of_table(emitter, self.sums, sums, tiles)
        for table in (*work.tables, sums):
            for memory in table:
                emitter.pool.free_raw(memory)
        return results


class Work:
    """The launches of a cascade; `tables` are the starts of tiles that are known so far."""

    def __init__(self, cascade: Cascade, width: Index, tiles: Index) -> None:
        self.cascade, self.width, self.tiles = cascade, width, tiles
        self.emitter, self.builder = cascade.emitter, cascade.emitter.builder
        self.levels = 1 + max(stage.level for stage in cascade.stages)
        self.tables: list[Table] = []
        self.is_several = self._compare(arith.CmpIPredicate.sgt, tiles, 1)

    def find_starts(self, level: int) -> None:
        """Launches that add tables for the stages of a level."""
        stages = self._of_level(level)
        tables = [new_table(self.emitter, stage.operator, self.tiles) for stage in stages]

        def leave_totals(number: ir.Value, thread: ir.Value) -> None:
            tile, team = self._tile(number, thread)
            _, _, lifted = self._scan(tile, team, level, is_last=False)
            for stage, table, values in zip(stages, tables, lifted, strict=True):
                groups = [joined(stage.operator, group) for group in values]
                leave_in_table(team, table, number, team.total(stage.operator, groups))

        def find_totals(block: ir.Value) -> None:
            on_threads(self.emitter, THREADS_PER_BLOCK, lambda thread: leave_totals(block, thread))

        launch_blocks(self.emitter, self._if_several(self.tiles, 0), find_totals)
        pairs = [(stage.operator, table) for stage, table in zip(stages, tables, strict=True)]
        turn_into_starts(self.emitter, pairs, self.tiles, self._if_several(1, 0))
        self.tables += tables

    def finish(self, number: Index, thread: ir.Value, sums: Table) -> None:
        """Computes and delivers everything of a tile."""
        tile, team = self._tile(number, thread)
        loaded, prefixes, _ = self._scan(tile, team, self.levels, is_last=True)

        def deliver(position: ir.Value, group: int, place: int) -> Numbers:
            own = [prefix[group][place] for prefix in prefixes]
            self.cascade.deliver(position, loaded[group][place], own)
            return []

        tile.each(deliver, [])
        if self.cascade.sums is not None:
            operator, summed = self.cascade.sums, self.cascade.summed
            groups = [joined(operator, [summed(each) for each in group]) for group in loaded]
            leave_in_table(team, sums, number, team.total(operator, groups))

    def _scan(
        self, tile: Tile, team: Team, level: int, *, is_last: bool
    ) -> tuple[list[list[Numbers]], list[list[list[Prefix]]], list[list[list[Numbers]]]]:
        """The loaded values, the prefixes of all stages below a level, and the operands of this level."""
        loaded, lifted = self._load(tile, is_last=is_last)
        prefixes: list[list[list[Prefix]]] = []
        for each in range(level):
            if each:
                lifted = self._lift(tile, each, loaded, prefixes)
            found = []
            for number, (stage, values) in enumerate(zip(self._of_level(each), lifted, strict=True), len(prefixes)):
                start = self._start(stage.operator, self.tables[number], tile.number)
                groups = [joined(stage.operator, group) for group in values]
                starts, _ = team.starts(stage.operator, groups, start)
                pairs = zip(values, starts, strict=True)
                found.append([running_values(stage.operator, group, before) for group, before in pairs])
            prefixes += found
        if 0 < level < self.levels:
            lifted = self._lift(tile, level, loaded, prefixes)
        return loaded, prefixes, lifted

    def _load(self, tile: Tile, *, is_last: bool) -> tuple[list[list[Numbers]], list[list[list[Numbers]]]]:
        """The elements of a tile, and the operands of the first stages."""
        stages, count = self._of_level(0), len(self.cascade.loaded)

        def load(position: ir.Value, *_: int) -> Numbers:
            loaded = self.cascade.load(position, is_last)
            return [*loaded, *(value for stage in stages for value in stage.lift(position, loaded, []))]

        found = tile.each(load, [*self.cascade.loaded, *_all_neutral(stages)])
        loaded = [[each[:count] for each in group] for group in found]
        return loaded, _apart(stages, [[each[count:] for each in group] for group in found])

    def _lift(
        self, tile: Tile, level: int, loaded: list[list[Numbers]], prefixes: list[list[list[Prefix]]]
    ) -> list[list[list[Numbers]]]:
        """The operands of the stages of a later level."""
        stages = self._of_level(level)

        def lift(position: ir.Value, group: int, place: int) -> Numbers:
            before = [prefix[group][place] for prefix in prefixes]
            return [each for stage in stages for each in stage.lift(position, loaded[group][place], before)]

        return _apart(stages, tile.each(lift, _all_neutral(stages)))

    def _start(self, operator: Operator, table: Table, number: Index) -> Numbers:
        """Where a tile starts, which no table knows if there is only one."""
        pairs = zip(table, operator.neutral, strict=True)
        return [
            self.builder.value(
                "arith.select", neutral.type, [self.is_several, self.builder.load(memory, [number]), neutral]
            )
            for memory, neutral in pairs
        ]

    def _tile(self, number: Index, thread: ir.Value) -> tuple[Tile, Team]:
        return Tile(self.emitter, self.cascade.shape, number, thread, self.width), Team(self.builder, thread)

    def _of_level(self, level: int) -> list[Stage]:
        return [stage for stage in self.cascade.stages if stage.level == level]

    def _if_several(self, count: Index, otherwise: Index) -> ir.Value:
        choices = [self.builder.as_value(each) for each in (count, otherwise)]
        return self.builder.value("arith.select", self.builder.index, [self.is_several, *choices])

    def _compare(self, predicate: arith.CmpIPredicate, left: Index, right: Index) -> ir.Value:
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
        operands = [self.builder.as_value(left), self.builder.as_value(right)]
        return self.builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=attribute)


def _all_neutral(stages: Sequence[Stage]) -> Numbers:
    return [value for stage in stages for value in stage.operator.neutral]


def _apart(stages: Sequence[Stage], found: list[list[Numbers]]) -> list[list[list[Numbers]]]:
    """Values of all stages together, sorted by stage."""
    apart, first = [], 0
    for stage in stages:
        count = len(stage.operator.neutral)
        apart.append([[each[first : first + count] for each in group] for group in found])
        first += count
    return apart
