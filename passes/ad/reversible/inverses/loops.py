"""Inverses of loops inside of a body: they run backwards from their final state."""

from __future__ import annotations

from tapeless._mlir import ir, scf
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ad.copying import free_values
from tapeless.passes.ad.redundant.control.loops import descending, trip_count
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible.inverses.solver import Solver
from tapeless.passes.ad.reversible.inverses.undoing import Undoing
from tapeless.passes.ad.reversible.plan import Plan, plan_of
from tapeless.passes.ir.build import cast_to, index
from tapeless.passes.ir.regions.structure import operands_of
from tapeless.passes.ir.scopes import is_used


@dataclass(frozen=True)
class Undone:
    """The residuals for the return rule of a loop that was undone with the body around it.

    `found` are the values it began with, by name: the return loop finds them again.
    """

    plan: Plan
    trips: ir.Value
    found: dict[ir.Value, ir.Value]

    def take(self, sweep: Sweep, starts: dict[int, ir.Value]) -> None:
        """Binds the initial values of the return loop to values that nothing has needed before it."""
        initial = operands_of(self.plan.op, "carried")
        for k, start in starts.items():
            value = self.found.get(initial[k])
            if value is not None and sweep.primal(initial[k]) == value and not is_used(value):
                sweep.bind([initial[k]], [start])


def undo_loop(solver: Solver, op: ir.OpView) -> None:
    """Recovers the initial state of a loop, if errors in its final state cannot grow on the way unseen."""
    bounds, initial = list(op.operation.operands)[:3], operands_of(op, "carried")
    if not solver.all_known([*bounds, *free_values(op), *op.operation.results]):
        return
    plan = plan_of(op, solver.inverses, solver.plans)
    if isinstance(plan, str) or not plan.solver.shifts:
        return
    if any(not solver.is_known(value) and plan.slots.get(k, (True,)) for k, value in enumerate(initial)):
        return

    def step(undoing: Undoing) -> None:
        scope = undoing.scope
        with op.location:
            lower, upper, stride = scope.primals(bounds)
            trips = trip_count(lower, upper, stride)
            starts = run_back(scope, plan, trips)
        pairs = zip(plan.slots, starts, strict=True)
        found = {initial[k]: start for k, start in pairs if not plan.slots[k] and initial[k] in unknown}
        for name, start in found.items():
            undoing.bind(name, start)
        scope.save(op, Undone(plan, trips, found))

    unknown = list(dict.fromkeys(value for value in initial if not solver.is_known(value)))
    solver.undone += plan.solver.undone
    solver.divided += plan.solver.divided
    solver.loops.add(op.operation.results[0])
    solver.learn_all(unknown, step, [*bounds, *free_values(op)], op=op)


def run_back(sweep: Sweep, plan: Plan, trips: ir.Value) -> list[ir.Value]:
    """The carried values at the start of a loop, found from those at its end."""
    finals = sweep.primals(plan.op.operation.results[k] for k in plan.slots)
    loop = scf.ForOp(index(0), trips, index(1), finals)
    with ir.InsertionPoint(loop.body):
        _, i = descending(sweep, plan.op, trips, loop.induction_variable)
        scope = sweep.scope()
        plan.begin(scope, i, list(loop.inner_iter_args))
        found = plan.recovered(scope)
        scf.YieldOp([cast_to(final.type, value) for final, value in zip(finals, found, strict=True)])
    return list(loop.results)
