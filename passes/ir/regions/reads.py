"""The free values of the operations of a nest, found once for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tapeless._mlir import ir
from tapeless.passes.ir.scopes import identity


@dataclass
class Reads:
    """For every operation with regions the values from outside that these read, from those of the operations inside.

    They stay as they are while operations inside are replaced by others that read the same.
    """

    _inner: dict[ir.Value | ir.Block | None, frozenset[ir.Value]] = field(default_factory=dict)

    @staticmethod
    def below(op: ir.OpView) -> Reads:
        """The values that operations inside of this one read."""
        reads = Reads()
        for region in op.regions:
            for block in region.blocks:
                reads._enter(block)
        return reads

    def of(self, op: ir.OpView) -> Iterable[ir.Value]:
        """The values from outside that an operation and its regions read, some more than once."""
        return (*op.operands, *self._inner[identity(op)]) if len(op.regions) else op.operands

    def _enter(self, block: ir.Block) -> set[ir.Value]:
        """Finds the operands of a block's operations, and those from outside of the block."""
        read: set[ir.Value] = set()
        made = set(block.arguments)
        for op in block.operations:
            read.update(op.operands)
            made.update(op.results)
            if len(op.regions):
                inner = frozenset().union(*(self._enter(each) for region in op.regions for each in region.blocks))
                self._inner[identity(op)] = inner
                read |= inner
        return read - made
