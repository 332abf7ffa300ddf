"""The body of a map copied to where one of its elements is wanted."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir


def body_at(op: ir.OpView, index: ir.Value, elements: Sequence[ir.Value], before: ir.OpView) -> list[ir.Value]:
    """What the body of a map yields for this index and these elements, computed before an operation."""
    copy = op.operation.clone(ip=ir.InsertionPoint(before))
    block = copy.regions[0].blocks[0]
    for argument, value in zip(block.arguments, [index, *elements], strict=True):
        argument.replace_all_uses_with(value)
    *computation, last = list(block.operations)
    for inner in computation:
        inner.operation.move_before(copy)
    yielded = list(last.operands)
    copy.erase()
    return yielded
