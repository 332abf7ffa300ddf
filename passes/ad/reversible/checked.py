"""Tests whether a loop that ran backwards arrived where it began, and falls back if not."""

from __future__ import annotations

from dataclasses import replace

from tapeless._mlir import arith, ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.control.loops import LoopEnds
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible import other_loops
from tapeless.passes.ad.reversible.arrival import arrival_error
from tapeless.passes.ad.reversible.backwards import Back, Reversed, run_backwards
from tapeless.passes.ad.reversible.drift import largest, reported, tolerance, way_error
from tapeless.passes.ir.build import cast_to, is_array, number
from tapeless.passes.ir.regions.structure import operands_of

ASTRAY = (
    "a loop that ran backwards is off by {} of the size of its state, and {} is tolerated; "
    "leave out fallback=False to have it run again with few states kept, or use method='redundant'"
)
FELL_BACK = "was off by at most {} of its size; beyond TOLERATED it runs again with states kept: {} times"
FAILED = "was off by at most {} of its size; beyond TOLERATED the call ends: {} times"


@dataclass(frozen=True)
class Verdict:
    """The largest relative error of a loop that ran backwards, the tolerance, and whether it is no larger."""

    error: ir.Value
    tolerated: ir.Value
    is_right: ir.Value


def with_fallback(sweep: Sweep, ends: LoopEnds, left: Reversed) -> Back:
    """Runs backwards; where that went astray, adjoints are those by running again."""
    if any(isinstance(bar.type, soac.AccType) for bar in ends.bars):
        return looking_first(sweep, ends, left)
    back = run_backwards(sweep, ends, left)
    choice = scf.IfOp(_verdict(sweep, left, back, FELL_BACK).is_right, [bar.type for bar in back.bars], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(back.bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(_again(sweep, ends, left))
    return replace(back, bars=list(choice.results))


def or_fail(sweep: Sweep, ends: LoopEnds, left: Reversed) -> Back:
    """Runs backwards; where that went astray, an error says how far."""
    back = run_backwards(sweep, ends, left)
    verdict = _verdict(sweep, left, back, FAILED)
    kind, message = ir.StringAttr.get("InvertibilityError"), ir.StringAttr.get(ASTRAY)
    soac.AssertOp(verdict.is_right, [verdict.error, verdict.tolerated], kind=kind, message=message)
    return back


def looking_first(sweep: Sweep, ends: LoopEnds, left: Reversed) -> Back:
    """The same; the loop runs backwards without adjoints first, and with them only where that went well.

    So it is done where adjoints are accumulators, which cannot be used twice, and where they are differentiated again:
    the derivative of adjoints that went astray, perhaps to infinity, would be no number even where nothing uses them.
    """
    without = LoopEnds(left.plan.op, [], [], [], [])
    back = run_backwards(sweep, without, left, only_states=True)
    choice = scf.IfOp(_verdict(sweep, left, back, FELL_BACK).is_right, [bar.type for bar in ends.bars], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(run_backwards(sweep, ends, left).bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(_again(sweep, ends, left))
    return replace(back, bars=list(choice.results))


def _again(sweep: Sweep, ends: LoopEnds, left: Reversed) -> list[ir.Value]:
    """The adjoints by running the loop once more."""
    op = ends.op
    finals = sweep.primals(op.operation.results)
    bars = other_loops.again(sweep, ends)
    sweep.bind(op.operation.results, finals)
    sweep.save(op, left)
    return [cast_to(like.type, bar) for like, bar in zip(ends.bars, bars, strict=True)]


def _verdict(sweep: Sweep, left: Reversed, back: Back, message: str) -> Verdict:
    """Looks at the values that matter and reports; the error is in terms of the widest tolerance among them."""
    f64 = ir.F64Type.get()
    tolerances = {k: tolerance(left.plan.op.operation.results[k].type) for k in back.needed}
    widest = max(tolerances.values(), default=1.0)
    tolerated = number(f64, widest)
    worst = (
        number(f64, 0.0)
        if back.strayed is None or not tolerances
        else arith.MulFOp(largest(back.strayed), tolerated).result
    )
    for k in back.needed:
        for error in _errors(sweep, left, back, k):
            scaled = arith.MulFOp(error, number(f64, widest / tolerances[k])).result
            worst = arith.MaximumFOp(worst, scaled).result
    is_right = arith.CmpFOp(arith.CmpFPredicate.OLE, worst, tolerated).result
    if tolerances:
        is_right = reported(is_right, worst, message, widest)
    return Verdict(worst, tolerated, is_right)


def _errors(sweep: Sweep, left: Reversed, back: Back, k: int) -> list[ir.Value]:
    """Relative errors of one carried value: at the start, unless it was compared there, and on the way."""
    op = left.plan.op
    true = sweep.primal(operands_of(op, "carried")[k])
    errors = [] if back.strayed is not None else [arrival_error(sweep, left.plan, k, true, back.starts[k])]
    if k in back.sums:
        n = 2 * left.watch.slots.index(k)
        errors.append(way_error(left.watch, left.sums[n], left.sums[n + 1], back.sums[k], is_sampled=is_array(true)))
    return errors
