"""Register tiles: a few iterations of the parallel loop around a vectorised one run together and share its loads."""

from __future__ import annotations

from dataclasses import replace

from tapeless._mlir import ir
from tapeless.passes.lower.spmd.blocks import body_of, counts_by_one, nested, op_name
from tapeless.passes.lower.spmd.lanes import LaneAnalysis, Lanes, NotVectorisable
from tapeless.passes.lower.spmd.plan import Plan, is_parallel

ROWS = 4
LARGEST_BODY = 8


def jam(plan: Plan) -> Plan:
    """The plan with the loop around it jammed, when that is legal and its body small enough for registers."""
    outer = plan.loop.operation.parent
    if (
        plan.reductions
        or plan.analysis.private
        or plan.analysis.accumulations
        or not plan.may_repeat
        or not _is_small(plan)
    ):
        return plan
    if (
        op_name(outer) != "scf.for"
        or not is_parallel(outer)
        or not counts_by_one(outer)
        or not _only_wraps(outer, plan)
    ):
        return plan
    try:
        LaneAnalysis(outer)
    except NotVectorisable:
        return plan
    return replace(plan, jam=outer.operation, rows=ROWS)


def _is_small(plan: Plan) -> bool:
    varying = [
        result
        for op in nested(body_of(plan.loop))
        for result in op.operation.results
        if plan.analysis.of(result) is Lanes.VARYING
    ]
    return len(varying) <= LARGEST_BODY and not any(op_name(op) == "scf.if" for op in nested(body_of(plan.loop)))


def _only_wraps(outer: ir.Operation, plan: Plan) -> bool:
    """Whether `outer` holds nothing but the planned loop and index arithmetic for it."""
    others = [op for op in list(body_of(outer).operations)[:-1] if op.operation != plan.loop.operation]
    bounds_inside = any(
        not isinstance(v.owner, ir.Block) and v.owner.operation.block == body_of(outer)
        for v in list(plan.loop.operation.operands)[:2]
    )
    return not bounds_inside and all(op_name(op).startswith("arith.") for op in others)
