"""The method `redundant`: scopes are executed again instead of being stored."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.forward.jvp import jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import prepared_copy
from tapeless.passes.ad.redundant.scope.function import execute
from tapeless.passes.ad.redundant.scope.sweep import Rules
from tapeless.passes.ad.redundant.table import RULES
from tapeless.passes.ad.seed_axis import for_each_seed, wrt_of
from tapeless.passes.ir.constants import is_zero


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """What becomes of `ad.vjp`, by the rules of this method."""
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


METHOD = Method(prepared_copy, vjp, jvp)
