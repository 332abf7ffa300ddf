"""Values that MLIR lets operations of core IR have, and that mean nothing here: refused before anything is emitted."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.storage.tree import Node


def check_loop(node: Node) -> None:
    """A counted loop has an `index`, signed bounds, and a step of at least 1 where that is known."""
    counted = node.arguments()[0].type
    if not isinstance(counted, ir.IndexType):
        raise OpRefused(node.op, f"counts with {counted}; cast its bounds to index")
    if "unsignedCmp" in node.op.attributes:
        raise OpRefused(node.op, "compares without signs; leave out 'unsigned'")
    step = constant_int(node.operands[2])
    if step is not None and step < 1:
        raise OpRefused(node.op, f"has the step {step}; give one of at least 1")


def check_strides(node: Node, strides: Sequence[Index]) -> None:
    """A slice goes forward: 'soac.reverse' turns an array around."""
    for stride in strides:
        if isinstance(stride, int) and stride < 1:
            raise OpRefused(node.op, f"has the stride {stride}; give one of at least 1, or use 'soac.reverse'")


def check_sizes(node: Node, sizes: Sequence[Index]) -> None:
    """Known sizes are not negative; those of constant arrays are read as numbers without sign."""
    for size in sizes:
        if isinstance(size, int) and not 0 <= size < 1 << 63:
            signed = (size + (1 << 63)) % (1 << 64) - (1 << 63)
            raise OpRefused(node.op, f"has the size {signed}; give one of at least 0")
