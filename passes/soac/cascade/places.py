"""Where operations stand, and the contents of their bodies."""

from __future__ import annotations

from tapeless._mlir import ir

OPERATORS = "soac."
KNOWN = ("arith.", "math.", "scf.if", "scf.yield", "soac.fn", "soac.guard", "soac.yield", "tensor.")


def is_outside_operators(op: ir.OpView) -> bool:
    """Whether no bulk operator contains an operation."""
    around = op.operation.parent
    while around is not None:
        if around.operation.name.startswith(OPERATORS):
            return False
        around = around.operation.parent
    return True


def has_scalar_body(op: ir.OpView, most: int, *, may_read: bool) -> bool:
    """Whether all regions of an operator hold at most so many operations, all on scalars; they may read arrays."""
    count = 0

    def visit(inner: ir.Operation) -> ir.WalkResult:
        nonlocal count
        values = [*inner.operands, *inner.results]
        is_array = any(isinstance(value.type, ir.RankedTensorType) for value in values)
        is_allowed = not is_array or (may_read and inner.name in ("tensor.extract", "tensor.dim"))
        is_known = inner.name.startswith(KNOWN)
        count = count + 1 if is_allowed and is_known else most + 1
        return ir.WalkResult.ADVANCE if count <= most else ir.WalkResult.INTERRUPT

    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                inner.operation.walk(visit)
    return count <= most
