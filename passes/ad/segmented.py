"""Segments under differentiation: their operations run one by one, and go back as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tapeless._mlir import ir

SEGMENT = "phi.segment"


def is_segment(op: ir.OpView) -> bool:
    """Whether an operation is a segment."""
    return op.operation.name == SEGMENT


def body_of_segment(op: ir.OpView) -> ir.Block:
    """The block of a segment."""
    return op.operation.regions[0].blocks[0]


def yielded_by(op: ir.OpView) -> list[ir.Value]:
    """The values in a segment that become its results."""
    block = body_of_segment(op)
    return list(block.operations[len(block.operations) - 1].operation.operands)


def one_by_one(ops: Iterable[ir.OpView]) -> Iterator[ir.OpView]:
    """Operations, with those in segments in their place."""
    for op in ops:
        if is_segment(op):
            yield from list(body_of_segment(op).operations)[:-1]
        else:
            yield op


def behind(value: ir.Value) -> ir.Value:
    """The value in a segment that a result of it is; any other value itself."""
    if isinstance(value, ir.BlockArgument) or not is_segment(value.owner):
        return value
    return yielded_by(value.owner)[list(value.owner.operation.results).index(value)]
