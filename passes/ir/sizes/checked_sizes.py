"""Sizes that are equal at a place because run-time checks come before it.

A check that does not change in a loop is asked once before it, or else the loop does not run:

```mlir
%idle = arith.cmpi sle, %high, %low : index
%either = arith.ori %same, %idle : i1
"soac.assert"(%either, %m, %n) ...
```
Within the loop the first is true.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.scopes import owner_block
from tapeless.passes.ir.sizes.expressions import Computed, Size
from tapeless.passes.ir.sizes.size_classes import SizeClasses
from tapeless.passes.ir.sizes.size_search import Asking, Checked, Equal, Place, Width
from tapeless.passes.ir.sizes.terms import SIGNS
from tapeless.passes.marks import NOTED

EQUAL = arith.CmpIPredicate.eq.value
AT_MOST, AT_LEAST = arith.CmpIPredicate.sle.value, arith.CmpIPredicate.sge.value
OPERATORS = ("soac.map", "soac.fused")
MODULE = "builtin.module"

Pair = tuple[ir.Value, ir.Value]
Range = tuple[Size, Size]


def compared_sizes(condition: ir.Value) -> Pair | None:
    """The two integers that a condition says are equal."""
    return _compared(condition).get(EQUAL)


def tells_sizes(condition: ir.Value) -> bool:
    """Whether a check of this condition makes sizes equal, at once or in the loops behind it."""
    if compared_sizes(condition) is not None:
        return True
    delayed = DelayedCheck.of(condition)
    return delayed is not None and len(delayed.bounds) == len(delayed.idle)


def _compared(condition: ir.Value) -> dict[int, Pair]:
    """The operands of a comparison of integers under its predicate."""
    if isinstance(condition, ir.BlockArgument) or condition.owner.operation.name != "arith.cmpi":
        return {}
    compared = condition.owner
    left, right = compared.operands
    return {compared.attributes["predicate"].value: (left, right)}


@dataclass(frozen=True)
class CheckedBlocks:
    """The checks that stand directly in a block, looked for once."""

    found: dict[ir.Block, list[ir.OpView]] = field(default_factory=dict)

    def before(self, place: Place) -> Iterator[tuple[ir.Value, list[ir.OpView]]]:
        """The conditions that hold at a place, each with the operations around the place that it stands before."""
        around: list[ir.OpView] = []
        block, end = (place, None) if isinstance(place, ir.Block) else (owner_block(place), place.owner)
        while True:
            for check in self._of(block):
                if end is None or check.operation.is_before_in_block(end.operation):
                    yield check.operands[0], around
            end = block.owner
            if end.operation.parent.name == MODULE:
                return
            around = [*around, end]
            block = end.operation.block

    def _of(self, block: ir.Block) -> list[ir.OpView]:
        if block not in self.found:
            self.found[block] = [op for op in block.operations if _ends_unless_true(op)]
        return self.found[block]


def _ends_unless_true(op: ir.OpView) -> bool:
    return op.operation.name == "soac.assert" and NOTED not in op.operation.attributes


def checked_size(question: Checked) -> Asking:
    """The size of an axis: the wanted one where checks make both equal."""
    size = yield question.asked
    if size == question.wanted:
        return size
    known = yield Equal(question.place)
    return question.wanted if known.are_equal(size, question.wanted) else size


def equal_sizes(question: Equal, blocks: CheckedBlocks) -> Asking:
    """The sizes that checks before a place make equal."""
    known = SizeClasses()
    delayed = []
    for condition, around in blocks.before(question.place):
        if (pair := compared_sizes(condition)) is not None:
            known.join((yield Width(pair[0])), (yield Width(pair[1])))
        elif around and (check := DelayedCheck.of(condition)) is not None:
            delayed.append((check, around))
    for check, around in delayed:
        yield from check.told(known, around)
    return known


Telling = Generator[Width, Size, None]
Deciding = Generator[Width, Size, bool]


def _cases(condition: ir.Value) -> list[ir.Value]:
    """The conditions one of which holds."""
    if isinstance(condition, ir.BlockArgument) or condition.owner.operation.name != "arith.ori":
        return [condition]
    return [case for operand in condition.owner.operands for case in _cases(operand)]


@dataclass(frozen=True)
class DelayedCheck:
    """Two sizes that are equal unless a loop does not run: the other conditions one of which holds say so."""

    pair: Pair
    idle: list[ir.Value]

    @staticmethod
    def of(condition: ir.Value) -> DelayedCheck | None:
        """The check of sizes within loops that a condition makes."""
        cases = _cases(condition)
        pairs = [pair for case in cases if (pair := compared_sizes(case)) is not None]
        if len(pairs) != 1 or len(cases) == 1:
            return None
        return DelayedCheck(pairs[0], [case for case in cases if compared_sizes(case) is None])

    @property
    def bounds(self) -> list[ir.Value]:
        """The ends of the loops in which the sizes may be equal."""
        return [bounds[0] for case in self.idle if (bounds := _idle_bounds(case)) is not None]

    def told(self, known: SizeClasses, around: list[ir.OpView]) -> Telling:
        """Takes note that the sizes are equal, if these loops are all that is asked for."""
        for case in self.idle:
            if not (yield from _is_idle_one(known, case, around)):
                return
        left, right = self.pair
        known.join((yield Width(left)), (yield Width(right)))


def _is_idle_one(known: SizeClasses, condition: ir.Value, around: list[ir.OpView]) -> Deciding:
    """Whether a condition says that one of these loops does not run."""
    idle = _idle_bounds(condition)
    if idle is None:
        return False
    last, first = (yield Width(idle[0])), (yield Width(idle[1]))
    for loop in around:
        if (bounds := _bounds(loop)) is not None:
            begin = 0 if bounds[0] is None else (yield Width(bounds[0]))
            for low, high in _runs(begin, (yield Width(bounds[1]))):
                if known.are_equal(first, low) and known.are_equal(last, high):
                    return True
    return False


def _idle_bounds(condition: ir.Value) -> Pair | None:
    """Where a loop ends and begins, when a condition says that it does not run."""
    compared = _compared(condition)
    if AT_MOST in compared:
        return compared[AT_MOST]
    return compared[AT_LEAST][::-1] if AT_LEAST in compared else None


def _bounds(loop: ir.OpView) -> tuple[ir.Value | None, ir.Value] | None:
    """Where a loop begins (nothing: at 0) and ends."""
    if loop.operation.name == "scf.for":
        return loop.operands[0], loop.operands[1]
    return (None, loop.operands[0]) if loop.operation.name in OPERATORS else None


def _runs(begin: Size, end: Size) -> list[Range]:
    """The ranges that are not empty if a loop over this one runs.

    A loop that goes back runs up to `max(end, begin)`, or from 0 up to `max(end, begin) - begin`; one over blocks of
    iterations runs up to a quotient of such a number, which is above zero only if the dividend is.
    """
    implied: list[Range] = []
    if begin == 0 and isinstance(end, Computed) and end.name == "arith.ceildivsi":
        dividend = _runs(begin, end.operands[0])
        implied = dividend if len(dividend) > 1 else []
    elif begin == 0 and (shifted := _from_zero(end)) is not None:
        implied = _runs(*shifted)
    elif isinstance(end, Computed) and end.name == "arith.maxsi" and begin in end.operands:
        implied = [(begin, operand) for operand in end.operands]
    return [(begin, end), *implied]


def _from_zero(count: Size) -> Range | None:
    """Where a range begins and ends, if its length is written `max(end, begin) - begin`, which never is negative."""
    if not (isinstance(count, Computed) and count.name in SIGNS):
        return None
    end, less = count.operands
    if count.name == "arith.addi":  # canonicalization writes `end - 3` as `end + -3`
        if not isinstance(less, int):
            return None
        less = -less
    is_above = isinstance(end, Computed) and end.name == "arith.maxsi" and less in end.operands
    return (less, end) if is_above else None
