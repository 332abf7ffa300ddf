"""Innermost loops that LLVM would vectorise as well, for passes that put other operations on the lanes."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.accesses import Pattern, classify
from tapeless.passes.lower.vectorise.lanes import LaneAnalysis, NotVectorisable
from tapeless.passes.lower.vectorise.plan import LanePlan, widest_bits
from tapeless.passes.lower.vectorise.sums.summed import SummedValues
from tapeless.passes.lower.vectorise.walking import body_of, counts_by_one, nested, op_name
from tapeless.passes.marks import PARALLEL

REGISTERS = 2
NEAR = (Pattern.SHARED, Pattern.CONTIGUOUS)


def plan_plain_map(loop: ir.Operation, vector_bits: int) -> LanePlan:
    """How lanes run an innermost map of neighbouring elements; raises NotVectorisable for all other loops."""
    if op_name(loop) != "scf.for" or PARALLEL not in loop.attributes or len(loop.results) or not counts_by_one(loop):
        raise NotVectorisable("no map")
    body = list(nested(body_of(loop)))
    if any(len(op.operation.regions) for op in body):
        raise NotVectorisable("no innermost map")
    analysis = LaneAnalysis(loop)
    accesses = classify(analysis)
    if analysis.accumulations.by_store or any(access.pattern not in NEAR for access in accesses.values()):
        raise NotVectorisable("lanes reach memory in another way")
    register = vector_bits // widest_bits(body)
    lanes = register * REGISTERS
    return LanePlan(loop, analysis, accesses, [], SummedValues(analysis, accesses), register, lanes, lanes)
