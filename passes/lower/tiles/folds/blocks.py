"""A fold as a launch of blocks: the tiles of a block's rows with all columns, one after the other, each reduced from
registers as soon as it is there.

Threads side by side have the same rows; they combine what they have of them at the end, by shuffles. Rows are brought
to shared memory once if all steps fit into a tile. Columns beyond the last are that one again, which is nothing new to
extremes, and is left out of sums.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, scf
from tapeless.passes.lower.llvm.loop_hints import SHORT
from tapeless.passes.lower.tiles.blocks import Tile, total_of
from tapeless.passes.lower.tiles.folds.fold import EXTREMES, Fold
from tapeless.passes.lower.tiles.folds.shuffles import from_lane_after
from tapeless.passes.lower.tiles.index_arithmetic import (
    add,
    is_below,
    mul,
    number,
    positions,
    product,
    remainder,
    rounded_up,
    smaller,
)
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import ALONG, BLOCKS_AT_ONCE, THREADS, Shape
from tapeless.passes.lower.tiles.thread_grid import in_lines
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, RESIDENT
from tapeless.passes.marks import THREADS as SHARED


def launch_folds(fold: Fold, shape: Shape, is_short: bool) -> None:
    """A launch that does what the nest does, at the insertion point; `is_short`: all steps fit into a tile."""
    contraction = fold.contraction
    rows = rounded_up(total_of(contraction, contraction.rows.loops), shape.extent)
    launch = scf.ForOp(number(0), product([rows, total_of(contraction, contraction.batch)]), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    launch.operation.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), BLOCKS_AT_ONCE)
    with ir.InsertionPoint(launch.body):
        batch, row = positions(launch.induction_variable, [number(1), rows])
        places = positions(batch, [contraction.count(each) for each in contraction.batch])
        variables = [contraction.variable(each) for each in contraction.batch]
        block = Scope(contraction.values, (), dict(zip(variables, places, strict=True)))
        threads = scf.ForOp(number(0), number(THREADS), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            thread = FoldingThread(fold, shape, block, mul(row, shape.extent), threads.induction_variable)
            thread.run(is_short)
            scf.YieldOp([])
        scf.YieldOp([])


class FoldingThread:
    """What one thread of a block does."""

    def __init__(self, fold: Fold, shape: Shape, block: Scope, first_row: ir.Value, thread: ir.Value) -> None:
        self.fold, self.shape, self.block, self.first_row, self.thread = fold, shape, block, first_row, thread
        self.contraction = fold.contraction
        self.count = self.contraction.count(len(self.contraction.loops) - 1)
        self.steps = self.contraction.reduction.operands[1]
        self.last_step = add(self.steps, -1)
        self.start = Tile(self.contraction, shape, block, [first_row, number(0)], thread, grid=in_lines)
        self.memory = [staging.memory for staging in self.start.staging]

    def run(self, is_short: bool) -> None:
        """All tiles of columns, then what the row does with what they come to."""
        rows, columns = (staging.load(number(0), self.last_step) for staging in self.start.staging)
        if is_short:
            self.start.staging[0].store(rows, number(0), number(0), None)
        held = columns if is_short else [*rows, *columns]
        tiles = rounded_up(self.count, self.shape.extent)
        loop = scf.ForOp(number(0), tiles, number(1), [*held, *self._starts()])
        with ir.InsertionPoint(loop.body):
            given = list(loop.inner_iter_args)
            tile = self._tile(loop.induction_variable)
            tile.prepare()
            contracted = self._at_once if is_short else self._in_turns
            following, reduced = contracted(tile, loop.induction_variable, given[: len(held)])
            scf.YieldOp([*following, *self._folded(tile, given[len(held) :], reduced)])
        self._finish(self._joined(list(loop.results)[len(held) :]))

    def _tile(self, number_: ir.Value) -> Tile:
        firsts = [self.first_row, mul(number_, self.shape.extent)]
        return Tile(self.contraction, self.shape, self.block, firsts, self.thread, self.memory, in_lines)

    def _starts(self) -> list[ir.Value]:
        """What each row of this thread starts from: for sums zero, to which the start is added in the end."""
        starts = list(self.fold.columns.operands)[3:]
        if self.fold.element is None:
            return [arith.constant(start.type, 0.0) for _ in self.start.scopes[0] for start in starts]
        return [row.value(start) for row in self.start.scopes[0] for start in starts]

    def _at_once(self, tile: Tile, number_: ir.Value, held: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        """What is loaded for the next tile of columns, and the values of this one; rows are there."""
        buffer = remainder(number_, 2)
        tile.staging[1].store(held, number(0), buffer, None)
        ir.Operation.create("gpu.barrier", [], [])
        following = self._tile(add(number_, 1)).staging[1].load(number(0), self.last_step)
        return following, tile.steps(tile.starts(), number(0), [number(0), buffer], self.steps, SHORT)

    def _in_turns(self, tile: Tile, number_: ir.Value, held: list[ir.Value]) -> tuple[list[ir.Value], list[ir.Value]]:
        """The same with a tile of steps of both sides at a time."""
        turns = rounded_up(self.steps, self.shape.steps)
        loop = scf.ForOp(number(0), turns, number(1), [*held, *tile.starts()])
        with ir.InsertionPoint(loop.body):
            given, turn = list(loop.inner_iter_args), loop.induction_variable
            raw, running = iter(given[: len(held)]), given[len(held) :]
            first = mul(turn, self.shape.steps)
            buffer = remainder(add(mul(number_, turns), turn), 2)
            for staging in tile.staging:
                own = [next(raw) for _ in range(len(staging.places) * len(staging.raw))]
                staging.store(own, first, buffer, None)
            ir.Operation.create("gpu.barrier", [], [])
            is_inside = is_below(add(turn, 1), turns)
            ahead = self._tile(arith.select(is_inside, number_, add(number_, 1)))
            step = arith.select(is_inside, mul(add(turn, 1), self.shape.steps), number(0))
            following = [value for staging in ahead.staging for value in staging.load(step, self.last_step)]
            left = smaller(arith.subi(self.steps, first), self.shape.steps)
            scf.YieldOp([*following, *tile.steps(running, first, [buffer, buffer], left, SHORT)])
        found = list(loop.results)
        return found[: len(held)], found[len(held) :]

    def _folded(self, tile: Tile, running: list[ir.Value], reduced: list[ir.Value]) -> list[ir.Value]:
        """What each row comes to with the columns of a tile."""
        each, carried = len(self.contraction.carried), len(self.fold.carried)
        found: list[ir.Value] = []
        for row in range(self.shape.each):
            scopes = []
            for column in range(self.shape.each):
                pair = row * self.shape.each + column
                results = reduced[pair * each : (pair + 1) * each]
                bound = dict(zip(self.contraction.reduction.results, results, strict=True))
                scopes.append(Scope(self.contraction.values, (tile.pairs[pair],), bound))
            own = running[row * carried : (row + 1) * carried]
            found += self._added(tile, own[0], scopes) if self.fold.element is None else self._best(tile, own, scopes)
        return found

    def _added(self, tile: Tile, sum_: ir.Value, scopes: list[Scope]) -> list[ir.Value]:
        for scope, column in zip(scopes, tile.positions[1], strict=True):
            scope.known[self.fold.carried[0]] = sum_
            sum_ = arith.select(is_below(column, self.count), scope.value(self.fold.results[0]), sum_)
        return [sum_]

    def _best(self, tile: Tile, own: list[ir.Value], scopes: list[Scope]) -> list[ir.Value]:
        """The extreme of all elements first; then, unless it was passed before, the first column that has it."""
        fold = self.fold
        elements = [scope.value(fold.element) for scope in scopes]
        best = elements[0]
        for element in elements[1:]:
            best = self._better(best, element)
        if not fold.has_place:
            return [self._better(own[0], best)]
        is_reached = arith.cmpf(EXTREMES[fold.combining.name], best, own[0])
        branch = scf.IfOp(is_reached, [own[1].type], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            place = smaller(add(tile.positions[1][0], self._first_with(best, elements)), add(self.count, -1))
            is_equal = arith.cmpf(arith.CmpFPredicate.UEQ, best, own[0])
            scf.YieldOp([arith.select(is_equal, smaller(own[1], place), place)])
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp([own[1]])
        return [self._better(own[0], best), branch.results[0]]

    def _first_with(self, best: ir.Value, elements: list[ir.Value]) -> ir.Value:
        """How far from the first column of this thread the first one is that has the extreme; few bits are enough."""
        i32 = ir.IntegerType.get_signless(32)
        *before, found = [arith.constant(i32, offset) for offset in self.start.offsets[1]]
        for element, offset in zip(elements[-2::-1], before[::-1], strict=True):
            found = arith.select(arith.cmpf(arith.CmpFPredicate.UEQ, element, best), offset, found)
        return arith.index_cast(ir.IndexType.get(), found)

    def _better(self, one: ir.Value, other: ir.Value) -> ir.Value:
        bound = {self.fold.carried[0]: one, self.fold.element: other}
        return Scope(self.contraction.values, (), bound).value(self.fold.results[0])

    def _joined(self, running: list[ir.Value]) -> list[ir.Value]:
        """What threads side by side have of their rows, in the first of them."""
        fold, carried = self.fold, len(self.fold.carried)
        distance = ALONG // 2
        while distance:
            others = [from_lane_after(value, distance) for value in running]
            joined: list[ir.Value] = []
            for row in range(self.shape.each):
                here = slice(row * carried, (row + 1) * carried)
                joined += self._pair(running[here], others[here])
            running, distance = joined, distance // 2
        if fold.element is None:
            starts = list(fold.columns.operands)[3:]
            scopes = self.start.scopes[0]
            running = [arith.addf(row.value(starts[0]), sum_) for row, sum_ in zip(scopes, running, strict=True)]
        return running

    def _pair(self, one: list[ir.Value], other: list[ir.Value]) -> list[ir.Value]:
        """What two threads have, combined as two columns would be."""
        fold = self.fold
        if fold.element is None:
            return [arith.addf(one[0], other[0])]
        bound = {**dict(zip(fold.carried, one, strict=True)), fold.element: other[0]}
        if fold.has_place:
            bound[self.contraction.variable(len(self.contraction.loops) - 1)] = other[1]
        scope = Scope(self.contraction.values, (), bound)
        return [scope.value(result) for result in fold.results]

    def _finish(self, running: list[ir.Value]) -> None:
        """What the nest does with the results of rows, by the first of the threads that have them."""
        fold, carried = self.fold, len(self.fold.carried)
        total = total_of(self.contraction, self.contraction.rows.loops)
        is_first = is_below(remainder(self.thread, ALONG), 1)
        for row, (scope, position) in enumerate(zip(self.start.scopes[0], self.start.positions[0], strict=True)):
            branch = scf.IfOp(arith.andi(is_first, is_below(position, total)))
            with ir.InsertionPoint(branch.then_block):
                results = running[row * carried : (row + 1) * carried]
                inside = Scope(self.contraction.values, (scope,), dict(zip(fold.columns.results, results, strict=True)))
                for op in fold.epilogue:
                    if op.name == "memref.store":
                        inside.clone(op)
                scf.YieldOp([])
