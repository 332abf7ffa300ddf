"""Fills and arrays without contents, made once for every use: stored where they end, and never copied."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir


def separate_empties(root: ir.OpView) -> None:
    """Gives every use of a `tensor.empty` one of its own, so that no loop copies what has no contents yet."""
    for empty in list(_below(root, "tensor.empty")):
        places = [(use.owner.operation, use.operand_number) for use in empty.operation.results[0].uses]
        for user, number in places[1:]:
            user.operands[number] = empty.operation.clone(ip=ir.InsertionPoint(empty)).results[0]


def separate_fills(root: ir.OpView) -> None:
    """Gives every `tensor.insert_slice` of a fill a fill of its own, right before it."""
    for write in list(_below(root, "tensor.insert_slice")):
        part = write.operands[0]
        if isinstance(part, ir.BlockArgument) or part.owner.operation.name != "tensor.splat":
            continue
        fill = part.owner.operation
        if len(list(part.uses)) > 1:
            write.operation.operands[0] = fill.clone(ip=ir.InsertionPoint(write)).results[0]
        elif fill.block == write.operation.block:
            fill.move_before(write.operation)


def _below(root: ir.OpView, name: str) -> Iterator[ir.OpView]:
    """The operations of a name in the regions of another one."""
    for op in (op for region in root.regions for block in region.blocks for op in block.operations):
        yield from _below(op, name)
        if op.operation.name == name:
            yield op
