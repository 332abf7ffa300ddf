"""Bennett's scheme at run time: a stack of stretches of a chain, and a row for every state that they share.

A stretch has a position, a length, a mode, and the numbers of the rows with the states at its two ends. It is cut into
parts, which are taken up one after the other: there, and back again but for the last (`bennett.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.reversible.chain.whole_numbers import LESS, minus, plus
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rows import insert_row, row_at

MAKE, UNDO, VISIT = 0, 1, 2
EQUAL = arith.CmpIPredicate.eq
FIRST, LAST, FIRST_BETWEEN = 0, 1, 2
"""The rows of the states at both ends of the chain, and where those of the states in between begin."""


@dataclass(frozen=True)
class Stretch:
    """One entry of the stack, and which of its parts is next."""

    position: ir.Value
    length: ir.Value
    mode: ir.Value
    start: ir.Value
    end: ir.Value
    part: ir.Value

    @property
    def values(self) -> list[ir.Value]:
        """Its numbers, in order."""
        return [self.position, self.length, self.mode, self.start, self.end, self.part]

    def is_step(self) -> ir.Value:
        """Whether it is one step."""
        return arith.CmpIOp(EQUAL, self.length, index(1)).result

    def inner(self, parts: ir.Value, depth: ir.Value) -> tuple[Stretch, ir.Value]:
        """The next part, and whether there is none left; `depth` is how many stretches this one lies in."""
        size = arith.CeilDivSIOp(self.length, parts).result
        last = minus(arith.CeilDivSIOp(self.length, size).result, index(1))
        turns = arith.CmpIOp(LESS, last, self.part).result
        number = _choose(turns, minus(plus(last, last), self.part), self.part)
        offset = arith.MulIOp(number, size).result
        length = arith.MinSIOp(size, minus(self.length, offset)).result
        row = plus(plus(arith.MulIOp(depth, minus(parts, index(1))).result, number), index(FIRST_BETWEEN))
        start = _choose(arith.CmpIOp(EQUAL, number, index(0)).result, self.start, minus(row, index(1)))
        end = _choose(arith.CmpIOp(EQUAL, number, last).result, self.end, row)
        is_done = arith.CmpIOp(LESS, plus(last, last), self.part).result
        return Stretch(plus(self.position, offset), length, self._mode(last, turns), start, end, index(0)), is_done

    def _mode(self, last: ir.Value, turns: ir.Value) -> ir.Value:
        """A stretch that makes its end undoes the states in between; one that undoes or visits its end makes them
        first.
        """
        made = _choose(turns, index(UNDO), index(MAKE))
        other = _choose(arith.CmpIOp(LESS, self.part, last).result, index(MAKE), self.mode)
        return _choose(arith.CmpIOp(EQUAL, self.mode, index(MAKE)).result, made, other)


@dataclass(frozen=True)
class Stretches:
    """The stack: one array per number of a stretch, and the number of the innermost one, -1 when all is done."""

    parts: ir.Value
    top: ir.Value
    arrays: tuple[ir.Value, ...]

    @staticmethod
    def whole(steps: ir.Value, parts: ir.Value, mode: int, room: ir.Value) -> Stretches:
        """The whole chain, to be gone through in a mode; nothing for a chain without steps."""
        is_empty = arith.CmpIOp(EQUAL, steps, index(0)).result
        last = _choose(is_empty, index(FIRST), index(LAST))
        whole = Stretch(index(0), steps, index(mode), index(FIRST), last, index(0))
        rooms = [tensor.EmptyOp([room], ir.IndexType.get()).result for _ in whole.values]
        arrays = [insert_row(array, index(0), value) for array, value in zip(rooms, whole.values, strict=True)]
        return Stretches(parts, _choose(is_empty, index(-1), index(0)), tuple(arrays))

    @property
    def values(self) -> list[ir.Value]:
        """All values, for loops to carry."""
        return [self.top, *self.arrays]

    def carried(self, values: Sequence[ir.Value]) -> Stretches:
        """The same with the values that a loop carries."""
        return Stretches(self.parts, values[0], tuple(values[1:]))

    def innermost(self) -> Stretch:
        """The stretch that is worked on."""
        return Stretch(*(row_at(array, self.top) for array in self.arrays))

    def proceed(self) -> Stretches:
        """Takes up the next part of the innermost stretch, or leaves it when it is a step or done."""
        stretch = self.innermost()
        inner, is_done = stretch.inner(self.parts, self.top)
        leaves = arith.OrIOp(stretch.is_step(), is_done).result
        below = plus(self.top, index(1))
        counted = [*self.arrays[:-1], insert_row(self.arrays[-1], self.top, plus(stretch.part, index(1)))]
        # Written in any case: what lies above the innermost stretch is never read.
        arrays = [insert_row(array, below, value) for array, value in zip(counted, inner.values, strict=True)]
        return Stretches(self.parts, _choose(leaves, minus(self.top, index(1)), below), tuple(arrays))


def depth_of(steps: ir.Value, parts: ir.Value) -> ir.Value:
    """How often a chain is cut until stretches are steps."""
    types = [ir.IndexType.get()] * 2
    loop = scf.WhileOp(types, [index(0), steps])
    here = [ir.Location.current] * 2
    with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here)):
        depth, length = before.arguments
        scf.ConditionOp(arith.CmpIOp(LESS, index(1), length).result, [depth, length])
    with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, types, here)):
        depth, length = after.arguments
        scf.YieldOp([plus(depth, index(1)), arith.CeilDivSIOp(length, parts).result])
    return loop.results[0]


def _choose(condition: ir.Value, yes: ir.Value, no: ir.Value) -> ir.Value:
    return arith.SelectOp(condition, yes, no).result
