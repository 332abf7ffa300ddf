"""The scores of all columns for the rows of a block, of which the best one, its place, and the next to best stay.

A warp has 32 rows, as factors in registers; columns come through shared memory, a tile at a time, while the next one is
on its way. Of every 16 x 8 scores, a thread (lane 4 g + t) has those at rows g and g + 8 and columns 2 t and 2 t + 1.
It takes the smallest of four, of two times 8 columns, and compares that: comparing takes longer than multiplying. So
what stays are groups of four columns: the best one, and the score of the next.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.tiles.folds.shuffles import WARP, from_lane_after
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, mul, number, quotient, remainder, smaller
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import BUFFERS, THREADS
from tapeless.passes.lower.tiles.staging import scope_at, with_invariants
from tapeless.passes.recipes.nearest.found import PRODUCTS, Nearest
from tapeless.passes.recipes.nearest.halves import OWN_PLACES, halves, multiply
from tapeless.passes.recipes.nearest.memory import BlockTables, wait
from tapeless.passes.recipes.nearest.table import COLUMNS, PLACES, ColumnTable

# Rows and columns of a product of small matrices, and how many such rows a warp has side by side.
SMALL_ROWS, SMALL_COLUMNS, ACROSS = 16, 8, 2
WARP_ROWS = SMALL_ROWS * ACROSS
ROWS = THREADS // WARP * WARP_ROWS
# What a thread brings at once, and how many times.
GROUP = 4
GROUPS = COLUMNS * PLACES // THREADS // GROUP
# The columns of a group, counted from its first one, and how far groups of a thread are apart.
GROUP_COLUMNS = (0, 1, SMALL_COLUMNS, SMALL_COLUMNS + 1)
APART = 2 * SMALL_COLUMNS


@dataclass(frozen=True)
class Best:
    """The best score of some groups of columns, the next to best, and the first column of the best group."""

    best: ir.Value
    second: ir.Value
    place: ir.Value

    def with_score(self, score: ir.Value, column: ir.Value) -> Best:
        """The same with one more group; what is not a number stays."""
        is_better = arith.cmpf(arith.CmpFPredicate.OLT, score, self.best)
        return Best(
            arith.minimumf(self.best, score),
            arith.minimumf(self.second, arith.maximumf(self.best, score)),
            arith.select(is_better, column, self.place),
        )

    def joined(self, other: Best) -> Best:
        """The same with all groups of another one."""
        both = self.with_score(other.best, other.place)
        return Best(both.best, arith.minimumf(both.second, other.second), both.place)

    @property
    def values(self) -> list[ir.Value]:
        return [self.best, self.second, self.place]


def _bests(values: list[ir.Value]) -> list[Best]:
    return [Best(*values[first : first + 3]) for first in range(0, len(values), 3)]


def _values(bests: list[Best]) -> list[ir.Value]:
    return [value for each in bests for value in each.values]


class Scores:
    """What one thread of a block does."""

    def __init__(
        self, nearest: Nearest, table: ColumnTable, memory: BlockTables, first: ir.Value, thread: ir.Value
    ) -> None:
        self.nearest, self.table, self.memory = nearest, table, memory
        self.thread, self.contraction = thread, nearest.fold.contraction
        lane = remainder(thread, WARP)
        self.group, self.within = quotient(lane, 4), remainder(lane, 4)
        start = add(mul(quotient(thread, WARP), WARP_ROWS), self.group)
        self.locals = [add(start, each * SMALL_COLUMNS) for each in range(2 * ACROSS)]
        self.rows = [add(first, each) for each in self.locals]

    def run(self) -> None:
        """Scores tile by tile; in the end the first of four threads leaves what its rows come to."""
        far, nowhere = arith.constant(ir.F32Type.get(), float("inf")), _word(0)
        left = self._factors()
        starts = _values([Best(far, far, nowhere)] * len(self.rows))
        held = self._brought(number(0))
        loop = scf.ForOp(number(0), self.table.tiles, number(1), [*held, *starts])
        with ir.InsertionPoint(loop.body):
            given, tile = list(loop.inner_iter_args), loop.induction_variable
            buffer = remainder(tile, BUFFERS)
            self._store(given[: len(held)], buffer)
            wait()
            following = self._brought(smaller(add(tile, 1), add(self.table.tiles, -1)))
            found = self._of_tile(left, given[len(held) :], tile, buffer)
            scf.YieldOp([*following, *found])
        bests = _bests(list(loop.results)[len(held) :])
        for distance in (2, 1):
            others = _bests([from_lane_after(value, distance) for value in _values(bests)])
            bests = [one.joined(other) for one, other in zip(bests, others, strict=True)]
        branch = scf.IfOp(is_below(self.within, 1))
        with ir.InsertionPoint(branch.then_block):
            for local, each in zip(self.locals, bests, strict=True):
                tables = self.memory.best, self.memory.second, self.memory.place
                for table, value in zip(tables, each.values, strict=True):
                    memref.store(value, table, [local])
            scf.YieldOp([])

    def _factors(self) -> list[list[ir.Value]]:
        """What this thread gives of its rows to each product, for each row."""
        contraction = self.contraction
        steps, zero = contraction.reduction.operands[1], arith.constant(ir.F32Type.get(), 0.0)
        block = Scope(contraction.values)
        scopes = [
            with_invariants(contraction, contraction.rows, scope_at(contraction, contraction.rows, row, block))
            for row in self.rows
        ]
        found: list[list[ir.Value]] = [[] for _ in scopes]
        for own in range(OWN_PLACES):
            place = add(mul(self.within, OWN_PLACES), own)
            is_before = [is_below(place, mul(steps, part)) for part in (1, 2, 3)]
            part = arith.select(is_before[0], number(0), arith.select(is_before[1], steps, mul(steps, 2)))
            step = smaller(arith.subi(place, part), add(steps, -1))
            for values, scope in zip(found, scopes, strict=True):
                value = Scope(contraction.values, [scope], {contraction.step: step}).value(self.nearest.row)
                high, low = halves(value)
                values.append(arith.select(is_before[1], high, arith.select(is_before[2], low, zero)))
        return found

    def _brought(self, tile: ir.Value) -> list[ir.Value]:
        """What this thread brings of a tile of columns."""
        first = mul(tile, COLUMNS)
        found = [
            memref.load(self.table.factors, [add(first, column), add(place, offset)])
            for column, place in self._places()
            for offset in range(GROUP)
        ]
        return [*found, memref.load(self.table.norms, [add(first, remainder(self.thread, COLUMNS))])]

    def _store(self, brought: list[ir.Value], buffer: ir.Value) -> None:
        *factors, norm = brought
        given = iter(factors)
        for column, place in self._places():
            for offset in range(GROUP):
                memref.store(next(given), self.memory.factors, [buffer, column, add(place, offset)])
        memref.store(norm, self.memory.norms, [buffer, remainder(self.thread, COLUMNS)])

    def _places(self) -> list[tuple[ir.Value, ir.Value]]:
        """The columns, and the first places in them, of which this thread brings a group."""
        along = PLACES // GROUP
        column, place = quotient(self.thread, along), mul(remainder(self.thread, along), GROUP)
        return [(add(column, each * (THREADS // along)), place) for each in range(GROUPS)]

    def _of_tile(
        self, left: list[list[ir.Value]], running: list[ir.Value], tile: ir.Value, buffer: ir.Value
    ) -> list[ir.Value]:
        """What rows come to with the columns of a tile."""
        loop = scf.ForOp(number(0), number(COLUMNS), number(APART), running)
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(loop.body):
            bests, start = _bests(list(loop.inner_iter_args)), loop.induction_variable
            smallest = [None] * (2 * ACROSS)
            for first in range(0, APART, SMALL_COLUMNS):
                scores = self._scores(left, add(start, first), buffer)
                smallest = [_smaller(*each) for each in zip(smallest, scores, strict=True)]
            column = add(add(mul(tile, COLUMNS), start), mul(self.within, 2))
            word = arith.index_cast(ir.IntegerType.get_signless(32), column)
            found = [best.with_score(score, word) for best, score in zip(bests, smallest, strict=True)]
            scf.YieldOp(_values(found))
        return list(loop.results)

    def _scores(self, left: list[list[ir.Value]], first: ir.Value, buffer: ir.Value) -> list[ir.Value]:
        """The smallest score of each row in the columns that a thread has of 8."""
        column, place = add(first, self.group), mul(self.within, OWN_PLACES)
        right = [memref.load(self.memory.factors, [buffer, column, add(place, own)]) for own in range(OWN_PLACES)]
        beside = add(first, mul(self.within, 2))
        norms = [memref.load(self.memory.norms, [buffer, add(beside, aside)]) for aside in (0, 1)]
        scores = [[*norms, *norms] for _ in range(ACROSS)]
        for product in range(PRODUCTS):
            here = [2 * product, 2 * product + 1]
            other = [right[each] for each in here]
            for across in range(ACROSS):
                one = [row[each] for each in here for row in left[2 * across : 2 * across + 2]]
                scores[across] = multiply(one, other, scores[across])
        return [arith.minimumf(*each[down : down + 2]) for each in scores for down in (0, 2)]


def _smaller(one: ir.Value | None, other: ir.Value) -> ir.Value:
    return other if one is None else arith.minimumf(one, other)


def _word(value: int) -> ir.Value:
    return arith.constant(ir.IntegerType.get_signless(32), value)
