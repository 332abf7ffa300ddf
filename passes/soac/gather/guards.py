"""Conditions that an index lies in a range, and the code that runs where they hold.

Comparisons carry `tapeless.guard`: `lower-peel` cuts loops where they change, and runs what lies between without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.places.places import Extent, Place
from tapeless.passes.ir.sizes.equal_sizes import EqualSizes
from tapeless.passes.ir.sizes.shapes import scalar_size, size_of
from tapeless.passes.ir.sizes.sizes import as_value
from tapeless.passes.marks import GUARD


@dataclass(frozen=True)
class Bounds:
    """A range of one axis, from `low` (nothing: the first index) to before `high` (nothing: to the last)."""

    low: ir.Value | None
    high: ir.Value | None


def bounds_of(place: Place, axis: int, equal: EqualSizes, at: ir.InsertionPoint) -> Bounds:
    """The bounds of a place along an axis, computed before the loops that ask for them."""
    part = place.ranges[axis]
    low = None if part.offset == 0 else as_value(part.offset, at)
    end = _end(part.offset, part.size, at)
    size = end if isinstance(end, int) else scalar_size(end)
    return Bounds(low, None if equal.are_equal(size, size_of(place.array, axis)) else as_value(end, at))


def _end(offset: Extent, size: Extent, at: ir.InsertionPoint) -> Extent:
    if isinstance(offset, int) and isinstance(size, int):
        return offset + size
    return size if offset == 0 else arith.addi(as_value(offset, at), as_value(size, at), ip=at)


@dataclass
class Guards:
    """The comparisons of one index, each made once."""

    index: ir.Value
    made: dict[tuple[int, ir.Value], ir.Value] = field(default_factory=dict)

    def of(self, bounds: Bounds) -> list[ir.Value]:
        """The conditions for the index to be within some bounds."""
        asked = ((arith.CmpIPredicate.sge, bounds.low), (arith.CmpIPredicate.slt, bounds.high))
        return [self._compare(predicate, bound) for predicate, bound in asked if bound is not None]

    def _compare(self, predicate: arith.CmpIPredicate, bound: ir.Value) -> ir.Value:
        key = (predicate.value, bound)
        if key not in self.made:
            op = arith.CmpIOp(predicate, self.index, bound)
            op.operation.attributes[GUARD] = ir.UnitAttr.get()
            self.made[key] = op.result
        return self.made[key]


def where(conditions: list[ir.Value], then: Callable[[], ir.Value], otherwise: ir.Value) -> ir.Value:
    """The result of `then` if all conditions hold, and another value if not."""
    if not conditions:
        return then()
    every = conditions[0]
    for condition in conditions[1:]:
        every = arith.AndIOp(every, condition).result
    choice = scf.IfOp(every, [otherwise.type], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp([then()])
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp([otherwise])
    return choice.results[0]
