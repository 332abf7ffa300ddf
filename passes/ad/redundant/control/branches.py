"""The return rule of `scf.if`: the same branch again, run back.

Every adjoint the branches may add to goes in and comes out, so a branch that adds nothing passes it through.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir, scf
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ir.build import cast_to


def if_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the free values of both branches."""
    targets = sweep.free_active(op)
    if not targets:
        return
    before = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in targets]
    seeds = [sweep.bars.get(result) for result in op.operation.results]
    condition = sweep.primal(op.operation.operands[0])
    choice = scf.IfOp(condition, [bar.type for bar in before], has_else=True)
    for region, block in zip(op.operation.regions, (choice.then_block, choice.else_block), strict=True):
        with ir.InsertionPoint(block):
            scf.YieldOp(_branch(sweep, region, targets, before, seeds))
    for value, bar in zip(targets, choice.results, strict=True):
        sweep.bars.set(value, bar)


def _branch(
    sweep: Sweep,
    region: ir.Region,
    targets: Sequence[ir.Value],
    before: Sequence[ir.Value],
    seeds: Sequence[ir.Value | None],
) -> list[ir.Value]:
    scope = sweep.scope()
    for value, bar in zip(targets, before, strict=True):
        scope.bars.set(value, bar)
    if len(region.blocks):
        scope.differentiate(region.blocks[0], seeds)
    return [cast_to(bar.type, scope.bars.of(value)) for value, bar in zip(targets, before, strict=True)]
