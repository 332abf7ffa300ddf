"""Whether a factor is a lower triangle, and what may be left out of products with one: small matrices of zeros.

Zeros add nothing to a sum, unless they are multiplied by what is no number or has no end. So numbers are looked at on
their way, and where one is such, products are made of all small matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.tiles.folds.shuffles import from_lane_across
from tapeless.passes.lower.tiles.index_arithmetic import is_below, number, quotient
from tapeless.passes.lower.tiles.matrices import COLUMNS, STEPS, WARP
from tapeless.passes.lower.tiles.staging import WORKGROUP

# The upper half of doubles without their sign, from the first one on that has no end.
ENDLESS, WITHOUT_SIGN = 0x7FF00000, 0x7FFFFFFF


def has_products(column: int, step: int) -> bool:
    """Whether a small matrix is not above the diagonal; column and step are counted from the same place."""
    return column + COLUMNS > step


class TriangleTest:
    """A word of shared memory that says whether all that a block brought above the diagonal is zero."""

    def __init__(self) -> None:
        self.word = memref.alloca(ir.MemRefType.get([1], _i32(), None, ir.Attribute.parse(WORKGROUP)), [], [])

    def begin(self, thread: ir.Value) -> None:
        """Before the first element is looked at; all threads wait."""
        branch = scf.IfOp(is_below(thread, 1))
        with ir.InsertionPoint(branch.then_block):
            self._tell(1)
            scf.YieldOp([])
        ir.Operation.create("gpu.barrier", [], [])

    def look_at(self, brought: Iterable[tuple[ir.Value, ir.Value, ir.Value]]) -> None:
        """Looks at elements, each with its column and step."""
        found: ir.Value | None = None
        for value, column, step in brought:
            is_above = is_below(quotient(column, COLUMNS), quotient(step, STEPS))
            is_there = arith.cmpf(arith.CmpFPredicate.UNE, value, arith.constant(value.type, 0.0))
            is_other = arith.andi(is_above, is_there)
            found = is_other if found is None else arith.ori(found, is_other)
        branch = scf.IfOp(found)
        with ir.InsertionPoint(branch.then_block):
            self._tell(0)
            scf.YieldOp([])

    def found(self) -> ir.Value:
        """What came of it, after all threads have waited for each other."""
        word = memref.load(self.word, [number(0)])
        return arith.cmpi(arith.CmpIPredicate.ne, word, arith.constant(_i32(), 0))

    def _tell(self, word: int) -> None:
        memref.store(arith.constant(_i32(), word), self.word, [number(0)])


def largest(so_far: ir.Value, values: Iterable[Sequence[ir.Value]]) -> ir.Value:
    """The largest of the upper halves of numbers, without their signs."""
    i32, i64 = _i32(), ir.IntegerType.get_signless(64)
    for value in [value for each in values for value in each]:
        upper = arith.trunci(i32, arith.shrui(arith.bitcast(i64, value), arith.constant(i64, 32)))
        so_far = arith.maxui(so_far, arith.andi(upper, arith.constant(i32, WITHOUT_SIGN)))
    return so_far


def nothing_seen() -> ir.Value:
    """What `largest` starts from."""
    return arith.constant(_i32(), 0)


def are_finite(seen: ir.Value) -> ir.Value:
    """Whether all numbers that the threads of a warp have seen are."""
    distance = WARP // 2
    while distance:
        seen = arith.maxui(seen, from_lane_across(seen, distance))
        distance //= 2
    return arith.cmpi(arith.CmpIPredicate.ult, seen, arith.constant(_i32(), ENDLESS))


def _i32() -> ir.IntegerType:
    return ir.IntegerType.get_signless(32)
