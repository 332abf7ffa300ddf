"""How often the body of a loop runs."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int


def surely_runs(loop: ir.OpView) -> bool:
    """Whether the body runs at least once whenever the loop is reached."""
    if loop.operation.name == "scf.for":
        low, high = (constant_int(operand) for operand in list(loop.operands)[:2])
        return low is not None and high is not None and low < high
    if loop.operation.name in ("soac.map", "soac.fused"):
        return (constant_int(loop.operands[0]) or 0) > 0
    return False
