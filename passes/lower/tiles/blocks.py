"""A contraction as a launch of blocks: tiles of both sides in shared memory, a tile of what is carried in registers.

Every step of the reduction is done in order, for each row and column alone, so that results are those of the nest.
While threads work on a tile, what they load for the next one is on its way.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.llvm.loop_hints import ATTRIBUTE, SHORT
from tapeless.passes.lower.tiles.contraction import Contraction
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
)
from tapeless.passes.lower.tiles.matrices import Lanes
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import ACCESS_BYTES, ALONG, THREADS, Shape, element_bytes
from tapeless.passes.lower.tiles.staging import Staging, scope_at
from tapeless.passes.marks import EACH_BLOCK, LAUNCH
from tapeless.passes.marks import THREADS as SHARED

UNROLLED = "#llvm.loop_annotation<unroll = <full = true>>"


def launch_tiles(contraction: Contraction, shape: Shape) -> None:
    """A launch that does what the nest does, at the insertion point."""
    sides = contraction.rows, contraction.columns
    row_tiles, column_tiles = (rounded_up(_total(contraction, side.loops), shape.extent) for side in sides)
    batches = product([at_least(contraction.count(each), 0) for each in contraction.batch])
    launch = scf.ForOp(number(0), mul(batches, mul(row_tiles, column_tiles)), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    with ir.InsertionPoint(launch.body):
        rest = quotient(launch.induction_variable, column_tiles)
        firsts = [mul(remainder(rest, row_tiles), shape.extent)]
        firsts.append(mul(remainder(launch.induction_variable, column_tiles), shape.extent))
        counts = [contraction.count(each) for each in contraction.batch]
        places = positions(quotient(rest, row_tiles), counts)
        variables = [contraction.variable(each) for each in contraction.batch]
        block = Scope(contraction.values, (), dict(zip(variables, places, strict=True)))
        threads = scf.ForOp(number(0), number(THREADS), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            Tile(contraction, shape, block, firsts, threads.induction_variable).run()
            scf.YieldOp([])
        scf.YieldOp([])


def _total(contraction: Contraction, loops: tuple[int, ...]) -> ir.Value:
    return product([at_least(contraction.count(each), 0) for each in loops])


class Tile:
    """What one thread of a block does."""

    def __init__(
        self, contraction: Contraction, shape: Shape, block: Scope, firsts: list[ir.Value], thread: ir.Value
    ) -> None:
        self.contraction, self.shape = contraction, shape
        sides = contraction.rows, contraction.columns
        self.staging = [
            Staging(contraction, side, shape, thread, first, block) for side, first in zip(sides, firsts, strict=True)
        ]
        self.lanes = Lanes(thread, shape.each) if shape.by_matrices else None
        self.locals = [self.lanes.rows(), self.lanes.columns()] if self.lanes else self._locals(thread)
        self.positions = [
            [add(first, local) for local in locals_] for first, locals_ in zip(firsts, self.locals, strict=True)
        ]
        self.scopes = [
            [scope_at(contraction, side, position, block) for position in own]
            for side, own in zip(sides, self.positions, strict=True)
        ]
        self.pairs = [Scope(contraction.values, (row, column)) for row in self.scopes[0] for column in self.scopes[1]]

    def _locals(self, thread: ir.Value) -> list[list[ir.Value]]:
        """The rows and columns of the tile that this thread has: groups that are loaded at once, far apart."""
        found: list[list[ir.Value]] = []
        parts = quotient(thread, ALONG), remainder(thread, ALONG)
        for staging, part in zip(self.staging, parts, strict=True):
            group = ACCESS_BYTES // element_bytes(staging.side.staged[0].type)
            starts = [each // group * group * ALONG + each % group for each in range(self.shape.each)]
            found.append([add(mul(part, group), start) for start in starts])
        return found

    def run(self) -> None:
        contraction, steps = self.contraction, self.shape.steps
        self._prepare()
        length = contraction.reduction.operands[1]
        whole, last = quotient(length, steps), add(length, -1)
        starts = [pair.value(start) for pair in self.pairs for start in list(contraction.reduction.operands)[3:]]
        loop = scf.ForOp(number(0), whole, number(1), [*self._load(number(0), last), *starts])
        held = len(loop.inner_iter_args) - len(starts)
        with ir.InsertionPoint(loop.body):
            raw, running = list(loop.inner_iter_args)[:held], list(loop.inner_iter_args)[held:]
            first, buffer = mul(loop.induction_variable, steps), self._buffer(loop.induction_variable)
            self._store(raw, first, buffer)
            following = self._load(add(first, steps), last)
            scf.YieldOp([*following, *self._steps(running, first, buffer, steps, UNROLLED)])
        raw, running = list(loop.results)[:held], list(loop.results)[held:]
        first = mul(whole, steps)
        left = arith.subi(length, first)
        branch = scf.IfOp(is_below(0, left), [value.type for value in running], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            buffer = self._buffer(whole)
            self._store(raw, first, buffer, length if self.lanes else None)
            scf.YieldOp(self._steps(running, first, buffer, left, SHORT))
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp(running)
        self._finish(list(branch.results))

    def _prepare(self) -> None:
        """What steps use and do not change, for rows and columns, then for pairs of them."""
        contraction = self.contraction
        for value in contraction.invariants():
            sources = contraction.values.of_value(value)
            is_of = [bool(sources & set(side.loops)) for side in (contraction.rows, contraction.columns)]
            scopes = self.pairs if all(is_of) else self.scopes[is_of.index(True) if any(is_of) else 0]
            for scope in scopes:
                scope.value(value)

    def _buffer(self, turn: ir.Value) -> ir.Value:
        return remainder(turn, 2)

    def _load(self, first: ir.Value, last: ir.Value) -> list[ir.Value]:
        return [value for staging in self.staging for value in staging.load(first, last)]

    def _store(self, raw: list[ir.Value], first: ir.Value, buffer: ir.Value, end: ir.Value | None = None) -> None:
        """Fills a buffer, with zeros from step `end` on; the other one may still be read, but not this one, which was
        read before the last barrier.
        """
        held = len(self.staging[0].places) * len(self.staging[0].raw)
        self.staging[0].store(raw[:held], first, buffer, end)
        self.staging[1].store(raw[held:], first, buffer, end)
        ir.Operation.create("gpu.barrier", [], [])

    def _steps(
        self, running: list[ir.Value], first: ir.Value, buffer: ir.Value, count: ir.Value | int, hint: str
    ) -> list[ir.Value]:
        """So many steps of the reduction from a buffer, for all pairs of this thread."""
        contraction = self.contraction
        if self.lanes:
            memory = [staging.memory[0] for staging in self.staging]
            return self.lanes.sums(running, memory, buffer, self.shape.steps)
        loop = scf.ForOp(number(0), number(count), number(1), running)
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(hint)
        with ir.InsertionPoint(loop.body):
            scopes = [
                [self._staged(staging, buffer, loop.induction_variable, local) for local in locals_]
                for staging, locals_ in zip(self.staging, self.locals, strict=True)
            ]
            step = add(first, loop.induction_variable)
            given, handed = iter(loop.inner_iter_args), []
            for number_, pair in enumerate(self.pairs):
                row, column = divmod(number_, self.shape.each)
                bound = {contraction.step: step} | {value: next(given) for value in contraction.carried}
                scope = Scope(contraction.values, (scopes[0][row], scopes[1][column], pair), bound)
                handed += [scope.value(value) for value in contraction.results]
            scf.YieldOp(handed)
        return list(loop.results)

    def _staged(self, staging: Staging, buffer: ir.Value, step: ir.Value, local: ir.Value) -> Scope:
        loaded = {
            value: memref.load(memory, [buffer, step, local])
            for value, memory in zip(staging.side.staged, staging.memory, strict=True)
        }
        return Scope(self.contraction.values, (), loaded)

    def _finish(self, reduced: list[ir.Value]) -> None:
        """What the nest does with the results, where there is a row and a column."""
        contraction, columns = self.contraction, self.shape.each
        totals = [_total(contraction, side.loops) for side in (contraction.rows, contraction.columns)]
        given = iter(reduced)
        for number_, pair in enumerate(self.pairs):
            row, column = divmod(number_, columns)
            inside = arith.andi(
                is_below(self.positions[0][row], totals[0]), is_below(self.positions[1][column], totals[1])
            )
            results = {value: next(given) for value in contraction.reduction.results}
            branch = scf.IfOp(inside)
            with ir.InsertionPoint(branch.then_block):
                scope = Scope(contraction.values, (pair,), results)
                for op in contraction.epilogue:
                    if op != contraction.reduction and (op.name == "memref.store" or not len(op.results)):
                        scope.clone(op)
                scf.YieldOp([])
