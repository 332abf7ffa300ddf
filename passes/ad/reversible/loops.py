"""The rules of `scf.for`: a loop that can be undone stores nothing; others: see `other_loops`.

```
y = y0; for i: y = body(i, y)        forward: as it is
                                     back, i descending: y = what the body made y from; its statements in reverse
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tapeless._mlir import arith, ir, scf
from tapeless.dialects import soac
from tapeless.passes.ad.redundant.loops import LoopEnds, descending, refuse_resizing, trip_count
from tapeless.passes.ad.redundant.sweep import Sweep
from tapeless.passes.ad.reversible import other_loops
from tapeless.passes.ad.reversible.drift import Watch, start_error, tolerance, way_error
from tapeless.passes.ad.reversible.inverses.loops import Undone
from tapeless.passes.ad.reversible.inverses.table import INVERSES
from tapeless.passes.ad.reversible.needed import needed_arguments
from tapeless.passes.ad.reversible.plan import Plan, plan_of
from tapeless.passes.ir.build import cast_to, index, number
from tapeless.passes.ir.regions.members import arguments_of, operands_of
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


def for_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop; where it can be undone, only sums of its carried values are kept."""
    plan = plan_of(op, INVERSES)
    if isinstance(plan, str):
        other_loops.forward(sweep, op)
        return
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


def for_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the initial values and of everything else the body reads."""
    left = sweep.saved.get(op.operation.results[0])
    ends = LoopEnds.of(sweep, op)
    if isinstance(left, Undone):
        bars = _reversed_loop(sweep, ends, Reversed(left.plan, left.trips, Watch([], None), [])).bars
    elif isinstance(left, Reversed):
        bars = _checked_loop(sweep, ends, left)
    else:
        bars = other_loops.back(sweep, ends)
    ends.add(sweep, bars)


def _checked_loop(sweep: Sweep, ends: LoopEnds, left: Reversed) -> list[ir.Value]:
    """The adjoints by running backwards; where that went astray, those by storing states."""
    if any(isinstance(bar.type, soac.AccType) for bar in ends.bars):
        return _looked_at_first(sweep, ends, left)
    back = _reversed_loop(sweep, ends, left)
    bars = back.bars
    choice = scf.IfOp(_is_right(sweep, left, back), [bar.type for bar in bars], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(_again(sweep, ends, left))
    return list(choice.results)


def _looked_at_first(sweep: Sweep, ends: LoopEnds, left: Reversed) -> list[ir.Value]:
    """As accumulators cannot be used twice, the loop runs backwards without them first."""
    without = LoopEnds(left.plan.op, [], [], [], [])
    right = _is_right(sweep, left, _reversed_loop(sweep, without, left, only_states=True))
    choice = scf.IfOp(right, [bar.type for bar in ends.bars], has_else=True)
    with ir.InsertionPoint(choice.then_block):
        scf.YieldOp(_reversed_loop(sweep, ends, left).bars)
    with ir.InsertionPoint(choice.else_block):
        scf.YieldOp(_again(sweep, ends, left))
    return list(choice.results)


def _again(sweep: Sweep, ends: LoopEnds, left: Reversed) -> list[ir.Value]:
    """The adjoints by running the loop once more."""
    op = ends.op
    finals = sweep.primals(op.operation.results)
    bars = other_loops.again(sweep, ends)
    sweep.bind(op.operation.results, finals)
    sweep.save(op, left)
    return [cast_to(like.type, bar) for like, bar in zip(ends.bars, bars, strict=True)]


def _reversed_loop(
    sweep: Sweep, ends: LoopEnds, left: Reversed, *, only_states: bool = False
) -> Back:
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
        found = [cast_to(value.type, new) for value, new in zip(finals, plan.recovered(scope), strict=True)]
        arguments = arguments_of(plan.op, "carried")
        sums = watch.added(sums, position, scope.primals(arguments[k] for k in watch.slots))
        if not only_states:
            plan.finish(scope)
            scope.pull(plan.block, seeds)
        scf.YieldOp([*ends.leave(sweep, scope, bars), *found, *sums])
    bars, rest = _split(loop.results, len(ends.bars))
    starts, sums = _split(rest, len(finals))
    wanted = range(len(loop.results)) if only_states else needed_arguments(loop, range(len(bars)))
    needed = [k for n, k in enumerate(plan.slots) if len(bars) + n in wanted]
    return Back(bars, dict(zip(plan.slots, starts, strict=True)), dict(zip(watch.slots, sums, strict=True)), needed)


def _is_right(sweep: Sweep, left: Reversed, back: Back) -> ir.Value:
    """Whether no error of a value that matters is larger than rounding may make it."""
    worst = number(ir.F64Type.get(), 0.0)
    for k in back.needed:
        tolerated = number(worst.type, tolerance(left.plan.op.operation.results[k].type))
        for error in _errors(sweep, left, back, k):
            worst = arith.MaximumFOp(worst, arith.DivFOp(error, tolerated).result).result
    return arith.CmpFOp(arith.CmpFPredicate.OLE, worst, number(worst.type, 1.0)).result


def _errors(sweep: Sweep, left: Reversed, back: Back, k: int) -> list[ir.Value]:
    """Relative errors of one carried value: at the start, and on the way there."""
    op = left.plan.op
    errors: list[ir.Value] = []
    if not left.plan.slots[k]:
        true = sweep.primal(operands_of(op, "carried")[k])
        errors.append(start_error(true, back.starts[k], sweep.primal(op.operation.results[k])))
    if k in back.sums:
        n = 2 * left.watch.slots.index(k)
        errors.append(way_error(left.watch, *left.sums[n : n + 2], back.sums[k]))
    return errors
