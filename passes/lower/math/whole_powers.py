"""Floats to the power of integers, as powers of floats: LLVM has the former on lanes with one exponent for all only."""

from __future__ import annotations

from tapeless._mlir import arith, ir, math
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named


def as_powers(function: ir.OpView) -> None:
    """Replaces them in a function, on scalars and vectors."""
    for op in ops_named(function, "math.fpowi"):
        base, exponent = op.operation.operands
        with ir.InsertionPoint(op), op.location:
            power = math.PowFOp(base, arith.SIToFPOp(base.type, exponent).result)
            if "fastmath" in op.operation.attributes:
                power.operation.attributes["fastmath"] = op.operation.attributes["fastmath"]
            replace_op(op, [power.result])
