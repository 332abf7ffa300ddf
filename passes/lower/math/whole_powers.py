"""Floats to the power of integers, as powers of floats: LLVM has the former on lanes with one exponent for all only."""

from __future__ import annotations

from tapeless._mlir import arith, ir, math
from tapeless.passes.ir.rebuild import replace_op

WHOLE_POWER = "math.fpowi"


def as_power(op: ir.Operation) -> ir.Operation:
    """Replaces one, on scalars or vectors; the power of floats."""
    base, exponent = op.operands
    with ir.InsertionPoint(op), op.location:
        power = math.PowFOp(base, arith.SIToFPOp(base.type, exponent).result).operation
        if "fastmath" in op.attributes:
            power.attributes["fastmath"] = op.attributes["fastmath"]
        replace_op(op.opview, [power.results[0]])
    return power
