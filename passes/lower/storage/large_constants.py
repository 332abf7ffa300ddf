"""Large arrays of one value that folding made constants: they are filled when running, not stored with the code."""

from __future__ import annotations

import math

from tapeless._mlir import arith, ir, tensor
from tapeless.passes.ir.rebuild import replace_op

MOST_STORED = 1 << 16


def fill_large_constants(function: ir.OpView) -> None:
    """Turns constant arrays of one value with many elements into `tensor.splat`."""
    for op in list(function.regions[0].blocks[0].operations):
        if op.operation.name == "arith.constant" and _is_large_fill(op.results[0].type, op.attributes["value"]):
            with ir.InsertionPoint(op), op.location:
                element = ir.DenseElementsAttr(op.attributes["value"]).get_splat_value()
                value = arith.constant(op.results[0].type.element_type, element)
                replace_op(op, [tensor.splat(op.results[0].type, value, [])])


def _is_large_fill(type_: ir.Type, value: ir.Attribute) -> bool:
    if not isinstance(type_, ir.RankedTensorType) or math.prod(type_.shape) <= MOST_STORED:
        return False
    return isinstance(value, ir.DenseElementsAttr) and value.is_splat
