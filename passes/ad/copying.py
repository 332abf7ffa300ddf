"""Copies of ops with other operands: how the forward sweep and every re-execution write primal code."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.segmented import body_of_segment, is_raised, is_segment, yielded_by
from tapeless.passes.ir import rebuild
from tapeless.passes.ir.rebuild import Values
from tapeless.passes.ir.sizes.checked_sizes import tells_sizes
from tapeless.passes.marks import NOTED

__all__ = ["Values", "copy_op", "free_values", "inline_block", "repeat_op"]

CHECK = "soac.assert"
REPORT = "soac.report"


def copy_op(op: ir.OpView, values: Values) -> None:
    """A copy of `op` at the insertion point with its operands mapped by `values`, which learns the results.

    Of a segment, its operations one by one, whose results are learned too, unless it was raised to expressions.
    """
    if not is_segment(op) or is_raised(op):
        rebuild.copy_op(op, values)
        return
    block = body_of_segment(op)
    values.update(zip(block.arguments, (values.get(each, each) for each in op.operation.operands), strict=True))
    for inner in list(block.operations)[:-1]:
        copy_op(inner, values)
    values.update(zip(op.operation.results, (values[each] for each in yielded_by(op)), strict=True))


def repeat_op(op: ir.OpView, values: Values) -> None:
    """A copy of `op` that runs a second time: its checks have passed already, but sizes have to be known again."""
    if is_segment(op):
        copy_op(op, values)
    elif op.operation.name == REPORT:
        values[op.operation.results[0]] = values.get(op.operation.operands[0], op.operation.operands[0])
    elif not _is_known(op):
        _drop_checks(rebuild.copy_op(op, values))


def _is_known(op: ir.OpView) -> bool:
    return op.operation.name == CHECK and (NOTED in op.operation.attributes or not tells_sizes(op.operands[0]))


def _drop_checks(op: ir.Operation) -> None:
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                if inner.operation.name == REPORT:
                    inner.operation.results[0].replace_all_uses_with(inner.operation.operands[0])
                    inner.operation.erase()
                elif _is_known(inner):
                    inner.operation.erase()
                else:
                    _drop_checks(inner.operation)


def inline_block(block: ir.Block, arguments: Sequence[ir.Value]) -> list[ir.Value]:
    """Writes the statements of a block for these arguments; gives the operands of its terminator."""
    values: Values = dict(zip(block.arguments, arguments, strict=True))
    *body, last = block.operations
    for op in body:
        copy_op(op, values)
    return [values.get(operand, operand) for operand in last.operation.operands]


def combined(op: ir.OpView, left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
    """The combination of two elements by the operator of a reduction, scan or histogram."""
    return inline_block(op.combine.blocks[0], [*left, *right])


def free_values(op: ir.OpView) -> list[ir.Value]:
    """The values from outside that the regions of `op` read, each once, in order of first use."""
    inside: set[ir.Value] = set()
    found: dict[ir.Value, None] = {}
    blocks = _blocks(op)
    for block in blocks:
        inside.update(block.arguments)
        for inner in block.operations:
            inside.update(inner.operation.results)
    for block in blocks:
        for inner in block.operations:
            found.update((operand, None) for operand in inner.operation.operands if operand not in inside)
    return list(found)


def _blocks(op: ir.OpView) -> list[ir.Block]:
    """The blocks below an operation, each before those inside it."""
    blocks: list[ir.Block] = []
    pending = [block for region in op.operation.regions for block in region.blocks][::-1]
    while pending:
        blocks.append(block := pending.pop())
        inside = [each for inner in block.operations for region in inner.operation.regions for each in region.blocks]
        pending += reversed(inside)
    return blocks
