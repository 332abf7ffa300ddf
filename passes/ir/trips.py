"""How often the body of a loop runs."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.sizes import constant_int


def surely_runs(loop: ir.OpView) -> bool:
    """Whether the body runs at least once whenever the loop is reached."""
    if loop.operation.name == "scf.for":
        low, high = list(loop.operands)[:2]
        first, end = constant_int(low), constant_int(high)
        return first < end if first is not None and end is not None else _is_strip(low, high)
    if loop.operation.name in ("soac.map", "soac.fused"):
        return (constant_int(loop.operands[0]) or 0) > 0
    return False


def _is_strip(low: ir.Value, high: ir.Value) -> bool:
    """Whether bounds are those of a strip of the loop around: from its iteration on, at most to its end."""
    if not isinstance(low, ir.BlockArgument) or low.owner.owner.name != "scf.for" or low.arg_number != 0:
        return False
    _, end, step, *_ = low.owner.owner.operands
    left = [high]
    while left:
        bound = left.pop()
        if bound == end:
            continue
        op = None if isinstance(bound, ir.BlockArgument) else bound.owner
        if op is not None and op.name == "arith.minsi":
            left += op.operands
        elif op is None or op.name != "arith.addi" or not _is_beyond(low, step, *op.operands):
            return False
    return True


def _is_beyond(low: ir.Value, step: ir.Value, first: ir.Value, second: ir.Value) -> bool:
    """Whether a sum adds a positive number to the beginning of a strip; the step of a loop is positive."""
    return first == low and (second == step or (constant_int(second) or 0) > 0)
