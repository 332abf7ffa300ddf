"""Which inner loops run a few iterations together, so that their sums over the lanes are taken together."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.spmd.blocks import body_of, buffer_of, counts_by_one, indices_of, memref_of, op_name
from tapeless.passes.lower.spmd.plan import Plan


def runs_together(loop: ir.Operation, plan: Plan) -> bool:
    """Whether neighbouring iterations of `loop` can and should run together: it takes sums and does little else."""
    ops = list(body_of(loop).operations)
    if plan.register == 1 or len(loop.operation.results) or not counts_by_one(loop):
        return False
    if any(len(op.operation.regions) for op in ops):
        return False
    takes_sums = any(result in plan.summed.taken for op in ops for result in op.operation.results)
    return takes_sums and _is_free_of_order(loop, plan)


def _is_free_of_order(loop: ir.Operation, plan: Plan) -> bool:
    """Whether no iteration reads what another one writes, sums into memory apart."""
    sums = plan.analysis.accumulations
    accesses = [op for op in body_of(loop).operations if op_name(op) in ("memref.load", "memref.store")]
    ordinary = [op for op in accesses if op.operation not in sums.by_store and op.operation not in sums.skipped]
    return all(_is_own_element(op, ordinary, loop) for op in ordinary if op_name(op) == "memref.store")


def _is_own_element(store: ir.Operation, accesses: list[ir.Operation], loop: ir.Operation) -> bool:
    """Whether an element that `store` writes is reached by no other iteration."""
    others = [op for op in accesses if buffer_of(op) == buffer_of(store)]
    places = [(memref_of(op), *indices_of(op)) for op in others]
    variable = body_of(loop).arguments[0]
    return variable in indices_of(store) and all(place == (memref_of(store), *indices_of(store)) for place in places)
