"""Maps whose iterations reduce rows, by as many threads for each as long rows ask for.

Short rows have a thread each, longer ones a quarter of a warp, a warp or a block. Where rows are columns in memory, a
block takes eight neighbouring ones, by 32 threads each, or four long ones by 256: a warp then loads whole sectors of
memory, of columns and of rows alike.
Threads of a team take every so many elements, side by side, and combine what they have by shuffles; whatever else an
iteration does all of them do, and the first one stores. How many threads a row has depends on sizes only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import Launch, Teams
from tapeless.passes.ir.machine import MEASURED_GPU
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, launch_blocks, on_threads, without_overflow
from tapeless.passes.lower.grid.map_launches import launch_map
from tapeless.passes.lower.grid.tiles.in_block import Numbers, Operator, Team
from tapeless.passes.lower.grid.tiles.shuffles import WARP
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import bind_elements, combine, end_region, scalars
from tapeless.passes.lower.loops.combinators import Reduction, open_fused, open_reduce
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.rows import REDUCTIONS
from tapeless.passes.lower.storage.tree import Node

# The longest rows that a thread, that some lanes of a warp and that a whole warp take alone, and how many elements a
# thread loads at a time. All threads of a team do whatever else an iteration does, so that teams of short rows are
# small: a logarithm and an exponential for each of 100,000 rows of 40 elements took warps 43 us.
LONGEST_OF_THREAD = 15
LONGEST_OF_LANES, LANES = 127, 8
LONGEST_OF_WARP = 1023
AT_ONCE = 4
# Columns that a block takes: 64 bytes of f64. Columns up to this length, or as many as fill a GPU, have a thread each.
COLUMNS = 8
LONGEST_COLUMN_OF_THREAD = 63
ENOUGH_COLUMNS = 1 << 16
# Longer columns, so few that such blocks would leave multiprocessors idle, are four to a block of more threads: a
# thread waits for each few elements that it loads, and 32 bytes of a row are still a sector of memory.
LONG_COLUMN, TALL_COLUMNS, TALL_THREADS = 512, 4, 1024
FEW_COLUMNS = MEASURED_GPU.multiprocessors * COLUMNS


def reduce_rows_by_teams(opened: Map, form: Teams) -> None:
    """Chooses by the longest row of a call, and by the number of columns; one way is left if these are known."""
    length = _longest(opened)
    if length is None:
        launch_map(opened, Launch())
    elif form.by_warps:
        _by_warps(opened)
    elif form.has_columns:
        _reduce_columns(opened, length)
    else:
        _reduce_rows(opened, length)


def _reduce_columns(opened: Map, length: Index) -> None:
    emitter, node = opened.emitter, opened.node

    def by_threads() -> None:
        launch_map(opened, Launch())

    def by_teams() -> None:
        few_or_many(emitter, opened.width, ENOUGH_COLUMNS - 1, by_blocks, by_threads, both_emit=node)

    def by_blocks() -> None:
        arith = emitter.builder.arith
        most = arith(
            "arith.minsi", emitter.builder.mul(arith("arith.divui", length, LONG_COLUMN), FEW_COLUMNS), FEW_COLUMNS
        )
        tall = partial(_by_columns, opened, TALL_COLUMNS, TALL_THREADS, 1)
        few_or_many(emitter, opened.width, most, tall, lambda: _by_columns(opened), both_emit=node)

    few_or_many(emitter, length, LONGEST_COLUMN_OF_THREAD, by_threads, by_teams, both_emit=node)


def _reduce_rows(opened: Map, length: Index) -> None:
    """Four ways, of which the longest row of a call decides; one if it is known."""
    emitter, node = opened.emitter, opened.node
    ways: list[tuple[int, Callable[[], None]]] = [
        (LONGEST_OF_THREAD, lambda: launch_map(opened, Launch())),
        (LONGEST_OF_LANES, lambda: _by_warps(opened, LANES)),
        (LONGEST_OF_WARP, lambda: _by_warps(opened)),
    ]

    def choose(number: int) -> None:
        if number == len(ways):
            _by_blocks(opened)
            return
        most, way = ways[number]
        if isinstance(length, int):
            if length <= most:
                way()
            else:
                choose(number + 1)
            return
        few_or_many(emitter, length, most, way, lambda: choose(number + 1), both_emit=node)

    choose(0)


def _longest(opened: Map) -> Index | None:
    """The length of the longest row, if it is known before the map."""
    emitter, builder = opened.emitter, opened.emitter.builder
    longest: Index = 0
    for inner in _sums(opened.node):
        definition = emitter.plan.tree.definition.get(inner.op.width)
        if definition is not None and opened.node.contains(definition):
            return None
        longest = builder.arith("arith.maxsi", emitter.index(inner.op.width), longest)
    return longest


def _sums(node: Node) -> list[Node]:
    return [inner for inner in node.regions[0] if inner.name in REDUCTIONS]


@dataclass(frozen=True)
class Row:
    """A row and the team that reduces it: `member` is the number of this thread among `size`.

    `total` combines what all members have, for each of them.
    """

    opened: Map
    team: Team
    index: ir.Value
    member: Index
    size: int
    total: Callable[[Operator, Numbers], Numbers]

    def reduce(self) -> None:
        """The iteration of this row, its reductions by all members."""
        emitter, node = self.opened.emitter, self.opened.node
        emitter.forget(node)
        index, *arguments = node.arguments()
        emitter.env[index] = self.index
        bind_elements(emitter, arguments, list(node.op.inputs), self.index)
        for inner in node.regions[0][:-1]:
            if inner.name in REDUCTIONS:
                self._reduce(inner)
            else:
                emitter.emit(inner)

    def _reduce(self, node: Node) -> None:
        emitter = self.opened.emitter
        reduction = (open_reduce if node.name == "soac.reduce" else open_fused)(emitter, node)

        def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> Numbers:
            emitter.forget(node)
            return scalars(combine(emitter, node, reduction.region, left, right, left))

        operator = Operator(reduction.starts, join, is_commutative=True)
        own = self._share(reduction)
        reduction.close(self.total(operator, own))
        emitter.release_after(node)

    def _share(self, reduction: Reduction) -> Numbers:
        """Every so many elements of a row: several at a time, then those that are left."""
        emitter, builder, step = reduction.emitter, reduction.emitter.builder, self.size
        whole = builder.mul(builder.arith("arith.divui", reduction.width, step * AT_ONCE), step * AT_ONCE)
        loop = builder.begin_for(0, whole, step * AT_ONCE, reduction.starts)
        carried = loop.carried
        for number in range(AT_ONCE):
            first = without_overflow(builder, "arith.addi", loop.variable, builder.add(self.member, number * step))
            emitter.forget(reduction.node)
            carried = reduction.run(first, without_overflow(builder, "arith.addi", first, 1), carried)
        end_region(emitter, carried)
        emitter.forget(reduction.node)
        return reduction.run(builder.add(whole, self.member), reduction.width, list(loop.op.results), step)

    def deliver(self) -> None:
        """Stores the iteration's results."""
        node = self.opened.node
        for value, target in zip(node.terminator.operands, self.opened.targets, strict=True):
            store(self.team.builder, self.opened.emitter.scalar(value), target, [self.index])


