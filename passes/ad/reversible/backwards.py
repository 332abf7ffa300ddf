"""Reversible loops: forward with sums of the carried values, and backwards from the final state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tapeless._mlir import arith, ir, scf, tensor
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.redundant.control.loops import LoopEnds, descending, refuse_resizing, trip_count
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible.arrival import furthest_off, sizes_at_the_end
from tapeless.passes.ad.reversible.drift import Watch
from tapeless.passes.ad.reversible.milestones import Milestones
from tapeless.passes.ad.reversible.plan import Plan
from tapeless.passes.ir.build import cast_to, index
from tapeless.passes.ir.regions.structure import arguments_of
from tapeless.passes.ir.scopes import is_inside, outer_values, terminator


@dataclass(frozen=True)
class Reversed:
    """The residuals of the forward loop: its plan, the number of iterations, the sums that tell how it went, stored
    states.
    """

    plan: Plan
    trips: ir.Value
    watch: Watch
    sums: list[ir.Value]
    milestones: Milestones | None = None


@dataclass(frozen=True)
class Back:
    """The final state of a reversed loop: adjoints, the start it arrives at, sums, and the values its adjoints need.

    `strayed` is how far it was off at each of the kept states, in terms of what is tolerated.
    """

    bars: list[ir.Value]
    starts: dict[int, ir.Value]
    sums: dict[int, ir.Value]
    needed: list[int]
    strayed: ir.Value | None = None

    @property
    def compared(self) -> list[int]:
        """The values of which sums are kept: those that adjoints need, as far as they are watched."""
        return [k for k in self.needed if k in self.sums]


def run_forward(sweep: Sweep, plan: Plan, budget: int = 0) -> None:
    """Runs a loop; sums of its carried values are kept, and with a budget so many of its states."""
    op = plan.op
    _round_alike(plan)
    lower, upper, step, *initial = sweep.primals(op.operation.operands)
    trips = trip_count(lower, upper, step)
    watch = Watch.over(plan, trips)
    milestones = Milestones.along(plan, budget, trips, initial) if budget else None
    rooms = milestones.rows.values() if milestones else []
    loop = scf.ForOp(lower, upper, step, [*initial, *watch.zeros(2), *rooms])
    with ir.InsertionPoint(loop.body):
        state, rest = _split(loop.inner_iter_args, len(initial))
        sums, rows = _split(rest, 2 * len(watch.slots))
        sweep.bind(plan.block.arguments, [loop.induction_variable, *state])
        position = arith.DivSIOp(arith.SubIOp(loop.induction_variable, lower).result, step).result
        if milestones:
            rows = milestones.passed(position, rows, state)
        sums = watch.added(sums, position, [state[k] for k in watch.slots])
        for inner in plan.solver.statements:
            sweep.copy(inner)
        following = sweep.primals(terminator(plan.block).operands)
        refuse_resizing(sweep, op, initial, following, range(len(initial)))
        scf.YieldOp([*following, *sums, *rows])
    finals, rest = _split(loop.results, len(initial))
    sums, rows = _split(rest, 2 * len(watch.slots))
    sweep.bind(op.operation.results, finals)
    if milestones:
        milestones = milestones.with_rows(rows).keep(milestones.count, finals)
    sweep.save(op, Reversed(plan, trips, watch, sums, milestones))


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
    if left.milestones is not None:
        return _back_by_stretches(sweep, ends, left, left.milestones, only_states)
    finals = sweep.primals(left.plan.op.operation.results[k] for k in left.plan.slots)
    carried = [*ends.bars, *finals, *left.watch.zeros(1)]
    loop = _back_through(sweep, ends, left, (left.trips, left.trips), carried, only_states)
    return _arrived(ends, left, loop.results, _needed(ends, left, loop, only_states))


def _back_through(
    sweep: Sweep,
    ends: LoopEnds,
    left: Reversed,
    stretch: tuple[ir.Value, ir.Value],
    carried: Sequence[ir.Value],
    only_states: bool,
) -> scf.ForOp:
    """The iterations before a position, the last one first; `stretch` is that position and how many."""
    plan, watch = left.plan, left.watch
    end, trips = stretch
    loop = scf.ForOp(index(0), trips, index(1), carried)
    with ir.InsertionPoint(loop.body):
        position, i = descending(sweep, plan.op, end, loop.induction_variable)
        bars, rest = _split(loop.inner_iter_args, len(ends.bars))
        states, sums = _split(rest, len(plan.slots))
        scope = sweep.scope()
        seeds = ends.enter(scope, bars)
        plan.begin(scope, i, states)
        if not only_states:
            plan.finish(scope)
            scope.pull(plan.block, seeds)
        earlier = ends.leave(sweep, scope, bars)
        found = [cast_to(value.type, new) for value, new in zip(states, plan.recovered(scope), strict=True)]
        watched = scope.primals(arguments_of(plan.op, "carried")[k] for k in watch.slots)
        # Last, so that what finds the state can be merged with the return sweep that computes the same.
        scf.YieldOp([*earlier, *found, *watch.added(sums, position, watched)])
    return loop


def _back_by_stretches(sweep: Sweep, ends: LoopEnds, left: Reversed, milestones: Milestones, only_states: bool) -> Back:
    """The same as a nest: each stretch goes from the kept state at its end to the one at its start, and is compared."""
    sizes = sizes_at_the_end(sweep, left.plan)
    start = [*ends.bars, *left.watch.zeros(1), milestones.zeros()]
    loop = scf.ForOp(index(0), milestones.count, index(1), start)
    with ir.InsertionPoint(loop.body):
        *now, strayed = loop.inner_iter_args
        bars, sums = _split(now, len(ends.bars))
        last = arith.SubIOp(milestones.count, index(1)).result
        n = arith.SubIOp(last, loop.induction_variable).result
        first, end = milestones.stretch(n)
        states = milestones.kept(arith.AddIOp(n, index(1)).result)
        length = arith.SubIOp(end, first).result
        inner = _back_through(sweep, ends, left, (end, length), [*bars, *states, *sums], only_states)
        needed = _needed(ends, left, inner, only_states)
        met = _arrived(ends, left, inner.results, needed)
        if needed:
            true = dict(zip(left.plan.slots, milestones.kept(n), strict=True))
            off = furthest_off(sweep, left.plan, needed, (true, met.starts), sizes)
            strayed = tensor.InsertOp(off, strayed, [n]).result
        scf.YieldOp([*met.bars, *met.sums.values(), strayed])
    *results, strayed = loop.results
    bars, sums = _split(results, len(bars))
    return Back(bars, {}, dict(zip(left.watch.slots, sums, strict=True)), needed, strayed)


def _needed(ends: LoopEnds, left: Reversed, loop: scf.ForOp, only_states: bool) -> list[int]:
    """Which carried values the adjoints of a loop depend on."""
    count = len(ends.bars)
    wanted = range(len(loop.results)) if only_states else needed_arguments(loop, range(count))
    return [k for n, k in enumerate(left.plan.slots) if count + n in wanted]


def _arrived(ends: LoopEnds, left: Reversed, results: Sequence[ir.Value], needed: list[int]) -> Back:
    """The carried values at the end of a loop that ran backwards, by name."""
    bars, rest = _split(results, len(ends.bars))
    starts, sums = _split(rest, len(left.plan.slots))
    pairs = zip(left.plan.slots, starts, strict=True), zip(left.watch.slots, sums, strict=True)
    return Back(bars, dict(pairs[0]), dict(pairs[1]), needed)


def needed_arguments(loop: ir.OpView, results: Iterable[int]) -> set[int]:
    """The positions of carried values that some results of a loop depend on, over any number of iterations.

    Sizes of arrays do not count: they stay the same.
    """
    block = loop.operation.regions[0].blocks[0]
    arguments = {argument: k for k, argument in enumerate(list(block.arguments)[1:])}
    found = set(results)
    yielded = list(terminator(block).operands)
    seen: set[ir.Value] = set()
    pending = [yielded[k] for k in sorted(found)]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if value in arguments:
            k = arguments[value]
            if k not in found:
                found.add(k)
                pending.append(yielded[k])
        elif isinstance(value, ir.OpResult) and is_inside(value.owner.operation, loop.operation):
            pending += _sources(value)
        elif isinstance(value, ir.BlockArgument) and is_inside(value.owner.owner, loop.operation):
            pending += _rows(value)
    return found


def _sources(value: ir.OpResult) -> list[ir.Value]:
    """The operands of a value; of a map, those of this one of its results."""
    op = value.owner.operation
    if op.name == "tensor.dim":
        return [op.operands[1]]
    if op.name == "soac.map" and not len(op.opview.accs):
        return [op.opview.width, terminator(op.regions[0].blocks[0]).operands[value.result_number]]
    return list(outer_values(op))


def _rows(argument: ir.BlockArgument) -> list[ir.Value]:
    """The array of which an argument of a map's body is a row; of other operations, all that they read."""
    op = argument.owner.owner.operation
    if op.name == "soac.map" and not len(op.opview.accs):
        return [op.opview.width if argument.arg_number == 0 else op.opview.inputs[argument.arg_number - 1]]
    return list(outer_values(op))
