"""Places that go around an axis: an index of a loop moved by a constant, from one end of the array to the other."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir import build
from tapeless.passes.ir.sizes.shapes import scalar_size
from tapeless.passes.ir.sizes.sizes import constant_int

REMAINDERS = frozenset({"arith.remsi", "arith.remui"})


@dataclass(frozen=True)
class Turn:
    """A place that is an index and a constant, less or more the length of the axis where it would lie outside.

    Instead of a constant it may be a number `k` that is not negative and no more than the length.
    """

    index: ir.Value
    by: int | ir.Value
    length: ir.Value

    @staticmethod
    def of(place: ir.Value) -> Turn | None:
        """The turn that a place is.

        `(i + c) % n` for `c >= 0`, `i - c` with `n` added where that is negative, or `i + k` less `n` where that is not
        below `n`, which is in range for all `i` only if `k` is.
        """
        if isinstance(place, ir.BlockArgument):
            return Turn(place, 0, place)
        op = place.owner.operation
        if op.name in REMAINDERS:
            index, by = _moved(op.operands[0])
            return Turn(index, by, op.operands[1]) if by >= 0 else None
        if op.name != "arith.select":
            return None
        test, longer, shorter = op.operands
        if (turn := _going_around(test, longer, shorter)) is not None:
            return turn
        length = _added_to(longer, shorter)
        index, by = _moved(shorter)
        return Turn(index, by, length) if length is not None and by < 0 and _is_negative(test, shorter) else None

    @property
    def is_none(self) -> bool:
        """Whether the place is the index itself."""
        return isinstance(self.by, int) and self.by == 0

    def fits(self, width: ir.Value) -> bool:
        """Whether a loop of this many iterations comes to each place of the axis once."""
        return self.is_none or scalar_size(self.length) == scalar_size(width)

    def index_at(self, place: ir.Value) -> ir.Value:
        """The index of the iteration that comes to a place."""
        if self.is_none:
            return place
        if not isinstance(self.by, int):
            return self._added_where_negative(arith.subi(place, self.by))
        if self.by < 0:
            moved = arith.addi(place, build.index(-self.by))
            is_outside = arith.cmpi(arith.CmpIPredicate.sge, moved, self.length)
            return arith.select(is_outside, arith.subi(moved, self.length), moved)
        by = build.index(self.by)
        return self._added_where_negative(arith.subi(place, by if self.by == 1 else arith.remui(by, self.length)))

    def _added_where_negative(self, moved: ir.Value) -> ir.Value:
        is_outside = arith.cmpi(arith.CmpIPredicate.slt, moved, build.index(0))
        return arith.select(is_outside, arith.addi(moved, self.length), moved)


def _going_around(test: ir.Value, moved: ir.Value, back: ir.Value) -> Turn | None:
    """The turn by a number: a place where it is below the length, and else less the length."""
    if any(isinstance(value, ir.BlockArgument) for value in (test, moved, back)):
        return None
    names = [value.owner.operation.name for value in (test, moved, back)]
    if names != ["arith.cmpi", "arith.addi", "arith.subi"]:
        return None
    left, length = test.owner.operands
    predicate = ir.IntegerAttr(test.owner.attributes["predicate"]).value
    if predicate != arith.CmpIPredicate.slt.value or left != moved or list(back.owner.operands) != [moved, length]:
        return None
    index, by = moved.owner.operands
    return Turn(index, by, length) if isinstance(index, ir.BlockArgument) else None


def _moved(value: ir.Value) -> tuple[ir.Value, int]:
    """A value as another one and a constant."""
    if isinstance(value, ir.OpResult) and value.owner.operation.name in ("arith.addi", "arith.subi"):
        index, constant = value.owner.operands
        by = constant_int(constant)
        if by is not None:
            return index, by if value.owner.operation.name == "arith.addi" else -by
    return value, 0


def _added_to(total: ir.Value, part: ir.Value) -> ir.Value | None:
    """What is added to a value to give another one."""
    if isinstance(total, ir.BlockArgument) or total.owner.operation.name != "arith.addi":
        return None
    left, right = total.owner.operands
    return right if left == part else left if right == part else None


def _is_negative(test: ir.Value, value: ir.Value) -> bool:
    """Whether a condition says that a value is below zero."""
    if isinstance(test, ir.BlockArgument) or test.owner.operation.name != "arith.cmpi":
        return False
    left, right = test.owner.operands
    predicate = ir.IntegerAttr(test.owner.attributes["predicate"]).value
    return predicate == arith.CmpIPredicate.slt.value and left == value and constant_int(right) == 0
