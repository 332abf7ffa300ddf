"""The operations of segments: scalar code that has no effect, always ends, and whose derivative is known."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.phi.exchange.core import CONNECTIVES, CORE, can_read
from tapeless.passes.rules.functions import SPECIAL_FUNCTIONS

CONSTANT = "arith.constant"
# Reads of arrays and integers come in from outside.
OUTSIDE = frozenset({CONSTANT, "tensor.extract", "arith.addi", "arith.subi", "arith.muli", "arith.cmpi"})
PARTS = frozenset(CORE) - OUTSIDE
# How many operations there are in a branch that is part of a segment, in all of its regions.
LARGEST_BRANCH = 64


def is_part(op: ir.OpView) -> bool:
    """Whether an operation may stand in a segment; a branch may with all that is in it, if that is not much."""
    left = LARGEST_BRANCH
    pending = [op]
    while pending:
        current = pending.pop()
        if not _may_stand(current):
            return False
        if current.operation.name == "scf.if":
            regions = list(current.operation.regions)
            if not len(current.operation.results) or any(len(region.blocks) != 1 for region in regions):
                return False
            inner = [each for region in regions for each in list(region.blocks[0].operations)[:-1]]
            left -= len(inner)
            if left < 0:
                return False
            pending += [each for each in inner if not is_constant(each)]
    return True


def _may_stand(op: ir.OpView) -> bool:
    """Whether an operation may stand in a segment, whatever is in its regions."""
    name = op.operation.name
    if name not in PARTS or not all(_is_scalar(result.type) for result in op.operation.results):
        return False
    if name == "scf.if":
        return True
    if name == "soac.fn":
        return op.function.value in SPECIAL_FUNCTIONS
    return can_read(op) and (name in CONNECTIVES or all(_is_scalar(each.type) for each in op.operation.operands))


def _is_scalar(type_: ir.Type) -> bool:
    return isinstance(type_, ir.F64Type | ir.F32Type) or _is_bool(type_)


def _is_bool(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width == 1


def is_constant(op: ir.OpView) -> bool:
    """Whether an operation is a scalar constant, which every segment has for itself."""
    return op.operation.name == CONSTANT and _is_scalar(op.operation.results[0].type)
