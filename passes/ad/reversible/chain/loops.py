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
from tapeless.passes.ad.redundant.control.loops import LoopEnds, refuse_resizing, trip_count, updated
from tapeless.passes.ad.redundant.control.promised import check_digest, promised
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.retrace import Keeping, retrace
from tapeless.passes.ir.scopes import terminator


def chain_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop; an iteration that changes the size of a carried value is refused."""
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
        refuse_resizing(sweep, op, initial, following, range(len(initial)))
        scf.YieldOp(following)
    sweep.bind(op.operation.results, loop.results)


def chain_bars(sweep: Sweep, ends: LoopEnds, keeping: Keeping) -> list[ir.Value]:
    """The adjoints that a loop's ends take, with few states kept at a time."""
    op = ends.op
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
        return _visit(sweep, ends, bars)

    bounds = [lower, trip_count(lower, upper, stride), stride]
    digests = finals[-1:] if DIGEST in op.operation.attributes else []
    states = [initial[k] for k in kept]
    bars = retrace(bounds, states, [*ends.bars, *digests], keeping, step, visit)
    return bars[: len(ends.bars)]


def _run_again(sweep: Sweep, block: ir.Block) -> None:
    """The statements of one iteration, without writes that would store the same values again."""
    for op in list(block.operations)[:-1]:
        if not sweep.take_promised(op):
            sweep.copy(op)


def _visit(sweep: Sweep, ends: LoopEnds, carried: Sequence[ir.Value]) -> list[ir.Value]:
    """One iteration back: the adjoints before it, then the digest of the promised arrays, if there is one."""
    block = ends.op.operation.regions[0].blocks[0]
    bars, digests = carried[: len(ends.bars)], carried[len(ends.bars) :]
    scope = sweep.scope()
    read = list(terminator(block).operands)[-1:] if digests else []
    scope.differentiate(block, ends.enter(scope, bars), read)
    for value, digest in zip(read, digests, strict=True):
        check_digest(sweep.primal(value), digest)
    return [*ends.leave(sweep, scope, bars), *(sweep.primal(block.arguments[-1]) for _ in digests)]
