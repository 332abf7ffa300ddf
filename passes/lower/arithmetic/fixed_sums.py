"""Short sums in the code around parts get a fixed order: LLVM would choose one by the surrounding code.

A part is compiled the same for any number of threads, but the code that calls parts is not. Loops of a known, small
number of iterations are unrolled there and summed up in an order that depends on it.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.arithmetic.short_sums import trip_count
from tapeless.passes.lower.arithmetic.wide_totals import FREE
from tapeless.passes.marks import RECURSIVE

IN_ORDER = "#arith.fastmath<contract>"
# Longer loops are not unrolled.
MOST = 64


def fix_short_sums(module: ir.Module) -> None:
    """Takes the freedom of order from the short sums of public and of recursive functions."""
    free, in_order = ir.Attribute.parse(FREE), ir.Attribute.parse(IN_ORDER)

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "arith.addf" and op.attributes["fastmath"] == free and _is_short(op.parent):
            op.attributes["fastmath"] = in_order
        return ir.WalkResult.ADVANCE

    for function in module.body.operations:
        attributes = function.operation.attributes
        if function.operation.name == "func.func" and ("sym_visibility" not in attributes or RECURSIVE in attributes):
            function.operation.walk(visit)


def _is_short(loop: ir.Operation) -> bool:
    count = trip_count(loop)
    return count is not None and count <= MOST
