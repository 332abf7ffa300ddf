"""Operations on scalars, and which of them may stop a program or become one instruction with another."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import FUSED

DIVISIONS = ("arith.div", "arith.rem", "arith.ceildiv", "arith.floordiv")


def can_trap(op: ir.OpView) -> bool:
    """Whether an operation may stop the program, as a division by zero does, and must run only where it was written."""
    if not op.operation.name.startswith(DIVISIONS) or op.operation.name.endswith("f"):
        return False
    return constant_int(op.operands[1]) in (None, 0, -1)


def is_fused(node: Node) -> bool:
    """Whether an operation is a product that becomes one instruction with the sum that uses it."""
    return node.name == "arith.mulf" and FUSED in node.op.attributes


def is_scalar_op(node: Node) -> bool:
    """Whether an operation computes scalars from scalars without side effects."""
    dialect = node.name.split(".")[0]
    if dialect not in ("arith", "math") and node.name not in ("soac.fn", "soac.guard"):
        return False
    return not any(is_array(value) for value in (*node.operands, *node.results))
