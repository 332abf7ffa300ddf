"""Operations replaced by their expansions."""

from __future__ import annotations

from tapeless._mlir import ir


def replace(op: ir.OpView, values: list[ir.Value]) -> None:
    """Replaces an op by values and removes it."""
    for old, new in zip(op.operation.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.operation.erase()
