"""How far a state that was found again is from the true one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tapeless._mlir import arith, ir
from tapeless.passes.ad.activity import is_float
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible.drift import magnitude, start_error, state_error, tolerance
from tapeless.passes.ad.reversible.inverses.holes import Hole, read_at, write_at
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ad.reversible.plan import Plan
from tapeless.passes.ir.build import number


def furthest_off(
    sweep: Sweep,
    plan: Plan,
    needed: Iterable[int],
    states: tuple[Mapping[int, ir.Value], Mapping[int, ir.Value]],
    ends: Mapping[int, ir.Value | None],
) -> ir.Value:
    """The largest error of some carried values in units of the tolerance; `states` are the true and the found."""
    f64 = ir.F64Type.get()
    worst = number(f64, 0.0)
    for k in needed:
        true, found, _ = _known_parts(sweep, plan.slots[k], states[0][k], states[1][k], states[0][k])
        tolerated = number(f64, tolerance(plan.op.operation.results[k].type))
        error = arith.DivFOp(state_error(true, found, ends[k]), tolerated).result
        worst = arith.MaximumFOp(worst, error).result
    return worst


def sizes_at_the_end(sweep: Sweep, plan: Plan) -> dict[int, ir.Value | None]:
    """The largest magnitudes of the carried values that are found again, as the loop leaves them; none of integers."""
    finals = {k: sweep.primal(plan.op.operation.results[k]) for k in plan.slots}
    return {k: magnitude(final) if is_float(final.type) else None for k, final in finals.items()}


def arrival_error(sweep: Sweep, plan: Plan, k: int, true: ir.Value, found: ir.Value) -> ir.Value:
    """The relative error of a carried value, without its unknown elements."""
    final = sweep.primal(plan.op.operation.results[k])
    return start_error(*_known_parts(sweep, plan.slots[k], true, found, final))


def _known_parts(
    sweep: Sweep, holes: tuple[Hole, ...], true: ir.Value, found: ir.Value, final: ir.Value
) -> tuple[ir.Value, ir.Value, ir.Value]:
    """Arrays without the holes that one of them has: only a part of it, or filled with the true values."""
    undoing = Undoing(sweep)
    for hole in holes:
        if hole.around:
            true, found, final = (read_at(undoing, array, hole.op) for array in (true, found, final))
        else:
            found = write_at(undoing, found, hole.op, read_at(undoing, true, hole.op))
    return true, found, final
