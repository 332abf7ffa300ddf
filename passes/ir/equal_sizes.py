"""Sizes that run-time checks have found equal."""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless._mlir import arith, ir
from tapeless.passes.ir.shapes import scalar_size
from tapeless.passes.ir.sizes import Size

EQUAL = arith.CmpIPredicate.eq.value


@dataclass
class EqualSizes:
    """Which sizes the checks before some place make equal: behind `soac.assert` of `%a == %b` both are one."""

    leaders: dict[Size, Size] = field(default_factory=dict)

    def copy(self) -> EqualSizes:
        """The same facts, to which others can be added."""
        return EqualSizes(dict(self.leaders))

    def enter(self, op: ir.OpView) -> None:
        """Takes note of an operation that everything asked about later comes after."""
        if op.operation.name != "soac.assert" or isinstance(op.operands[0], ir.BlockArgument):
            return
        compared = op.operands[0].owner
        if compared.operation.name == "arith.cmpi" and compared.attributes["predicate"].value == EQUAL:
            left, right = (self._leader(operand) for operand in compared.operands)
            if left != right:
                self.leaders[left] = right

    def are_same(self, left: ir.Value, right: ir.Value) -> bool:
        """Whether two `index` values are provably equal here."""
        return left == right or self._leader(left) == self._leader(right)

    def are_equal(self, left: Size, right: Size) -> bool:
        """Whether two sizes are provably equal here."""
        return left == right or self._follow(left) == self._follow(right)

    def _leader(self, value: ir.Value) -> Size:
        return self._follow(scalar_size(value))

    def _follow(self, size: Size) -> Size:
        while size in self.leaders:
            size = self.leaders[size]
        return size