def _by_blocks(opened: Map) -> None:
    """A block for each row."""
    emitter = opened.emitter

    def work(block: ir.Value, thread: ir.Value) -> None:
        team = Team(emitter.builder, thread)

        def total(operator: Operator, own: Numbers) -> Numbers:
            found = team.total(operator, [own])
            team.wait()
            return found

        row = Row(opened, team, block, thread, THREADS_PER_BLOCK, total)
        row.reduce()
        _if(opened, arith.CmpIPredicate.eq, thread, 0, row.deliver)

    launch_blocks(
        emitter, opened.width, lambda block: on_threads(emitter, THREADS_PER_BLOCK, lambda thread: work(block, thread))
    )


def _by_warps(opened: Map, lanes: int = WARP) -> None:
    """A warp, or so many lanes of one, for each row; those behind the last row repeat it and store nothing."""
    emitter, builder = opened.emitter, opened.emitter.builder
    width, rows = builder.arith("arith.maxsi", opened.width, 0), THREADS_PER_BLOCK // lanes

    def work(block: ir.Value, thread: ir.Value) -> None:
        team = Team(builder, thread)
        member = builder.arith("arith.remui", thread, lanes)
        own = builder.arith("arith.divui", thread, lanes)
        number = builder.as_value(builder.add(builder.mul(block, rows), own))
        index = builder.as_value(builder.arith("arith.minsi", number, builder.sub(width, 1)))
        row = Row(opened, team, index, member, lanes, partial(team.total_of_lanes, lanes=lanes))
        row.reduce()

        def if_inside() -> None:
            _if(opened, arith.CmpIPredicate.slt, number, width, row.deliver)

        _if(opened, arith.CmpIPredicate.eq, member, 0, if_inside)

    launch_blocks(
        emitter,
        ceil_div(builder, width, rows),
        lambda block: on_threads(emitter, THREADS_PER_BLOCK, lambda thread: work(block, thread)),
    )


def _by_columns(
    opened: Map, columns: int = COLUMNS, threads: int = THREADS_PER_BLOCK, resident: int | None = None
) -> None:
    """A block for neighbouring columns; threads behind the last column repeat it and store nothing."""
    emitter, builder = opened.emitter, opened.emitter.builder
    width = builder.arith("arith.maxsi", opened.width, 0)

    def work(block: ir.Value, thread: ir.Value) -> None:
        team = Team(builder, thread, threads // WARP)

        def total(operator: Operator, own: Numbers) -> Numbers:
            found = team.total_of_columns(operator, own, columns)
            team.wait()
            return found

        column = builder.arith("arith.remui", thread, columns)
        member = builder.arith("arith.divui", thread, columns)
        number = builder.as_value(builder.add(builder.mul(block, columns), column))
        index = builder.as_value(builder.arith("arith.minsi", number, builder.sub(width, 1)))
        row = Row(opened, team, index, member, threads // columns, total)
        row.reduce()

        def if_inside() -> None:
            _if(opened, arith.CmpIPredicate.slt, number, width, row.deliver)

        _if(opened, arith.CmpIPredicate.eq, member, 0, if_inside)

    launch_blocks(
        emitter,
        ceil_div(builder, width, columns),
        lambda block: on_threads(emitter, threads, lambda thread: work(block, thread)),
        resident,
    )


def _if(opened: Map, predicate: arith.CmpIPredicate, left: Index, right: Index, body: Callable[[], None]) -> None:
    builder = opened.emitter.builder
    attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
    operands = [builder.as_value(left), builder.as_value(right)]
    condition = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=attribute)
    branch = builder.create("scf.if", [], [condition], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    body()
    end_region(opened.emitter)
