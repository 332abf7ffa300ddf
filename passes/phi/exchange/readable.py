"""Which operations of core IR can be read, whatever is in their regions."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.phi.exchange.core import can_read
from tapeless.passes.phi.exchange.core_loops import CAN_READ, can_read_loop


def is_readable(op: ir.OpView) -> bool:
    """Whether an operation, with all that it holds, has an expression that means the same."""
    name = op.operation.name
    if name in CAN_READ:
        return can_read_loop(op, is_readable)
    inner = [each for region in op.operation.regions for block in region.blocks for each in list(block.operations)[:-1]]
    return can_read(op) and all(is_readable(each) for each in inner)
