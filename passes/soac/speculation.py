"""Whether an operation may run where the program would not have run it."""

from __future__ import annotations

from tapeless._mlir import ir

from .indices import is_index_of
from .shapes import size_of
from .sizes import DIVISIONS, constant_int
from .slots import is_structured

TOTAL_DIALECTS = frozenset({"arith", "math"})
TOTAL_OPS = frozenset(
    {
        "soac.fn",
        "soac.transpose",
        "soac.reverse",
        "soac.argsort",
        "soac.scatter",
        "soac.yield",
        "scf.yield",
        "tensor.dim",
        "tensor.cast",
        "tensor.concat",
        "tensor.splat",
        "tensor.empty",
        "tensor.from_elements",
    }
)
MAY_NOT_END = frozenset({"scf.while"})


def is_safe_anywhere(op: ir.OpView) -> bool:
    """Whether an operation, with everything in its regions, has no effect, always ends and reads only what exists."""
    if op.operation.name in MAY_NOT_END or not _is_safe_itself(op):
        return False
    blocks = [block for region in op.regions for block in region.blocks]
    return all(is_safe_anywhere(inner) for block in blocks for inner in block.operations)


def _is_safe_itself(op: ir.OpView) -> bool:
    if op.operation.name in DIVISIONS:
        return bool(constant_int(op.operands[1]))
    if op.operation.name == "tensor.extract":
        return all(is_index_of(index, size_of(op.operands[0], k)) for k, index in enumerate(list(op.operands)[1:]))
    dialect = op.operation.name.split(".")[0]
    return dialect in TOTAL_DIALECTS or op.operation.name in TOTAL_OPS or is_structured(op.operation.name)
