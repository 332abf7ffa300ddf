"""Finding ops of a kind, inner before outer, and moving code."""

from __future__ import annotations

from collections.abc import Iterator

from tapeless._mlir import ir


def ops_named(root: ir.OpView, *names: str) -> list[ir.OpView]:
    """All ops inside `root` with one of the names, those in regions before the op that holds them."""
    return [op for op in _postorder(root) if op.operation.name in names]


def _postorder(op: ir.OpView) -> Iterator[ir.OpView]:
    for region in op.operation.regions:
        for block in region.blocks:
            for inner in list(block.operations):
                yield from _postorder(inner)
                yield inner


def replace(op: ir.OpView, values: list[ir.Value]) -> None:
    """Replaces an op by values and removes it."""
    for old, new in zip(op.operation.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.operation.erase()
