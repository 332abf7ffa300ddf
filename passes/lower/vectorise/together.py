"""Which inner loops run a few iterations together, so that their sums over the lanes are taken together."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.vectorise.lanes import Lanes
from tapeless.passes.lower.vectorise.plan import LanePlan
from tapeless.passes.lower.vectorise.walking import (
    body_of,
    buffer_of,
    counts_by_one,
    indices_of,
    is_made_in,
    memref_of,
    nested,
    op_name,
)
from tapeless.passes.lower.vectorise.weight import weight

# The most instructions of the iterations that run together.
LONGEST_TOGETHER = 512


def runs_together(loop: ir.Operation, plan: LanePlan) -> bool:
    """Whether neighbouring iterations of `loop` can and should run together.

    Those of an innermost loop should when it takes sums over the lanes; those of a loop around others when it works on
    nothing but sums and reads neighbouring elements.
    """
    ops = list(nested(body_of(loop)))
    if plan.register == 1 or len(loop.operation.results) or not counts_by_one(loop):
        return False
    if plan.analysis.is_in_uneven(loop) or any(op.operation in plan.analysis.uneven for op in (loop, *ops)):
        return False
    if any(op_name(op) == "scf.if" for op in ops) or not _is_free_of_order(loop, plan):
        return False
    if any(op_name(op) == "scf.for" for op in ops):
        return _has_fixed_bounds(loop) and _works_on_sums(ops, plan) and _reads_along(loop, ops)
    return _is_short(loop, plan) and any(value in plan.summed.taken for op in ops for value in op.operation.results)


def _is_short(loop: ir.Operation, plan: LanePlan) -> bool:
    """Whether the code stays short; where iterations are long, their sums do not matter."""
    return weight(loop, plan.analysis, plan.summed) * plan.lanes <= LONGEST_TOGETHER


def _works_on_sums(ops: list[ir.Operation], plan: LanePlan) -> bool:
    """Whether values are the same in all lanes, or sums over them; loops carry the latter only, one per iteration."""
    totals = [result for op in ops if op_name(op) == "scf.for" for result in op.operation.results]
    others = [result for op in ops if op_name(op) != "scf.for" for result in op.operation.results]
    return all(value in plan.summed.carried for value in totals) and all(
        plan.analysis.of(value) is not Lanes.VARYING or value in plan.summed.carried for value in others
    )


def _has_fixed_bounds(loop: ir.Operation) -> bool:
    """Whether the loops inside run from and to the same numbers in every iteration of `loop`."""
    inner = [op for op in nested(body_of(loop)) if op_name(op) == "scf.for"]
    bounds = [bound for op in inner for bound in list(op.operation.operands)[:3]]
    return not any(is_made_in(bound, loop) for bound in bounds)


def _reads_along(loop: ir.Operation, ops: list[ir.Operation]) -> bool:
    variable = body_of(loop).arguments[0]
    places = [indices_of(op) for op in ops if op_name(op) == "memref.load"]
    return any(place and place[-1] == variable for place in places)


def _is_free_of_order(loop: ir.Operation, plan: LanePlan) -> bool:
    """Whether no iteration reads what another one writes, sums into memory apart."""
    sums = plan.analysis.accumulations
    accesses = [op for op in nested(body_of(loop)) if op_name(op) in ("memref.load", "memref.store")]
    ordinary = [op for op in accesses if op.operation not in sums.by_store and op.operation not in sums.skipped]
    return all(_is_own_element(op, ordinary, loop) for op in ordinary if op_name(op) == "memref.store")


def _is_own_element(store: ir.Operation, accesses: list[ir.Operation], loop: ir.Operation) -> bool:
    """Whether an element that `store` writes is reached by no other iteration."""
    others = [op for op in accesses if buffer_of(op) == buffer_of(store)]
    places = [(memref_of(op), *indices_of(op)) for op in others]
    variable = body_of(loop).arguments[0]
    return variable in indices_of(store) and all(place == (memref_of(store), *indices_of(store)) for place in places)
