"""Loops that can be undone: forward with sums of what they carry, and backwards from what they ended with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir, scf
from tapeless.passes.ad.redundant.loops import LoopEnds, descending, refuse_resizing, trip_count
from tapeless.passes.ad.redundant.sweep import Sweep
from tapeless.passes.ad.reversible.drift import Watch
from tapeless.passes.ad.reversible.needed import needed_arguments
from tapeless.passes.ad.reversible.plan import Plan
from tapeless.passes.ir.build import cast_to, index
from tapeless.passes.ir.regions.members import arguments_of
from tapeless.passes.ir.scopes import terminator


@dataclass(frozen=True)
class Reversed:
    """What the forward loop leaves: its plan, the number of iterations, and the sums that tell how it went."""

    plan: Plan
    trips: ir.Value
    watch: Watch
    sums: list[ir.Value]


@dataclass(frozen=True)
class Back:
    """What a reversed loop ends with: adjoints, the start it arrives at, sums, and which values its adjoints need."""

    bars: list[ir.Value]
    starts: dict[int, ir.Value]
    sums: dict[int, ir.Value]
    needed: list[int]

    @property
    def compared(self) -> list[int]:
        """The values of which sums are kept: those that adjoints need, as far as they are watched."""
        return [k for k in self.needed if k in self.sums]


def run_forward(sweep: Sweep, plan: Plan) -> None:
    """Runs a loop; sums of its carried values are kept."""
    op = plan.op
    _round_alike(plan)
    lower, upper, step, *initial = sweep.primals(op.operation.operands)
    trips = trip_count(lower, upper, step)
    watch = Watch.over(plan, trips)
    loop = scf.ForOp(lower, upper, step, [*initial, *watch.zeros(2)])
    with ir.InsertionPoint(loop.body):
        state, sums = _split(loop.inner_iter_args, len(initial))
        sweep.bind(plan.block.arguments, [loop.induction_variable, *state])
        position = arith.DivSIOp(arith.SubIOp(loop.induction_variable, lower).result, step).result
        sums = watch.added(sums, position, [state[k] for k in watch.slots])
        for inner in plan.solver.statements:
            sweep.copy(inner)
        following = sweep.primals(terminator(plan.block).operands)
        refuse_resizing(sweep, op, initial, following)
        scf.YieldOp([*following, *sums])
    finals, sums = _split(loop.results, len(initial))
    sweep.bind(op.operation.results, finals)
    sweep.save(op, Reversed(plan, trips, watch, sums))


def _split(values: Sequence[ir.Value], count: int) -> tuple[list[ir.Value], list[ir.Value]]:
    return list(values)[:count], list(values)[count:]


def _round_alike(plan: Plan) -> None:
    """Statements that are undone are no part of fused operations, so that both ways round alike."""
    plain = ir.Attribute.parse("#arith.fastmath<none>")
    for op in plan.solver.undone:
        if "fastmath" in op.operation.attributes:
            op.operation.attributes["fastmath"] = plain


def run_backwards(sweep: Sweep, ends: LoopEnds, left: Reversed, *, only_states: bool = False) -> Back:
    """The loop from its last iteration to its first."""
    plan, watch = left.plan, left.watch
    finals = sweep.primals(plan.op.operation.results[k] for k in plan.slots)
    loop = scf.ForOp(index(0), left.trips, index(1), [*ends.bars, *finals, *watch.zeros(1)])
    with ir.InsertionPoint(loop.body):
        position, i = descending(sweep, plan.op, left.trips, loop.induction_variable)
        bars, rest = _split(loop.inner_iter_args, len(ends.bars))
        states, sums = _split(rest, len(finals))
        scope = sweep.scope()
        seeds = ends.enter(scope, bars)
        plan.begin(scope, i, states)
        if not only_states:
            plan.finish(scope)
            scope.pull(plan.block, seeds)
        earlier = ends.leave(sweep, scope, bars)
        found = [cast_to(value.type, new) for value, new in zip(finals, plan.recovered(scope), strict=True)]
        watched = scope.primals(arguments_of(plan.op, "carried")[k] for k in watch.slots)
        # Last, so that what finds the state can be merged with the return sweep that computes the same.
        scf.YieldOp([*earlier, *found, *watch.added(sums, position, watched)])
    bars, rest = _split(loop.results, len(ends.bars))
    starts, sums = _split(rest, len(finals))
    wanted = range(len(loop.results)) if only_states else needed_arguments(loop, range(len(bars)))
    needed = [k for n, k in enumerate(plan.slots) if len(bars) + n in wanted]
    return Back(bars, dict(zip(plan.slots, starts, strict=True)), dict(zip(watch.slots, sums, strict=True)), needed)
