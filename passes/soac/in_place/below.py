"""Finding the operations of a kind."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir


def ops_below(root: ir.OpView, name: str) -> Iterator[ir.OpView]:
    """The operations of a name in the regions of another one, inner ones first."""
    for op in (op for region in root.regions for block in region.blocks for op in block.operations):
        yield from ops_below(op, name)
        if op.operation.name == name:
            yield op
