"""Which rows are sure to have found the nearest column, and the others, done as they are written."""

from __future__ import annotations

from tapeless._mlir import arith, ir, math, memref, scf
from tapeless.passes.lower.tiles.blocks import total_of
from tapeless.passes.lower.tiles.folds.shuffles import WARP, from_lane_after, from_lane_before
from tapeless.passes.lower.tiles.index_arithmetic import add, is_below, number, quotient, remainder, smaller
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import THREADS
from tapeless.passes.lower.tiles.staging import scope_at
from tapeless.passes.recipes.nearest.found import LEAST_ERROR, SCORE_ERROR, SUM_ERROR, Nearest
from tapeless.passes.recipes.nearest.memory import WARPS, BlockTables, wait
from tapeless.passes.recipes.nearest.scores import GROUP_COLUMNS
from tapeless.passes.recipes.nearest.table import ColumnTable

ABOVE = arith.CmpFPredicate.OGT


class Proof:
    """What one thread of a block does."""

    def __init__(
        self, nearest: Nearest, table: ColumnTable, memory: BlockTables, first: ir.Value, thread: ir.Value
    ) -> None:
        self.nearest, self.fold, self.table, self.memory = nearest, nearest.fold, table, memory
        self.first, self.thread = first, thread
        self.contraction = nearest.fold.contraction
        self.values = self.contraction.values
        self.count = self.contraction.count(len(self.contraction.loops) - 1)
        self.lane, self.warp = remainder(thread, WARP), quotient(thread, WARP)

    def run(self) -> None:
        self._leave_largest_norm()
        wait()
        is_unsure = self._finish_if_sure()
        total = self._list(is_unsure)
        wait()
        loop = scf.ForOp(number(0), total, number(1))
        with ir.InsertionPoint(loop.body):
            local = memref.load(self.memory.unsure, [loop.induction_variable])
            self._as_written(arith.index_cast(ir.IndexType.get(), local))
            scf.YieldOp([])

    def _leave_largest_norm(self) -> None:
        """The largest half norm of the columns that the threads of a warp look at, every so many."""
        loop = scf.ForOp(self.thread, self.count, number(THREADS), [_number(0.0)])
        with ir.InsertionPoint(loop.body):
            norm = memref.load(self.table.norms, [loop.induction_variable])
            scf.YieldOp([arith.maximumf(loop.inner_iter_args[0], norm)])
        largest = loop.results[0]
        for distance in _halved(WARP):
            largest = arith.maximumf(largest, from_lane_after(largest, distance))
        self._by_first_lane([(largest, self.memory.largest_norms)])

    def _finish_if_sure(self) -> ir.Value:
        """Does what the nest does with the row of this thread, if its best group is sure; 1 if it is not."""
        row = add(self.first, self.thread)
        total = total_of(self.contraction, self.contraction.rows.loops)
        word = ir.IntegerType.get_signless(32)
        inside = scf.IfOp(is_below(row, total), [word], has_else=True)
        with ir.InsertionPoint(inside.else_block):
            scf.YieldOp([arith.constant(word, 0)])
        with ir.InsertionPoint(inside.then_block):
            scope = self._row(row)
            first = arith.index_cast(ir.IndexType.get(), memref.load(self.memory.place, [self.thread]))
            columns = [smaller(add(first, offset), add(self.count, -1)) for offset in GROUP_COLUMNS]
            *distances, square = self._distances(scope, columns, has_square=True)
            found = [scope.value(start) for start in list(self.fold.columns.operands)[3:]]
            for distance, column in zip(distances, columns, strict=True):
                found = self._joined(found, [distance, column])
            is_finite = arith.cmpf(arith.CmpFPredicate.OLT, found[0], _number(float("inf")))
            is_sure = arith.andi(self._is_far_from_second(square), is_finite)
            branch = scf.IfOp(is_sure)
            with ir.InsertionPoint(branch.then_block):
                self._finish(scope, found)
                scf.YieldOp([])
            scf.YieldOp([arith.select(is_sure, arith.constant(word, 0), arith.constant(word, 1))])
        return inside.results[0]

    def _is_far_from_second(self, square: ir.Value) -> ir.Value:
        """Whether no other group can have a sum as small as the best one; False if anything is not a number."""
        best, second = (memref.load(table, [self.thread]) for table in (self.memory.best, self.memory.second))
        largest = memref.load(self.memory.largest_norms, [number(0)])
        for warp in range(1, WARPS):
            largest = arith.maximumf(largest, memref.load(self.memory.largest_norms, [number(warp)]))
        longest = math.sqrt(arith.mulf(arith.addf(largest, largest), square))
        error = arith.addf(_times(arith.addf(longest, largest), SCORE_ERROR), _number(LEAST_ERROR))
        distance = arith.addf(_times(arith.addf(math.absf(best), error), 2.0), square)
        steps = arith.index_cast(ir.IntegerType.get_signless(32), add(self.contraction.reduction.operands[1], 4))
        lost = arith.mulf(_times(distance, SUM_ERROR), arith.sitofp(ir.F32Type.get(), steps))
        return arith.cmpf(ABOVE, arith.subf(second, best), arith.addf(_times(error, 2.25), lost))

    def _list(self, is_unsure: ir.Value) -> ir.Value:
        """Leaves the numbers of unsure rows in order; gives how many there are."""
        before = is_unsure
        for distance in reversed(_halved(WARP)):
            other = from_lane_before(before, distance)
            has_other = arith.cmpi(arith.CmpIPredicate.sge, self.lane, number(distance))
            none = arith.constant(other.type, 0)
            before = arith.addi(before, arith.select(has_other, other, none))
        last = scf.IfOp(arith.cmpi(arith.CmpIPredicate.eq, self.lane, number(WARP - 1)))
        with ir.InsertionPoint(last.then_block):
            memref.store(before, self.memory.unsure_of_warps, [self.warp])
            scf.YieldOp([])
        wait()
        none = arith.constant(before.type, 0)
        start, total = none, none
        for warp in range(WARPS):
            own = memref.load(self.memory.unsure_of_warps, [number(warp)])
            start = arith.addi(start, arith.select(is_below(warp, self.warp), own, none))
            total = arith.addi(total, own)
        index = ir.IndexType.get()
        branch = scf.IfOp(arith.cmpi(arith.CmpIPredicate.ne, is_unsure, none))
        with ir.InsertionPoint(branch.then_block):
            place = arith.subi(arith.addi(start, before), arith.constant(before.type, 1))
            own = arith.index_cast(before.type, self.thread)
            memref.store(own, self.memory.unsure, [arith.index_cast(index, place)])
            scf.YieldOp([])
        return arith.index_cast(index, total)

    def _as_written(self, local: ir.Value) -> None:
        """All columns of a row by all threads, every so many each; the first of them finishes it."""
        fold = self.fold
        scope = self._row(add(self.first, local))
        starts = [scope.value(start) for start in list(fold.columns.operands)[3:]]
        loop = scf.ForOp(self.thread, self.count, number(THREADS), starts)
        with ir.InsertionPoint(loop.body):
            column = loop.induction_variable
            (distance,) = self._distances(scope, [column])
            scf.YieldOp(self._joined(list(loop.inner_iter_args), [distance, column]))
        found = list(loop.results)
        for distance in _halved(WARP):
            found = self._joined(found, [from_lane_after(value, distance) for value in found])
        tables = [self.memory.best_of_warps, self.memory.place_of_warps][: len(found)]
        self._by_first_lane(list(zip(found, tables, strict=True)))
        wait()
        branch = scf.IfOp(is_below(self.thread, 1))
        with ir.InsertionPoint(branch.then_block):
            for warp in range(1, WARPS):
                found = self._joined(found, [memref.load(table, [number(warp)]) for table in tables])
            self._finish(scope, found)
            scf.YieldOp([])
        wait()

    def _joined(self, one: list[ir.Value], other: list[ir.Value]) -> list[ir.Value]:
        """What two columns, or two groups of columns, come to together."""
        fold = self.fold
        bound = {**dict(zip(fold.carried, one, strict=True)), fold.element: other[0]}
        if fold.has_place:
            bound[self.contraction.variable(len(self.contraction.loops) - 1)] = other[1]
        scope = Scope(self.values, (), bound)
        return [scope.value(result) for result in fold.results]

    def _row(self, row: ir.Value) -> Scope:
        return scope_at(self.contraction, self.contraction.rows, row, Scope(self.values))

    def _distances(self, row: Scope, columns: list[ir.Value], has_square: bool = False) -> list[ir.Value]:
        """The sums of squares of a row and some columns, as the nest makes them, and that of the row alone."""
        contraction = self.contraction
        around = Scope(self.values)
        others = [scope_at(contraction, contraction.columns, column, around) for column in columns]
        starts = [contraction.reduction.operands[3]] * len(columns) + [_number(0.0)] * has_square
        loop = scf.ForOp(number(0), contraction.reduction.operands[1], number(1), starts)
        with ir.InsertionPoint(loop.body):
            step, *sums = loop.body.arguments
            of_step = Scope(self.values, (row,), {contraction.step: step})
            value = of_step.value(self.nearest.row)
            found = [
                Scope(self.values, (of_step, other), {contraction.carried[0]: sum_}).value(contraction.results[0])
                for other, sum_ in zip(others, sums, strict=False)
            ]
            squares = [arith.addf(sums[-1], arith.mulf(value, value))] * has_square
            scf.YieldOp([*found, *squares])
        return list(loop.results)

    def _by_first_lane(self, pairs: list[tuple[ir.Value, ir.Value]]) -> None:
        """Stores values in tables of warps."""
        branch = scf.IfOp(is_below(self.lane, 1))
        with ir.InsertionPoint(branch.then_block):
            for value, table in pairs:
                memref.store(value, table, [self.warp])
            scf.YieldOp([])

    def _finish(self, row: Scope, results: list[ir.Value]) -> None:
        """What the nest does with the results of a row."""
        fold = self.fold
        inside = Scope(self.values, (row,), dict(zip(fold.columns.results, results, strict=True)))
        for op in fold.epilogue:
            if op.name == "memref.store":
                inside.clone(op)


def _halved(lanes: int) -> list[int]:
    """Half of them, a quarter, and so on to 1."""
    found = [lanes // 2]
    while found[-1] > 1:
        found.append(found[-1] // 2)
    return found


def _number(value: float) -> ir.Value:
    return arith.constant(ir.F32Type.get(), value)


def _times(value: ir.Value, factor: float) -> ir.Value:
    return arith.mulf(value, _number(factor))
