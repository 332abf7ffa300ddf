"""The cost of a body: how many operations it has, and whether repeating it is next to free."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.effects import is_or_holds
from tapeless.passes.ir.guards import usual_regions
from tapeless.passes.ir.sizes.sizes import constant_int

# How many operations an element may cost that every reader computes for itself from its index.
INDEX_ONLY_LIMIT = 2
# As many steps of a reduction cost more than to store its result in one loop and read it in another.
LONG = 16

EXPONENTIAL = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "powf", "erf", "erfc")
CIRCULAR = ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")
HYPERBOLIC = ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
COSTLY = frozenset(f"math.{name}" for name in (*EXPONENTIAL, *CIRCULAR, *HYPERBOLIC))
CHECKS = frozenset({"soac.assert", "func.call"})
SUMS = frozenset({"soac.reduce", "soac.scan"})
FREE = frozenset({"arith.constant", "soac.yield", "arith.index_cast", "arith.index_castui", "tensor.dim"})
CHEAP = frozenset(
    {
        "arith.addf",
        "arith.subf",
        "arith.mulf",
        "arith.negf",
        "arith.addi",
        "arith.subi",
        "arith.muli",
        "arith.cmpf",
        "arith.cmpi",
        "arith.select",
        "arith.maximumf",
        "arith.minimumf",
        "arith.maxnumf",
        "arith.minnumf",
        "arith.maxsi",
        "arith.minsi",
        "arith.sitofp",
        "arith.uitofp",
        "arith.extf",
        "arith.truncf",
        "arith.extsi",
        "arith.extui",
        "arith.andi",
        "arith.ori",
        "arith.xori",
        "math.absf",
    }
)


def body_size(block: ir.Block) -> int:
    """The number of operations in a block and all regions in it, without cold branches."""
    return sum(1 + _nested(op) for op in block.operations)


def is_cheap(block: ir.Block, limit: int) -> bool:
    """Whether a body is at most `limit` simple scalar operations, so that it may run more than once per element."""
    operations = list(block.operations)
    costly = [op for op in operations if op.operation.name not in FREE]
    return len(costly) <= limit and all(op.operation.name in CHEAP for op in costly)


def _nested(op: ir.OpView) -> int:
    return sum(body_size(block) for region in usual_regions(op) for block in region.blocks)


def has_check(block: ir.Block) -> bool:
    """Whether a run-time check, or a call that may hold one, is somewhere in a block."""
    return any(is_check(op) for op in block.operations)


def is_check(op: ir.OpView) -> bool:
    """Whether an operation is a run-time check or a call, or holds one."""
    return is_or_holds(op, CHECKS) if len(op.regions) else op.operation.name in CHECKS


def calls_function(op: ir.OpView) -> bool:
    """Whether an operation is a function such as exp, or holds one."""
    if op.operation.name in COSTLY or op.operation.name == "soac.fn":
        return True
    return any(calls_function(inner) for region in op.regions for block in region.blocks for inner in block.operations)


def adds_up(op: ir.OpView) -> bool:
    """Whether an operation is a reduction that may have many steps, or a map of such."""
    if op.operation.name == "soac.reduce":
        steps = constant_int(op.operands[0])
        return steps is None or steps >= LONG
    return op.operation.name == "soac.map" and any(map(adds_up, op.regions[0].blocks[0].operations))
