"""Segments under differentiation: they go back as a whole.

Going forward, operations of core IR in them run one by one; a segment that was raised to expressions runs as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tapeless._mlir import ir

SEGMENT = "phi.segment"


def is_segment(op: ir.OpView) -> bool:
    """Whether an operation is a segment."""
    return op.operation.name == SEGMENT


def is_raised(op: ir.OpView) -> bool:
    """Whether a segment holds expressions instead of operations of core IR."""
    *body, _ = body_of_segment(op).operations
    return any(inner.operation.name.startswith("phi.") for inner in body)


def body_of_segment(op: ir.OpView) -> ir.Block:
    """The block of a segment."""
    return op.operation.regions[0].blocks[0]


def yielded_by(op: ir.OpView) -> list[ir.Value]:
    """The values in a segment that become its results."""
    block = body_of_segment(op)
    return list(block.operations[len(block.operations) - 1].operation.operands)


def one_by_one(ops: Iterable[ir.OpView]) -> Iterator[ir.OpView]:
    """Operations, with those of core IR in segments in their place."""
    for op in ops:
        if is_segment(op) and not is_raised(op):
            yield from list(body_of_segment(op).operations)[:-1]
        else:
            yield op


def behind(value: ir.Value) -> ir.Value:
    """The value of core IR in a segment that a result of it is; any other value itself."""
    if isinstance(value, ir.BlockArgument) or not is_segment(value.owner) or is_raised(value.owner):
        return value
    return yielded_by(value.owner)[list(value.owner.operation.results).index(value)]
