"""A contraction as a launch of blocks: tiles of both sides in shared memory, a tile of what is carried in registers.

Every step of the reduction is done in order, for each row and column alone, so that results are those of the nest.
While threads work on a tile, what they load for the next one is on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from tapeless._mlir import arith, ir, memref, scf
from tapeless.dataclasses_on_use import dataclass
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
    smaller,
)
from tapeless.passes.lower.tiles.matrices import Lanes
from tapeless.passes.lower.tiles.scopes import Scope
from tapeless.passes.lower.tiles.shapes import (
    ACCESS_BYTES,
    ALONG,
    BLOCKS_AT_ONCE,
    LARGE,
    THREADS,
    Shape,
    element_bytes,
    leaves_room,
)
from tapeless.passes.lower.tiles.staging import Staging, scope_at
from tapeless.passes.lower.tiles.thread_grid import crossed
from tapeless.passes.marks import EACH_BLOCK, LAUNCH, RESIDENT
from tapeless.passes.marks import THREADS as SHARED

UNROLLED = "#llvm.loop_annotation<unroll = <full = true>>"
# Large tiles have enough to do in a few steps, and more of them take the driver long to compile.
UNROLLED_IN_PART = "#llvm.loop_annotation<unroll = <count = 4 : i32>>"


@dataclass(frozen=True)
class Parts:
    """The steps of a reduction in so many parts of a length, each of which leaves its results in a table of its own."""

    count: ir.Value
    length: ir.Value
    table: ir.Value


def number_of_tiles(contraction: Contraction, shape: Shape) -> list[ir.Value]:
    """How many tiles there are along columns, along rows, and in batches."""
    groups = contraction.columns.loops, contraction.rows.loops
    tiles = [rounded_up(total_of(contraction, loops), shape.extent) for loops in groups]
    return [*tiles, total_of(contraction, contraction.batch)]


def launch_tiles(contraction: Contraction, shape: Shape, parts: Parts | None = None) -> None:
    """A launch that does what the nest does, or parts of its reduction, at the insertion point."""
    columns, rows, batches = number_of_tiles(contraction, shape)
    turns = [columns, rows, batches] if parts is None else [columns, rows, batches, parts.count]
    launch = scf.ForOp(number(0), product(turns), number(1))
    launch.operation.attributes[LAUNCH] = ir.StringAttr.get(EACH_BLOCK)
    if leaves_room(contraction, shape):
        launch.operation.attributes[RESIDENT] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), BLOCKS_AT_ONCE)
    with ir.InsertionPoint(launch.body):
        part, batch, row, column = positions(launch.induction_variable, [number(1), *turns[:3][::-1]])
        firsts = [mul(row, shape.extent), mul(column, shape.extent)]
        places = positions(batch, [contraction.count(each) for each in contraction.batch])
        variables = [contraction.variable(each) for each in contraction.batch]
        block = Scope(contraction.values, (), dict(zip(variables, places, strict=True)))
        threads = scf.ForOp(number(0), number(THREADS), number(1))
        threads.operation.attributes[SHARED] = ir.UnitAttr.get()
        with ir.InsertionPoint(threads.body):
            tile = Tile(contraction, shape, block, firsts, threads.induction_variable)
            if parts is None:
                tile.finish(tile.run(number(0), contraction.reduction.operands[1], tile.starts()))
            else:
                low = mul(part, parts.length)
                high = smaller(add(low, parts.length), contraction.reduction.operands[1])
                tile.leave(tile.run(low, high, tile.zeros()), parts.table, part, batch)
            scf.YieldOp([])
        scf.YieldOp([])


def total_of(contraction: Contraction, loops: tuple[int, ...]) -> ir.Value:
    """How many iterations loops have together."""
    return product([at_least(contraction.count(each), 0) for each in loops])


class Tile:
    """What one thread of a block does; `memory` is that of another tile of the block that takes turns with this one."""

    def __init__(
        self,
        contraction: Contraction,
        shape: Shape,
        block: Scope,
        firsts: list[ir.Value],
        thread: ir.Value,
        memory: Sequence[list[ir.Value] | None] = (None, None),
        grid: Callable[[ir.Value], tuple[ir.Value, ir.Value]] = crossed,
    ) -> None:
        self.contraction, self.shape = contraction, shape
        sides = contraction.rows, contraction.columns
        self.staging = [
            Staging(contraction, side, shape, thread, first, block, own)
            for side, first, own in zip(sides, firsts, memory, strict=True)
        ]
        self.lanes = Lanes(thread, shape.each) if shape.by_matrices else None
        self.locals = [self.lanes.rows(), self.lanes.columns()] if self.lanes else self._locals(grid(thread))
        self.positions = [
            [add(first, local) for local in locals_] for first, locals_ in zip(firsts, self.locals, strict=True)
        ]
        self.scopes = [
            [scope_at(contraction, side, position, block) for position in own]
            for side, own in zip(sides, self.positions, strict=True)
        ]
        self.pairs = [Scope(contraction.values, (row, column)) for row in self.scopes[0] for column in self.scopes[1]]

    def _locals(self, parts: tuple[ir.Value, ir.Value]) -> list[list[ir.Value]]:
        """The rows and columns of the tile that this thread has: groups that are loaded at once, far apart."""
        found: list[list[ir.Value]] = []
        for staging, part, offsets in zip(self.staging, parts, self.offsets, strict=True):
            found.append([add(mul(part, _group(staging)), offset) for offset in offsets])
        return found

    @property
    def offsets(self) -> list[list[int]]:
        """How far the rows and columns of a thread are from the first of them, where no matrices are multiplied."""
        groups = [_group(staging) for staging in self.staging]
        return [[each // group * group * ALONG + each % group for each in range(self.shape.each)] for group in groups]

    def starts(self) -> list[ir.Value]:
        """What the reduction starts from, pair by pair."""
        starts = list(self.contraction.reduction.operands)[3:]
        return [pair.value(start) for pair in self.pairs for start in starts]

    def zeros(self) -> list[ir.Value]:
        return [arith.constant(value.type, 0.0) for _ in self.pairs for value in self.contraction.carried]

    def run(self, low: ir.Value, high: ir.Value, starts: list[ir.Value]) -> list[ir.Value]:
        """What is carried after steps [low, high), at least one."""
        steps = self.shape.steps
        self.prepare()
        length = arith.subi(high, low)
        whole, last = quotient(length, steps), add(high, -1)
        loop = scf.ForOp(number(0), whole, number(1), [*self._load(low, last), *starts])
        held = len(loop.inner_iter_args) - len(starts)
        with ir.InsertionPoint(loop.body):
            raw, running = list(loop.inner_iter_args)[:held], list(loop.inner_iter_args)[held:]
            first = add(low, mul(loop.induction_variable, steps))
            buffer = self._buffer(loop.induction_variable)
            self._store(raw, first, buffer)
            following = self._load(add(first, steps), last)
            unrolled = UNROLLED_IN_PART if self.shape.each == LARGE else UNROLLED
            scf.YieldOp([*following, *self.steps(running, first, [buffer, buffer], steps, unrolled)])
        raw, running = list(loop.results)[:held], list(loop.results)[held:]
        first = add(low, mul(whole, steps))
        left = arith.subi(high, first)
        branch = scf.IfOp(is_below(0, left), [value.type for value in running], has_else=True)
        with ir.InsertionPoint(branch.then_block):
            buffer = self._buffer(whole)
            self._store(raw, first, buffer, high if self.lanes else None)
            scf.YieldOp(self.steps(running, first, [buffer, buffer], left, SHORT))
        with ir.InsertionPoint(branch.else_block):
            scf.YieldOp(running)
        return list(branch.results)

    def prepare(self) -> None:
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

    def steps(
        self, running: list[ir.Value], first: ir.Value, buffers: list[ir.Value], count: ir.Value | int, hint: str
    ) -> list[ir.Value]:
        """So many steps of the reduction from a buffer of each side, for all pairs of this thread."""
        contraction = self.contraction
        if self.lanes:
            memory = [staging.memory[0] for staging in self.staging]
            return self.lanes.sums(running, memory, buffers[0], self.shape.steps)
        loop = scf.ForOp(number(0), number(count), number(1), running)
        loop.operation.attributes[ATTRIBUTE] = ir.Attribute.parse(hint)
        with ir.InsertionPoint(loop.body):
            scopes = [
                [self._staged(staging, buffer, loop.induction_variable, local) for local in locals_]
                for staging, locals_, buffer in zip(self.staging, self.locals, buffers, strict=True)
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

    def finish(
        self, reduced: list[ir.Value], given: Mapping[ir.Value, Callable[[int], ir.Value]] = MappingProxyType({})
    ) -> None:
        """What the nest does with the results; some of its values may be given, by the numbers of pairs."""
        contraction = self.contraction
        for row, column, results in self._inside(reduced):
            pair = row * self.shape.each + column
            bound = dict(zip(contraction.reduction.results, results, strict=True))
            bound |= {value: make(pair) for value, make in given.items()}
            scope = Scope(contraction.values, (self.pairs[pair],), bound)
            for op in contraction.epilogue:
                if op.name == "memref.store":
                    scope.clone(op)

    def leave(self, reduced: list[ir.Value], table: ir.Value, part: ir.Value, batch: ir.Value) -> None:
        """Stores the results of a part."""
        for row, column, (result,) in self._inside(reduced):
            memref.store(result, table, [part, batch, self.positions[0][row], self.positions[1][column]])

    def _inside(self, reduced: list[ir.Value]) -> Iterator[tuple[int, int, list[ir.Value]]]:
        """Every row and column that this thread has, with their results, under the condition that they are there."""
        contraction = self.contraction
        totals = [total_of(contraction, side.loops) for side in (contraction.rows, contraction.columns)]
        each = len(contraction.carried)
        for number_ in range(len(self.pairs)):
            row, column = divmod(number_, self.shape.each)
            are_there = [
                is_below(own[place], total)
                for own, place, total in zip(self.positions, (row, column), totals, strict=True)
            ]
            branch = scf.IfOp(arith.andi(*are_there))
            with ir.InsertionPoint(branch.then_block):
                yield row, column, reduced[number_ * each : (number_ + 1) * each]
                scf.YieldOp([])


def _group(staging: Staging) -> int:
    """How many neighbours a thread loads from shared memory at once."""
    return ACCESS_BYTES // element_bytes(staging.side.staged[0].type)
