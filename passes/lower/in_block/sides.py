"""Of two ways to compute the same, between which sizes choose, the one that the threads of a block take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tapeless._mlir import ir
from tapeless.passes.lower.in_block.allowed import can_share, inner_blocks, number_of_operations, of_host
from tapeless.passes.marks import LAUNCH, SIDE, VARIANTS


@contextmanager
def one_side_each(loop: ir.Operation, most_operations: int) -> Iterator[None]:
    """Inside, choices in a loop have one side where the other one has launches that a block cannot run.

    All others have the shorter side if the loop has more than so many operations with both.
    """
    choices = list(_choices(loop))
    for choice in choices:
        able = [_is_able(region.blocks[0]) for region in choice.regions]
        if able[0] != able[1]:
            _mark(choice, able.index(True))
    if number_of_operations(loop) > most_operations:
        for choice in choices:
            if SIDE not in choice.attributes:
                counts = [
                    sum(number_of_operations(view.operation) for view in region.blocks[0].operations)
                    for region in choice.regions
                ]
                _mark(choice, counts.index(min(counts)))
    try:
        yield
    finally:
        for choice in choices:
            if SIDE in choice.attributes:
                del choice.attributes[SIDE]


def _choices(op: ir.Operation) -> Iterator[ir.Operation]:
    """The choices between two ways on the host, inner ones first."""
    for block in inner_blocks(op):
        for view in block.operations:
            inner = view.operation
            if LAUNCH not in inner.attributes:
                yield from _choices(inner)
                if VARIANTS in inner.attributes and all(len(region.blocks) for region in inner.regions):
                    yield inner


def _mark(choice: ir.Operation, side: int) -> None:
    choice.attributes[SIDE] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), side)


def _is_able(block: ir.Block) -> bool:
    """Whether a block of threads can run all launches of one side."""
    ops = [view.operation for view in block.operations]
    launches = [op for op in ops if LAUNCH in op.attributes]
    launches += [each for op in ops if op not in launches for each in of_host(op) if LAUNCH in each.attributes]
    return all(map(can_share, launches))
