"""Operations copied to where they are wanted: with other operands, or a map's body for one of its elements."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir

Values = dict[ir.Value, ir.Value]


def copy_op(op: ir.OpView, values: Values) -> ir.Operation:
    """A copy of `op` at the insertion point with its operands mapped by `values`, which learns the results."""
    made = op.operation.clone()
    retarget(made, values)
    for old, new in zip(op.operation.results, made.results, strict=True):
        values[old] = new
    return made


def retarget(op: ir.Operation, values: Values) -> None:
    """Replaces operands of an operation, and of the operations in it, by the new values in `values`."""
    for position, operand in enumerate(op.operands):
        if operand in values:
            op.operands[position] = values[operand]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                retarget(inner.operation, values)


def body_at(op: ir.OpView, index: ir.Value, elements: Sequence[ir.Value], before: ir.OpView) -> list[ir.Value]:
    """The results of a map's body for this index and these elements, computed before an operation."""
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
