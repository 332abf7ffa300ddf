"""Operations of `math` for which NVVM has library calls or nothing, though a GPU has instructions for them."""

from __future__ import annotations

import math
from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless._mlir import math as math_dialect
from tapeless.passes.ir.search import ops_named


def use_instructions(root: ir.Operation) -> None:
    """Replaces such operations everywhere below an operation."""
    for op in list(ops_named(root.opview, *REPLACED)):
        with ir.InsertionPoint(op), op.location:
            result = REPLACED[op.operation.name](op.operation.operands[0])
        op.operation.results[0].replace_all_uses_with(result)
        op.operation.erase()


def _is_nan(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.UNO, value, value)


def _is_finite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OLT, math_dialect.absf(value), arith.constant(value.type, math.inf))


def _is_infinite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OEQ, math_dialect.absf(value), arith.constant(value.type, math.inf))


def _truncated(value: ir.Value) -> ir.Value:
    return ir.Operation.create("llvm.intr.trunc", [value.type], [value]).results[0]


REPLACED: dict[str, Callable[[ir.Value], ir.Value]] = {
    "math.isnan": _is_nan,
    "math.isfinite": _is_finite,
    "math.isinf": _is_infinite,
    "math.trunc": _truncated,
}
