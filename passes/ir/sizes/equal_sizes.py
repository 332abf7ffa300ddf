"""Sizes that run-time checks have found equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.checked_sizes import DelayedCheck, compared_sizes
from tapeless.passes.ir.sizes.expressions import Size
from tapeless.passes.ir.sizes.shapes import remembered_sizes, scalar_size
from tapeless.passes.ir.sizes.size_classes import SizeClasses
from tapeless.passes.marks import NOTED

LOOPS = frozenset({"scf.for", "soac.map", "soac.fused"})


@dataclass
class EqualSizes:
    """Which sizes the checks before some place make equal: behind `soac.assert` of `%a == %b` both are one.

    Checks that stand before a loop, for when it runs, tell within the loop.
    """

    classes: SizeClasses = field(default_factory=SizeClasses)
    delayed: dict[ir.Value, tuple[DelayedCheck, ...]] = field(default_factory=dict)
    around: list[ir.OpView] = field(default_factory=list)

    def copy(self) -> EqualSizes:
        """The same facts, to which others can be added."""
        return EqualSizes(self.classes.copy(), dict(self.delayed), self.around)

    def within(self, op: ir.OpView) -> EqualSizes:
        """The facts in the regions of an operation: those before it, and those that checks give for
        a loop that runs.
        """
        inside = self.copy()
        if op.operation.name in LOOPS and self.delayed:
            inside.around = [*self.around, op]
            with remembered_sizes():
                for check in [check for bound in _bounds(op) for check in self.delayed.get(bound, ())]:
                    inside._join(check)
        return inside

    def _join(self, check: DelayedCheck) -> None:
        telling = check.told(self.classes, self.around)
        question = next(telling, None)
        while question is not None:
            try:
                question = telling.send(scalar_size(question.value))
            except StopIteration:
                return

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation that everything asked about later comes after."""
        if op.operation.name != "soac.assert" or NOTED in op.operation.attributes:
            return
        if (pair := compared_sizes(op.operands[0])) is not None:
            with remembered_sizes():
                self.classes.join(*map(scalar_size, pair))
        elif (check := DelayedCheck.of(op.operands[0])) is not None:
            for bound in check.bounds:
                self.delayed[bound] = (*self.delayed.get(bound, ()), check)

    def inside(self, op: ir.OpView) -> Iterator[tuple[ir.OpView, EqualSizes]]:
        """The operations in the blocks of an operation, one after the other, each with the facts behind it."""
        for region in op.regions:
            for block in region.blocks:
                known = self.within(op)
                for inner in list(block.operations):
                    known.enter(inner)
                    yield inner, known

    def are_same(self, left: ir.Value, right: ir.Value) -> bool:
        """Whether two `index` values are provably equal here."""
        return left == right or self.are_equal(scalar_size(left), scalar_size(right))

    def are_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are provably equal here."""
        return self.classes.are_equal(left, right)


def _bounds(loop: ir.OpView) -> list[ir.Value]:
    """The numbers that checks compare the trip count of a loop with: its end, the operands of a maximum there, or the
    number of iterations that a loop over stretches of them divides.
    """
    end = loop.operands[1 if loop.operation.name == "scf.for" else 0]
    whole = end.owner.operands[0] if _is_made_by(end, "arith.ceildivsi") else end
    return [end, *(whole.owner.operands if _is_made_by(whole, "arith.maxsi") else [])]


def _is_made_by(value: ir.Value, name: str) -> bool:
    return not isinstance(value, ir.BlockArgument) and value.owner.operation.name == name
