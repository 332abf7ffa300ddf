"""Removes attributes and operations that only differentiation reads, once no derivative is left to make."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.copying import inline_block
from tapeless.passes.ad.custom import RULE
from tapeless.passes.ir.rebuild import replace_op
from tapeless.passes.ir.search import ops_named

MARKS = ("ad.stop_gradient", "ad.promise", "ad.checkpoint")


def drop_marks(module: ir.Module) -> bool:
    """Removes custom rules and marks; whether there was any."""
    rules = [op for op in module.body.operations if op.operation.name == RULE]
    for op in rules:
        op.operation.erase()
    marks = [op for function in module.body.operations for op in ops_named(function, *MARKS)]
    for op in marks:
        with ir.InsertionPoint(op), op.location:
            is_region = op.operation.name == "ad.checkpoint"
            replace_op(op, inline_block(op.body.blocks[0], []) if is_region else list(op.operation.operands))
    return bool(rules or marks)
