"""Where a thread is in its launch."""

from __future__ import annotations

from tapeless._mlir import arith, ir


def thread_number() -> ir.Value:
    """The number of a thread among all of a launch."""
    return arith.addi(arith.muli(position("gpu.block_id"), position("gpu.block_dim")), position("gpu.thread_id"))


def position(name: str) -> ir.Value:
    """A coordinate or size along the one axis that launches have, by the name of its operation."""
    axis = ir.Attribute.parse("#gpu<dim x>")
    return ir.Operation.create(name, [ir.IndexType.get()], [], {"dimension": axis}).results[0]
