"""Block-wide totals and prefixes of the groups of neighbours that each thread has.

Group g of thread t comes before group g of thread t + 1, and all groups g before all groups g + 1. Warps combine by
shuffles, then what the warps have, which is in shared memory, is combined by every warp once more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, on_threads, shared_memory
from tapeless.passes.lower.grid.tiles.shuffles import AFTER, BEFORE, OF_LANE, WARP, shuffled
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.emitter import Emitter

WARPS = THREADS_PER_BLOCK // WARP
MOST_GROUPS = WARP // WARPS

Numbers = list[ir.Value]
Join = Callable[[Sequence[ir.Value], Sequence[ir.Value]], Numbers]


@dataclass(frozen=True)
class Operator:
    """An associative operator on tuples in the order of its steps, which go `backwards` through the elements or not."""

    neutral: Numbers
    join: Join
    backwards: bool = False
    is_commutative: bool = False


@dataclass(frozen=True)
class Team:
    """The threads of a block at work; `thread` is the number of this one. Blocks of other sizes total columns alone."""

    builder: Builder
    thread: ir.Value
    warps: int = WARPS

    @property
    def lane(self) -> Index:
        return self.builder.arith("arith.remui", self.thread, WARP)

    @property
    def warp(self) -> Index:
        return self.builder.arith("arith.divui", self.thread, WARP)

    def wait(self) -> None:
        """All threads come here before one goes on."""
        self.builder.create("gpu.barrier", [], [])

    def when(self, predicate: arith.CmpIPredicate, left: Index, right: int) -> None:
        """Starts a branch for the threads whose number compares so with another one."""
        branch = self.builder.create("scf.if", [], [self._is(predicate, left, right)], regions=2)
        self.builder.push(branch, 0, [], is_branch=True)

    def total_of_warp(self, operator: Operator, values: Numbers) -> Numbers:
        """The total over the lanes of this warp, for all of them."""
        return shuffled(self.builder, self._total_of_warp(operator, values), OF_LANE, _first(operator))

    def total_of_lanes(self, operator: Operator, values: Numbers, lanes: int) -> Numbers:
        """The total over this many neighbouring lanes, a divisor of a warp, for all of them; any order will do."""
        distance = 1
        while distance < lanes:
            values = operator.join(values, shuffled(self.builder, values, AFTER, distance))
            distance *= 2
        first = self.builder.mul(self.builder.arith("arith.divui", self.lane, lanes), lanes)
        return shuffled(self.builder, values, OF_LANE, first)

    def total(self, operator: Operator, groups: Sequence[Numbers]) -> Numbers:
        """The groups of all threads combined, for every thread."""
        if operator.is_commutative:
            groups = [joined(operator, groups)]
        tops = [self._total_of_warp(operator, group) for group in groups]
        return self.total_of_warp(operator, self._exchanged(operator, tops, _first(operator)))

    def total_of_columns(self, operator: Operator, values: Numbers, columns: int) -> Numbers:
        """The threads whose numbers are equal modulo `columns`, a divisor of a warp, combined for every one of them."""
        builder = self.builder
        distance = columns
        while distance < WARP:
            values = operator.join(values, shuffled(builder, values, AFTER, distance))
            distance *= 2
        shared = shared_memory(builder, self.warps * columns, [value.type for value in operator.neutral])
        first = builder.mul(self.warp, columns)
        self.when(arith.CmpIPredicate.slt, self.lane, columns)
        for memory, value in zip(shared, values, strict=True):
            builder.store(value, memory, [builder.add(first, self.lane)])
        builder.yield_values()
        builder.pop()
        self.wait()
        column = builder.arith("arith.remui", self.thread, columns)
        places = [builder.add(column, warp * columns) for warp in range(self.warps)]
        return joined(operator, [[builder.load(memory, [place]) for memory in shared] for place in places])

    def starts(self, operator: Operator, groups: Sequence[Numbers], start: Numbers) -> tuple[list[Numbers], Numbers]:
        """The exclusive prefix of each group of this thread, from `start`, and the total."""
        within = [self._prefixes(operator, group) for group in groups]
        sums = self._prefixes(operator, self._exchanged(operator, within, _last(operator)))
        before = self._after_start(operator, start, sums)
        end = operator.join(start, shuffled(self.builder, sums, OF_LANE, _last(operator)))
        starts = []
        for number, own in enumerate(within):
            place = self.builder.add(self.warp, number * WARPS)
            starts.append(self._after_start(operator, shuffled(self.builder, before, OF_LANE, place), own))
        return starts, end

    def _total_of_warp(self, operator: Operator, values: Numbers) -> Numbers:
        """The total over the lanes, for the lane whose step is first; others have something else."""
        mode, distance = BEFORE if operator.backwards else AFTER, 1
        while distance < WARP:
            values = operator.join(values, shuffled(self.builder, values, mode, distance))
            distance *= 2
        return values

    def _prefixes(self, operator: Operator, values: Numbers) -> Numbers:
        """The inclusive prefixes of the lanes."""
        mode, distance = AFTER if operator.backwards else BEFORE, 1
        while distance < WARP:
            sums = operator.join(shuffled(self.builder, values, mode, distance), values)
            values = self._chosen(self._has_before(operator, distance), sums, values)
            distance *= 2
        return values

    def _after_start(self, operator: Operator, start: Numbers, sums: Numbers) -> Numbers:
        """The exclusive prefix of this lane: the start, and the lanes before it, of which `sums` are the prefixes."""
        mode = AFTER if operator.backwards else BEFORE
        following = operator.join(start, shuffled(self.builder, sums, mode, 1))
        return self._chosen(self._has_before(operator, 1), following, start)

    def _exchanged(self, operator: Operator, tops: Sequence[Numbers], lane: int) -> Numbers:
        """The values of this lane of every warp for each group, one for each lane of this warp in order; neutral for
        more.
        """
        builder = self.builder
        shared = shared_memory(builder, WARP, [value.type for value in operator.neutral])
        self.when(arith.CmpIPredicate.eq, self.lane, lane)
        for number, top in enumerate(tops):
            for memory, value in zip(shared, top, strict=True):
                builder.store(value, memory, [builder.add(self.warp, number * WARPS)])
        builder.yield_values()
        builder.pop()
        self.wait()
        entries = [builder.load(memory, [self.lane]) for memory in shared]
        if len(tops) == MOST_GROUPS:
            return entries
        is_there = self._is(arith.CmpIPredicate.slt, self.lane, len(tops) * WARPS)
        return self._chosen(is_there, entries, operator.neutral)

    def _has_before(self, operator: Operator, distance: int) -> ir.Value:
        if operator.backwards:
            return self._is(arith.CmpIPredicate.slt, self.lane, WARP - distance)
        return self._is(arith.CmpIPredicate.sge, self.lane, distance)

    def _is(self, predicate: arith.CmpIPredicate, left: Index, right: int) -> ir.Value:
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate.value)
        operands = [self.builder.as_value(left), self.builder.as_value(right)]
        return self.builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=attribute)

    def _chosen(self, condition: ir.Value, then: Numbers, other: Numbers) -> Numbers:
        pairs = zip(then, other, strict=True)
        return [self.builder.value("arith.select", one.type, [condition, one, another]) for one, another in pairs]


def joined(operator: Operator, values: Sequence[Numbers]) -> Numbers:
    """Tuples of neighbouring elements or groups, combined in the order of steps."""
    first, *others = values[::-1] if operator.backwards else values
    for other in others:
        first = operator.join(first, other)
    return first


def _first(operator: Operator) -> int:
    return WARP - 1 if operator.backwards else 0


def _last(operator: Operator) -> int:
    return 0 if operator.backwards else WARP - 1


def combine_in_block(
    emitter: Emitter,
    share: Callable[[ir.Value], Numbers],
    neutral: Numbers,
    join: Join,
    deliver: Callable[[Numbers], None],
) -> None:
    """Combines the values of `share` for every thread of a block in pairs, in order; one of them delivers the result.

    In a loop over blocks, threads wait before memory of the next one takes the place of this one's.
    """
    builder = emitter.builder

    def work(thread: ir.Value) -> None:
        team = Team(builder, thread)
        total = team.total(Operator(neutral, join), [share(thread)])
        team.when(arith.CmpIPredicate.eq, thread, 0)
        deliver(total)
        end_region(emitter)

    on_threads(emitter, THREADS_PER_BLOCK, work)
