"""Sums over the columns of a product of matrices, which stay in shared memory while rows go by.

A block brings columns of a batch to shared memory, all of them, or one tile after the other. Then its warps go through
rows, a few at a time and each by itself: what a thread needs of its rows comes straight to its registers, the next
steps while products of these are made (`matrices.py`), and what the columns of a row come to is added up in registers,
and by shuffles of the four threads that have parts of it. Warps do not wait for each other.

Columns that are the rows of a lower triangle are multiplied with the steps up to their own (`stairs.py`).
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.machine import MEASURED_GPU
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.tiles.blocks import total_of
from tapeless.passes.lower.tiles.folds.fold import Fold
from tapeless.passes.lower.tiles.folds.shuffles import from_lane_after
from tapeless.passes.lower.tiles.folds.stairs import TriangleTest
from tapeless.passes.lower.tiles.index_arithmetic import (
    add,
    at_least,
    is_below,
    mul,
    number,
    positions,
    product,
    quotient,
    remainder,
    rounded_up,
    smaller,
)
from tapeless.passes.lower.tiles.matrices import COLUMNS, ROWS, WARP, is_product
from tapeless.passes.lower.tiles.register_rows import RegisterRows
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.staging import WORKGROUP, runs_along_steps, scope_at
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, RESIDENT
from tapeless.passes.marks import THREADS as SHARED
from tapeless.passes.recipes.resident.column_products import ColumnProducts
from tapeless.passes.recipes.resident.forms import STEPS_AT_ONCE, Form

EQUAL = arith.CmpIPredicate.eq
# So many values a thread brings to shared memory at a time.
BROUGHT_AT_ONCE = 4
# Turns of a block, unless there would be too few blocks.
MOST_TURNS, WANTED_BLOCKS = 16, 8 * MEASURED_GPU.multiprocessors


def can_stay(fold: Fold) -> bool:
    """Whether a fold adds up what products of doubles come to."""
    return fold.element is None and is_product(fold.contraction)


def launch_resident(fold: Fold, form: Form) -> None:
    """A launch that does what the nest does, at the insertion point."""
    contraction = fold.contraction
    tiles = rounded_up(total_of(contraction, contraction.rows.loops), form.rows)
    batches = total_of(contraction, contraction.batch)
    turns = at_least(smaller(quotient(arith.muli(tiles, batches), WANTED_BLOCKS), MOST_TURNS), 1)
    groups = arith.ceildivsi(tiles, turns)
    steps = mul(rounded_up(contraction.reduction.operands[1], STEPS_AT_ONCE), STEPS_AT_ONCE)
    launch = scf.ForOp(number(0), product([groups, batches]), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    launch.operation.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), form.blocks_at_once)
    with ir.InsertionPoint(launch.body):
        memory = memref.alloca(_shared([DYNAMIC, form.pitch]), [steps], [])
        partial = None if form.has_few else memref.alloca(_shared([MOST_TURNS * form.rows]), [], [])
        test = TriangleTest()
        batch, group = positions(launch.induction_variable, [number(1), groups])
        places = positions(batch, [contraction.count(each) for each in contraction.batch])
        variables = [contraction.variable(each) for each in contraction.batch]
        block = Scope(contraction.values, (), dict(zip(variables, places, strict=True)))
        threads = scf.ForOp(number(0), number(form.warps * WARP), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            thread = ResidentThread(fold, form, block, (memory, partial, test), threads.induction_variable)
            first = mul(group, turns)
            thread.run(steps, first, smaller(add(first, turns), tiles))
            scf.YieldOp([])
        scf.YieldOp([])


class ResidentThread:
    """What one thread of a block does."""

    def __init__(
        self,
        fold: Fold,
        form: Form,
        block: Scope,
        memory: tuple[ir.Value, ir.Value | None, TriangleTest],
        thread: ir.Value,
    ) -> None:
        self.fold, self.form, self.block, self.thread = fold, form, block, thread
        self.memory, self.partial, self.test = memory
        self.contraction = fold.contraction
        self.steps = self.contraction.reduction.operands[1]
        self.count = self.contraction.count(len(self.contraction.loops) - 1)
        lane = remainder(thread, WARP)
        self.group, self.within = quotient(lane, 4), remainder(lane, 4)
        self.products = ColumnProducts(form, self.memory, self.steps, self.group, self.within)

    def run(self, steps: ir.Value, low: ir.Value, high: ir.Value) -> None:
        """All columns with the tiles of rows [low, high)."""
        count = number(1) if self.form.has_few else rounded_up(self.count, self.form.columns)
        loop = scf.ForOp(number(0), count, number(1))
        with ir.InsertionPoint(loop.body):
            first = mul(loop.induction_variable, self.form.columns)
            self.test.begin(self.thread)
            self.bring_columns(steps, first)
            has_all_steps = is_below(add(first, self.form.columns - 1), steps)
            is_triangle = arith.andi(has_all_steps, self.test.found())
            turn = scf.ForOp(low, high, number(1))
            with ir.InsertionPoint(turn.body):
                is_last = arith.cmpi(EQUAL, add(loop.induction_variable, 1), count)
                self.take_rows(turn.induction_variable, low, first, is_last, is_triangle)
                scf.YieldOp([])
            ir.Operation.create("gpu.barrier", [], [])
            scf.YieldOp([])

    def bring_columns(self, steps: ir.Value, first_column: ir.Value) -> None:
        """A tile of columns to shared memory, zeros after the last column and step; all threads wait.

        The threads of a warp bring neighbours: steps of a column, or columns of a step.
        """
        warp, lane, form = quotient(self.thread, WARP), remainder(self.thread, WARP), self.form
        is_along_steps = runs_along_steps(self.contraction, self.contraction.columns)
        at_once = WARP if is_along_steps else form.warps * BROUGHT_AT_ONCE
        loop = scf.ForOp(number(0), rounded_up(steps, at_once), number(1))
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(SHORT)
        with ir.InsertionPoint(loop.body):
            first = mul(loop.induction_variable, at_once)
            if is_along_steps:
                places = [(add(first, lane), add(warp, column)) for column in range(0, form.columns, form.warps)]
            else:
                turns = [add(add(first, warp), turn * form.warps) for turn in range(BROUGHT_AT_ONCE)]
                places = [(step, add(lane, column)) for step in turns for column in range(0, form.columns, WARP)]
            brought = [self._element(step, add(first_column, column)) for step, column in places]
            columns = [add(first_column, column) for _, column in places]
            self.test.look_at(zip(brought, columns, [step for step, _ in places], strict=True))
            for value, (step, column) in zip(brought, places, strict=True):
                branch = scf.IfOp(is_below(step, steps))
                with ir.InsertionPoint(branch.then_block):
                    memref.store(value, self.memory, [step, column])
                    scf.YieldOp([])
            scf.YieldOp([])
        ir.Operation.create("gpu.barrier", [], [])

    def _element(self, step: ir.Value, column: ir.Value) -> ir.Value:
        """What the factor of columns is at a step, or zero beyond the last one."""
        contraction = self.contraction
        at = scope_at(contraction, contraction.columns, column, self.block)
        inside = {contraction.step: smaller(step, add(self.steps, -1))}
        value = Scope(contraction.values, [at], inside).value(contraction.columns.staged[0])
        is_there = arith.andi(is_below(column, self.count), is_below(step, self.steps))
        return arith.select(is_there, value, _zero())

    def take_rows(
        self,
        tile: ir.Value,
        first_tile: ir.Value,
        first_column: ir.Value,
        is_last: ir.Value,
        is_triangle: ir.Value,
    ) -> None:
        """The rows that this warp has of a tile, from their products with columns to what is kept for them."""
        contraction, form = self.contraction, self.form
        warp = quotient(self.thread, WARP)
        first = add(mul(add(mul(tile, form.warps), warp), form.across * ROWS), self.group)
        places = [add(first, half) for half in range(0, form.across * ROWS, COLUMNS)]
        rows = RegisterRows(contraction, places, self.within, form.steps, self.block)
        start_column = add(first_column, mul(self.within, 2))
        columns = [add(start_column, each) for each in self._columns()]
        scopes = [scope_at(contraction, contraction.columns, column, self.block) for column in columns]
        pairs = [Scope(contraction.values, (row, column)) for row in rows.scopes for column in scopes]
        (start,) = list(contraction.reduction.operands)[3:]
        sums = self.products.summed(rows, [pair.value(start) for pair in pairs], first_column, is_triangle)
        before = mul(first_tile, form.rows)
        for row, (scope, place) in enumerate(zip(rows.scopes, places, strict=True)):
            here = slice(row * len(columns), (row + 1) * len(columns))
            total = self._added(pairs[here], columns, sums[here])
            self._finish(scope, place, arith.subi(place, before), total, first_column, is_last)

    def _columns(self) -> list[int]:
        """Which columns a thread has, from its first one on."""
        return [first + aside for first in range(0, self.form.columns, COLUMNS) for aside in (0, 1)]

    def _added(self, pairs: list[Scope], columns: list[ir.Value], sums: list[ir.Value]) -> ir.Value:
        """What the columns of a row come to, in the first of the four threads that have parts of them."""
        total = _zero()
        for pair, column, sum_ in zip(pairs, columns, sums, strict=True):
            bound = {self.contraction.reduction.results[0]: sum_, self.fold.carried[0]: total}
            more = Scope(self.contraction.values, (pair,), bound).value(self.fold.results[0])
            total = arith.select(is_below(column, self.count), more, total)
        for distance in (2, 1):
            total = arith.addf(total, from_lane_after(total, distance))
        return total

    def _finish(
        self,
        row: Scope,
        place: ir.Value,
        own: ir.Value,
        total: ir.Value,
        first_column: ir.Value,
        is_last: ir.Value,
    ) -> None:
        """Does what the nest does with a row after the last columns, and before keeps what it comes to."""
        fold, contraction = self.fold, self.contraction
        is_there = is_below(place, total_of(contraction, contraction.rows.loops))
        branch = scf.IfOp(arith.andi(is_below(self.within, 1), is_there))
        with ir.InsertionPoint(branch.then_block):
            start = Scope(contraction.values, (row,)).value(list(fold.columns.operands)[3])
            if self.partial is None:
                self._store(row, arith.addf(start, total))
            else:
                so_far = scf.IfOp(is_below(first_column, 1), [start.type], has_else=True)
                with ir.InsertionPoint(so_far.then_block):
                    scf.YieldOp([start])
                with ir.InsertionPoint(so_far.else_block):
                    scf.YieldOp([memref.load(self.partial, [own])])
                sum_ = arith.addf(so_far.results[0], total)
                end = scf.IfOp(is_last, has_else=True)
                with ir.InsertionPoint(end.then_block):
                    self._store(row, sum_)
                    scf.YieldOp([])
                with ir.InsertionPoint(end.else_block):
                    memref.store(sum_, self.partial, [own])
                    scf.YieldOp([])
            scf.YieldOp([])

    def _store(self, row: Scope, sum_: ir.Value) -> None:
        """What the nest does with what the columns of a row come to."""
        inside = Scope(self.contraction.values, (row,), {self.fold.columns.results[0]: sum_})
        for op in self.fold.epilogue:
            if op.name == "memref.store":
                inside.clone(op)


def _shared(shape: list[int]) -> ir.MemRefType:
    return ir.MemRefType.get(shape, ir.F64Type.get(), None, ir.Attribute.parse(WORKGROUP))


def _zero() -> ir.Value:
    return arith.constant(ir.F64Type.get(), 0.0)
