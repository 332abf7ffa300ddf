"""Finding ops of a kind, inner before outer, and moving code."""

from __future__ import annotations

from tapeless._mlir import ir


def ops_named(root: ir.OpView, *names: str) -> list[ir.OpView]:
    """All ops inside `root` with one of the names, those in regions before the op that holds them."""
    found: list[ir.OpView] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name in names and op != root.operation:
            found.append(op.opview)
        return ir.WalkResult.ADVANCE

    root.operation.walk(visit)
    return found


def replace(op: ir.OpView, values: list[ir.Value]) -> None:
    """Replaces an op by values and removes it."""
    for old, new in zip(op.operation.results, values, strict=True):
        old.replace_all_uses_with(new)
    op.operation.erase()
