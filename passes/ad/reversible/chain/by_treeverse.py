"""Chains visited backwards from few checkpoints, as loops that follow Treeverse."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.retrace import Step, Values, Visit
from tapeless.passes.ad.reversible.chain.kept import Kept
from tapeless.passes.ad.reversible.chain.whole_numbers import LESS, minus, plus
from tapeless.passes.ir.build import index


def backward(
    steps: ir.Value, budget: int, states: Sequence[ir.Value], carried: Sequence[ir.Value], step: Step, visit: Visit
) -> Values:
    """The carried values after the visits of all steps, the last one first."""
    kept = Kept.start(budget, steps, states)
    loop = scf.ForOp(index(0), steps, index(1), [*kept.values, *carried])
    count = len(kept.values)
    with ir.InsertionPoint(loop.body):
        inner = list(loop.inner_iter_args)
        position = minus(minus(steps, index(1)), loop.induction_variable)
        kept = _keep_more(kept.carried(inner[:count]), position, step)
        passed = visit(position, _advance(kept, position, step), inner[count:])
        scf.YieldOp([*kept.visited(position).values, *passed])
    return list(loop.results)[count:]


def _keep_more(kept: Kept, end: ir.Value, step: Step) -> Kept:
    """Keeps the states that are wanted between the newest ones and a step to be visited."""
    types = [value.type for value in kept.values]
    loop = scf.WhileOp([ir.IndexType.get(), *types], kept.values)
    here = [ir.Location.current] * (1 + len(types))
    with ir.InsertionPoint(before := ir.Block.create_at_start(loop.before, types, here[1:])):
        position = kept.carried(before.arguments).next_position(plus(end, index(1)))
        scf.ConditionOp(arith.CmpIOp(LESS, position, end).result, [position, *before.arguments])
    with ir.InsertionPoint(after := ir.Block.create_at_start(loop.after, [ir.IndexType.get(), *types], here)):
        position, *values = after.arguments
        inner = kept.carried(values)
        scf.YieldOp(inner.push(position, _advance(inner, position, step)).values)
    return kept.carried(list(loop.results)[1:])


def _advance(kept: Kept, end: ir.Value, step: Step) -> Values:
    """The states before step `end`, from the newest kept ones."""
    loop = scf.ForOp(kept.position(), end, index(1), kept.states())
    with ir.InsertionPoint(loop.body):
        scf.YieldOp(step(loop.induction_variable, list(loop.inner_iter_args)))
    return list(loop.results)
