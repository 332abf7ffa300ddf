"""The rules of `scf.for` as a chain: nothing is stored going forward; going back, few states are kept at a time.

```
y = y0; for i: y = body(i, y)        forward: the loop as it is
                                     back: retrace from y0, visiting i descending: body again; its statements in reverse
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tapeless._mlir import ir, scf
from tapeless.dialects.ad.marks import DIGEST
from tapeless.passes.ad.redundant.loops import next_bars, refuse_resizing, seeds_at, trip_count, updated
from tapeless.passes.ad.redundant.promised import check_digest, promised
from tapeless.passes.ad.redundant.sweep import Sweep
from tapeless.passes.ad.retrace import Kept, retrace
from tapeless.passes.ir.regions.members import arguments_of, operands_of
from tapeless.passes.ir.scopes import terminator


def chain_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop; an iteration that changes the size of what is carried is refused."""
    lower, upper, step, *initial = sweep.primals(op.operation.operands)
    block = op.operation.regions[0].blocks[0]
    loop = scf.ForOp(lower, upper, step, initial)
    for name in op.operation.attributes:
        loop.operation.attributes[name] = op.operation.attributes[name]
    with ir.InsertionPoint(loop.body):
        sweep.bind(block.arguments, [loop.induction_variable, *loop.inner_iter_args])
        for inner in list(block.operations)[:-1]:
            sweep.copy(inner)
        following = sweep.primals(terminator(block).operands)
        refuse_resizing(sweep, op, initial, following)
        scf.YieldOp(following)
    sweep.bind(op.operation.results, loop.results)


def chain_back(sweep: Sweep, op: ir.OpView, budget: int) -> None:
    """Adds the adjoints of the initial values and of everything else the body reads."""
    carried, targets = active_carried(sweep, op), sweep.free_active(op)
    finals = sweep.primals(op.operation.results)
    seeds = [sweep.bars.or_zeros(op.operation.results[k], finals[k]) for k in carried]
    before = [sweep.bars.or_zeros(value, sweep.primal(value)) for value in targets]
    bars = chain_bars(sweep, op, budget, seeds, before)
    for value, bar in zip(targets, bars[len(carried) :], strict=True):
        sweep.bars.set(value, bar)
    initial = operands_of(op, "carried")
    for k, bar in zip(carried, bars, strict=False):
        sweep.bars.add(initial[k], bar)


def active_carried(sweep: Sweep, op: ir.OpView) -> list[int]:
    """The positions of the carried values that have adjoints."""
    return [k for k, value in enumerate(arguments_of(op, "carried")) if value in sweep.activity]


def chain_bars(
    sweep: Sweep, op: ir.OpView, budget: int, seeds: Sequence[ir.Value], before: Sequence[ir.Value]
) -> list[ir.Value]:
    """The adjoints of the active initial values, then those of `sweep.free_active(op)`.

    `seeds` are those of the loop's active results, `before` those that the free values have so far. At most `budget`
    states are kept at a time.
    """
    block, finals = op.operation.regions[0].blocks[0], sweep.primals(op.operation.results)
    lower, upper, stride, *initial = sweep.primals(op.operation.operands)
    sweep.promised.enter(op, finals)
    kept = [k for k in range(len(initial)) if k not in promised(op)]

    def step(i: ir.Value, states: list[ir.Value]) -> list[ir.Value]:
        again = replace(sweep.scope(), values=dict(sweep.values))
        again.bind(block.arguments, [i, *updated(finals, kept, states)])
        _run_again(again, block)
        following = again.primals(terminator(block).operands)
        return [following[k] for k in kept]

    def visit(i: ir.Value, states: list[ir.Value], bars: list[ir.Value]) -> list[ir.Value]:
        sweep.bind(block.arguments, [i, *updated(finals, kept, states)])
        return _visit(sweep, op, bars, len(seeds) + len(before))

    bounds = [lower, trip_count(lower, upper, stride), stride]
    digests = finals[-1:] if DIGEST in op.operation.attributes else []
    bars = retrace(bounds, [initial[k] for k in kept], [*seeds, *before, *digests], Kept.of(op, budget), step, visit)
    return bars[: len(seeds) + len(before)]


def _run_again(sweep: Sweep, block: ir.Block) -> None:
    """The statements of one iteration, but for writes of what is there already."""
    for op in list(block.operations)[:-1]:
        if not sweep.take_promised(op):
            sweep.copy(op)


def _visit(sweep: Sweep, op: ir.OpView, carried: Sequence[ir.Value], bars: int) -> list[ir.Value]:
    """One iteration back: so many adjoints, then the digest of what promised arrays held, if there is one."""
    block = op.operation.regions[0].blocks[0]
    earlier = _body_back(sweep, op, carried[:bars])
    for digest in carried[bars:]:
        check_digest(sweep.primals(terminator(block).operands)[-1], digest)
    return [*earlier, *(sweep.primal(block.arguments[-1]) for _ in carried[bars:])]


def _body_back(sweep: Sweep, op: ir.OpView, bars: Sequence[ir.Value]) -> list[ir.Value]:
    """The adjoints before one iteration, from those after it; the iteration's arguments are bound."""
    carried, targets = active_carried(sweep, op), sweep.free_active(op)
    arguments = arguments_of(op, "carried")
    scope = sweep.scope()
    for value, bar in zip(targets, bars[len(carried) :], strict=True):
        scope.bars.set(value, bar)
    scope.differentiate(op.operation.regions[0].blocks[0], seeds_at(op, carried, bars))
    return next_bars(sweep, scope, [arguments[k] for k in carried], targets, bars)
