"""The method `redundant`: scopes are executed again instead of being stored."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.jvp import jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import FORWARD, REVERSE
from tapeless.passes.ad.redundant.control.branches import if_back
from tapeless.passes.ad.redundant.control.calls import call_back, call_forward, checkpoint_back
from tapeless.passes.ad.redundant.control.loops import for_back, for_forward
from tapeless.passes.ad.redundant.elements.indexing import INDEXING
from tapeless.passes.ad.redundant.elements.scalars import SCALARS
from tapeless.passes.ad.redundant.elements.structure import STRUCTURE
from tapeless.passes.ad.redundant.operators.histograms import hist_back
from tapeless.passes.ad.redundant.operators.maps import map_back, map_forward
from tapeless.passes.ad.redundant.operators.reductions import reduce_back
from tapeless.passes.ad.redundant.operators.scans import scan_back
from tapeless.passes.ad.redundant.operators.scatters import scatter_back
from tapeless.passes.ad.redundant.scope.function import execute
from tapeless.passes.ad.redundant.scope.sweep import Rules
from tapeless.passes.ad.seed_axis import for_each_seed, wrt_of
from tapeless.passes.ir.constants import is_zero

RULES = Rules(
    forward={
        "scf.for": for_forward,
        "func.call": call_forward,
        "soac.map": map_forward,
    },
    back={
        **SCALARS,
        **INDEXING,
        **STRUCTURE,
        "ad.checkpoint": checkpoint_back,
        "func.call": call_back,
        "scf.if": if_back,
        "scf.for": for_back,
        "soac.map": map_back,
        "soac.reduce": reduce_back,
        "soac.scan": scan_back,
        "soac.hist": hist_back,
        "soac.scatter": scatter_back,
    },
)


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.vjp` by the rules of this method."""
    return vjp_by(RULES, op, function)


def vjp_by(rules: Rules, op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """The function runs forward once, and back for every row of seeds."""
    results = list(body_of(function).operations)[-1].operation.operands
    given = iter(op.seeds)
    seeds = [next(given) if is_float(result.type) else None for result in results]
    seeded = [seed is not None and not is_zero(seed) for seed in seeds]
    executed = execute(rules, function, list(op.primals), seeded, wrt_of(op))

    def pull(rows: list[ir.Value]) -> list[ir.Value]:
        remaining = iter(rows)
        return executed.pull([next(remaining) if has_seed else None for has_seed in seeded])

    values = executed.results
    moving = [seed for seed, has_seed in zip(seeds, seeded, strict=True) if has_seed]
    return [*values, *for_each_seed(op, moving, pull)]


METHOD = Method(vjp, jvp, REVERSE, FORWARD)
