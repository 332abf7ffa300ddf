"""Indices that are a loop's own: no two iterations have the same, and each is one more than the one before."""

from __future__ import annotations

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.build import index
from tapeless.passes.ir.rows import Size
from tapeless.passes.ir.scopes import is_defined_outside
from tapeless.passes.ir.sizes.sizes import constant_int

SIGNS = {"arith.addi": 1, "arith.subi": -1}


@dataclass(frozen=True)
class OwnIndex:
    """The counter of a loop, plus a constant, plus numbers from outside, less others."""

    constant: int = 0
    added: tuple[ir.Value, ...] = ()
    subtracted: tuple[ir.Value, ...] = ()

    @staticmethod
    def of(extent: Size, loop: ir.OpView) -> OwnIndex | None:
        """How an index follows from the counter of a loop; nothing where it may do so in another way."""
        if isinstance(extent, int):
            return None
        counter = loop.regions[0].blocks[0].arguments[0]
        constant, times = 0, 0
        outside: dict[int, list[ir.Value]] = {1: [], -1: []}
        left = [(extent, 1)]
        while left:
            value, sign = left.pop()
            known = constant_int(value)
            if known is not None:
                constant += sign * known
            elif value == counter:
                times += sign
            elif is_defined_outside(value, loop.operation):
                outside[sign].append(value)
            elif not isinstance(value, ir.BlockArgument) and value.owner.operation.name in SIGNS:
                first, second = value.owner.operands
                left += [(first, sign), (second, sign * SIGNS[value.owner.operation.name])]
            else:
                return None
        return OwnIndex(constant, tuple(outside[1]), tuple(outside[-1])) if times == 1 else None

    @property
    def is_known(self) -> bool:
        """Whether the difference from the counter is a constant."""
        return not self.added and not self.subtracted

    def first(self, low: ir.Value) -> Size:
        """The index in the first iteration of a loop that counts from `low`."""
        known = constant_int(low)
        if known is not None and self.is_known:
            return known + self.constant
        first = arith.addi(low, index(self.constant)) if self.constant else low
        for number in self.added:
            first = arith.addi(first, number)
        for number in self.subtracted:
            first = arith.subi(first, number)
        return first
