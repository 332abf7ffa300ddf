"""Finding the operations of a kind: callbacks of a walk cost a sixth of visits one by one."""

from __future__ import annotations

from tapeless._mlir import ir


def ops_named(root: ir.OpView, *names: str, outer_first: bool = False) -> list[ir.OpView]:
    """All ops inside `root` with one of the names, those in regions before the op that holds them, or after it."""
    found: list[ir.OpView] = []
    onward = ir.WalkResult.ADVANCE

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name in names and op != root.operation:
            found.append(op.opview)
        return onward

    root.operation.walk(visit, ir.WalkOrder.PRE_ORDER if outer_first else ir.WalkOrder.POST_ORDER)
    return found


def holds(root: ir.OpView, *names: str) -> bool:
    """Whether an operation with one of the names is somewhere below `root`."""
    is_found = False

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal is_found
        is_found = op.name in names and op != root.operation
        return ir.WalkResult.INTERRUPT if is_found else ir.WalkResult.ADVANCE

    root.operation.walk(visit)
    return is_found
