"""How much code the body of a vectorised loop is: vector instructions per register of a value."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.lanes import ELEMENTWISE_OPS, LaneAnalysis, Lanes
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.walking import body_of, nested, op_name

# An elementary function becomes about as many instructions of arithmetic.
FUNCTION = 16


def weight(loop: ir.Operation, analysis: LaneAnalysis, summed: SummedValues) -> int:
    """The instructions that one iteration of `loop` runs on vectors, loops inside counted once."""
    return weight_of(body_of(loop), analysis, summed)


def weight_of(block: ir.Block, analysis: LaneAnalysis, summed: SummedValues) -> int:
    """The instructions on vectors that a block of a loop runs, loops inside counted once."""
    return sum(_weight_of(op) for op in nested(block) if _is_vector_code(op, analysis, summed))


def _weight_of(op: ir.Operation) -> int:
    is_function = op_name(op).startswith("math.") or op_name(op) in ELEMENTWISE_OPS
    return FUNCTION if is_function else 1


def _is_vector_code(op: ir.Operation, analysis: LaneAnalysis, summed: SummedValues) -> bool:
    results = [result for result in op.operation.results if analysis.of(result) is Lanes.VARYING]
    return op_name(op) != "scf.for" and any(result not in summed.carried for result in results)
