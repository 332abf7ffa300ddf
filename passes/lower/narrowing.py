"""Loops whose carried array starts with a constant size and changes it are refused.

Upstream folding takes the size such an array starts with for its size in all iterations and casts what comes next to
it; lowered, that would write past the end of the array.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.base import OpRefused
from tapeless.passes.soac.shapes import size_of
from tapeless.passes.soac.slices import DYNAMIC

LOOPS = ("scf.for", "scf.while")
REASON = "carries an array that starts with a constant size and changes it; start it with a size that is not a constant"


def refuse_changed_sizes(root: ir.OpView) -> None:
    """Raises for the first loop below `root` whose next state is cast to a size it does not have."""
    for region in root.regions:
        for block in region.blocks:
            for op in block.operations:
                if op.operation.name in LOOPS and any(_is_wrong(value) for value in _next_values(op)):
                    raise OpRefused(op, REASON)
                refuse_changed_sizes(op)


def _next_values(loop: ir.OpView) -> list[ir.Value]:
    block = loop.regions[-1].blocks[0]
    return list(block.operations[len(block.operations) - 1].operands)


def _is_wrong(value: ir.Value) -> bool:
    """Whether a value is cast to a static size that its source is not known to have."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "tensor.cast":
        return False
    source = value.owner.operands[0]
    extents = zip(source.type.shape, value.type.shape, strict=True)
    return any(
        before == DYNAMIC and after != DYNAMIC and size_of(source, axis) != after
        for axis, (before, after) in enumerate(extents)
    )
