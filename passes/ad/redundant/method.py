"""The method `redundant`: scopes are executed again instead of being stored."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.custom import body_of
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import FORWARD, REVERSE
from tapeless.passes.ad.redundant.elements.scalars import TABLE
from tapeless.passes.ad.redundant.scope.function import execute
from tapeless.passes.ad.redundant.scope.sweep import Rule, Rules
from tapeless.passes.ad.seed_axis import for_each_seed, wrt_of
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.ir.constants import is_zero

FORWARD_RULES: ImportTable[str, Rule] = ImportTable(
    "ad.redundant",
    {
        "scf.for": "control.loops.for_forward",
        "func.call": "control.calls.call_forward",
        "soac.map": "operators.maps.map_forward",
    },
)
BACK_RULES: ImportTable[str, Rule] = ImportTable(
    "ad.redundant",
    {
        **dict.fromkeys(TABLE, "elements.scalars.by_partials"),
        "soac.fn": "elements.scalars.by_partials",
        "arith.select": "elements.scalars.select",
        "arith.extf": "elements.scalars.extend",
        "arith.truncf": "elements.scalars.truncate",
        "tensor.extract": "elements.indexing.extract_back",
        "tensor.insert": "elements.indexing.insert_back",
        "tensor.extract_slice": "elements.indexing.extract_slice_back",
        "tensor.insert_slice": "elements.indexing.insert_slice_back",
        "tensor.splat": "elements.structure.splat_back",
        "tensor.from_elements": "elements.structure.from_elements_back",
        "tensor.concat": "elements.structure.concat_back",
        "tensor.reshape": "elements.structure.reshape_back",
        "tensor.cast": "elements.structure.cast_back",
        "ad.promise": "elements.structure.cast_back",
        "soac.widen": "elements.structure.cast_back",
        "soac.transpose": "elements.structure.transpose_back",
        "soac.reverse": "elements.structure.reverse_back",
        "ad.checkpoint": "control.calls.checkpoint_back",
        "func.call": "control.calls.call_back",
        "scf.if": "control.branches.if_back",
        "scf.for": "control.loops.for_back",
        "soac.map": "operators.maps.map_back",
        "soac.reduce": "operators.reductions.reduce_back",
        "soac.scan": "operators.scans.scan_back",
        "soac.hist": "operators.histograms.hist_back",
        "soac.scatter": "operators.scatters.scatter_back",
    },
)
RULES = Rules(FORWARD_RULES, BACK_RULES)


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.vjp` by the rules of this method."""
    return vjp_by(RULES, op, function)


def jvp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.jvp` by forward mode, whose rules are loaded with the first request for it."""
    from tapeless.passes.ad.forward.jvp import jvp as pushed_forward

    return pushed_forward(op, function)


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
