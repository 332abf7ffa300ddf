"""Tables of the totals of tiles: turned into the starts of tiles, or combined, by one block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.passes.lower.blocks.copies import new_array
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, launch_blocks, number_of_launch, on_threads
from tapeless.passes.lower.grid.tiles.in_block import Numbers, Operator, Team, joined
from tapeless.passes.lower.grid.tiles.shape import Shape, Tile
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.work import ceil_div

Table = list[ir.Value]
# What a block does with one tile of a table, given what the tiles before come to; gives what they come to with it.
Step = Callable[[Tile, Team, Numbers], Numbers]


def new_table(emitter: Emitter, operator: Operator, tiles: Index) -> Table:
    """Memory for a tuple for each tile."""
    return [new_array(emitter, [tiles], each.type).base for each in operator.neutral]


def leave_in_table(team: Team, table: Table, tile: Index, values: Sequence[ir.Value]) -> None:
    """Thread 0 stores the entry of a tile."""
    builder = team.builder
    equal = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.eq.value)
    operands = [team.thread, builder.as_value(0)]
    is_first = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=equal)
    branch = builder.create("scf.if", [], [is_first], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    for memory, value in zip(table, values, strict=True):
        builder.store(value, memory, [tile])
    builder.yield_values()
    builder.pop()


def turn_into_starts(emitter: Emitter, tables: Sequence[tuple[Operator, Table]], tiles: Index, launches: Index) -> None:
    """A launch of one block, or none, that replaces the total of every tile by its exclusive prefix."""

    def replace(operator: Operator, table: Table) -> Step:
        def step(tile: Tile, team: Team, start: Numbers) -> Numbers:
            values = _entries(tile, operator, table)
            starts, end = team.starts(operator, [joined(operator, group) for group in values], start)
            places = [running_values(operator, group, before) for group, before in zip(values, starts, strict=True)]

            def store(position: ir.Value, group: int, place: int) -> Numbers:
                for memory, value in zip(table, places[group][place][0], strict=True):
                    team.builder.store(value, memory, [position])
                return []

            tile.each(store, [])
            return end

        return step

    def work(_: ir.Value) -> None:
        for operator, table in tables:
            step = replace(operator, table)
            on_threads(emitter, THREADS_PER_BLOCK, partial(_walk, emitter, operator, tiles, step))

    launch_blocks(emitter, launches, work)


def total_of_table(emitter: Emitter, operator: Operator, table: Table, tiles: Index) -> Numbers:
    """The total of all tiles, by a launch of one block."""
    builder = emitter.builder
    results = [number_of_launch(builder, value.type) for value in operator.neutral]

    def step(tile: Tile, team: Team, start: Numbers) -> Numbers:
        groups = [joined(operator, group) for group in _entries(tile, operator, table)]
        return operator.join(start, team.total(operator, groups))

    def work(thread: ir.Value) -> None:
        end = _walk(emitter, operator, tiles, step, thread)
        leave_in_table(Team(builder, thread), results, 0, end)

    launch_blocks(emitter, 1, lambda _: on_threads(emitter, THREADS_PER_BLOCK, work))
    return [builder.load(result, [0]) for result in results]


def running_values(operator: Operator, group: Sequence[Numbers], start: Numbers) -> list[tuple[Numbers, Numbers]]:
    """The exclusive and the inclusive prefix of each element of a group, in the order of the array."""
    running, found = start, []
    for values in group[::-1] if operator.backwards else group:
        following = operator.join(running, values)
        found.append((running, following))
        running = following
    return found[::-1] if operator.backwards else found


def _entries(tile: Tile, operator: Operator, table: Table) -> list[list[Numbers]]:
    builder = tile.emitter.builder
    return tile.each(lambda at, *_: [builder.load(memory, [at]) for memory in table], operator.neutral)


def _walk(emitter: Emitter, operator: Operator, tiles: Index, step: Step, thread: ir.Value) -> Numbers:
    """The tiles of a table one after the other."""
    builder = emitter.builder
    types = [value.type for value in operator.neutral]
    shape, team = Shape.of(types, types), Team(builder, thread)
    count = ceil_div(builder, tiles, shape.tile)
    loop = builder.begin_for(0, count, starts=operator.neutral)
    number = builder.sub(builder.sub(count, 1), loop.variable) if operator.backwards else loop.variable
    end = step(Tile(emitter, shape, number, thread, tiles), team, loop.carried)
    team.wait()
    end_region(emitter, end)
    return list(loop.op.results)
