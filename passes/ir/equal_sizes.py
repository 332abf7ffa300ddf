"""Sizes that run-time checks have found equal."""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless._mlir import ir
from tapeless.passes.ir.checked_sizes import compared_sizes
from tapeless.passes.ir.shapes import scalar_size
from tapeless.passes.ir.size_classes import SizeClasses
from tapeless.passes.ir.sizes import Size


@dataclass
class EqualSizes:
    """Which sizes the checks before some place make equal: behind `soac.assert` of `%a == %b` both are one."""

    classes: SizeClasses = field(default_factory=SizeClasses)

    def copy(self) -> EqualSizes:
        """The same facts, to which others can be added."""
        return EqualSizes(self.classes.copy())

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation that everything asked about later comes after."""
        if op.operation.name == "soac.assert" and (pair := compared_sizes(op.operands[0])) is not None:
            self.classes.join(*map(scalar_size, pair))

    def are_same(self, left: ir.Value, right: ir.Value) -> bool:
        """Whether two `index` values are provably equal here."""
        return left == right or self.are_equal(scalar_size(left), scalar_size(right))

    def are_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are provably equal here."""
        return self.classes.are_equal(left, right)
