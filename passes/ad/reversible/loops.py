"""The rules of `scf.for`: a loop that can be undone stores nothing; for others see `other_loops`.

```
y = y0; for i: y = body(i, y)        forward: as it is
                                     back, i descending: y = what the body made y from; its statements in reverse
```
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.passes.ad.decisions import note
from tapeless.passes.ad.redundant.control.loops import LoopEnds
from tapeless.passes.ad.redundant.scope.sweep import Sweep
from tapeless.passes.ad.reversible import other_loops
from tapeless.passes.ad.reversible.backwards import Back, Reversed, run_backwards, run_forward
from tapeless.passes.ad.reversible.checked import looking_first, or_fail, with_fallback
from tapeless.passes.ad.reversible.drift import Watch
from tapeless.passes.ad.reversible.inverses.loops import Undone
from tapeless.passes.ad.reversible.inverses.table import INVERSES
from tapeless.passes.ad.reversible.plan import Plan, plan_of
from tapeless.passes.diagnostics import place_of

Checked = Callable[[Sweep, LoopEnds, Reversed], Back]


def for_forward(sweep: Sweep, op: ir.OpView) -> None:
    """Runs the loop; where it can be undone, sums of its carried values are kept, and states as its budget allows."""
    _run(sweep, op, keeps_states=True)


def for_forward_without_states(sweep: Sweep, op: ir.OpView) -> None:
    """The same where adjoints are differentiated again, which would have to store the checkpoints of every one."""
    _run(sweep, op, keeps_states=False)


def _run(sweep: Sweep, op: ir.OpView, *, keeps_states: bool) -> None:
    plan = plan_of(op, INVERSES, sweep.found)
    if isinstance(plan, str):
        other_loops.forward(sweep, op)
    else:
        run_forward(sweep, plan, other_loops.budget_of(op) if keeps_states else 0)


def for_back(sweep: Sweep, op: ir.OpView) -> None:
    """Adds the adjoints of the initial values and of everything else the body reads."""
    _add_adjoints(sweep, op, with_fallback)


def for_back_or_fail(sweep: Sweep, op: ir.OpView) -> None:
    """The same, with an error where the loop goes astray."""
    _add_adjoints(sweep, op, or_fail)


def for_back_looking_first(sweep: Sweep, op: ir.OpView) -> None:
    """The same where the adjoints are differentiated again."""
    _add_adjoints(sweep, op, looking_first)


def _add_adjoints(sweep: Sweep, op: ir.OpView, checked: Checked) -> None:
    left = sweep.saved.get(op.operation.results[0])
    ends = LoopEnds.of(sweep, op)
    if isinstance(left, Undone):
        note("loop", op, "runs backwards with the loop around it, stores nothing")
        back = run_backwards(sweep, ends, Reversed(left.plan, left.trips, Watch([], None), []))
        left.take(sweep, back.starts)
        bars = back.bars
    elif isinstance(left, Reversed):
        back = checked(sweep, ends, left)
        note("loop", op, _way_back(left, back))
        bars = back.bars
    else:
        note("loop", op, _kept(sweep, op))
        bars = other_loops.back(sweep, ends)
    ends.add(sweep, bars)


def _way_back(left: Reversed, back: Back) -> str:
    """Explains the checkpoints of a loop that runs backwards, and where it may drift."""
    if not back.needed:
        return "runs backwards, keeps nothing: adjoints need none of its values"
    kept = []
    if left.milestones is not None:
        kept.append(f"at most {other_loops.budget_of(left.plan.op)} states to set out from anew")
    if back.compared:
        kept.append(f"{2 * len(back.compared)} sums to notice drift")
    return f"runs backwards, keeps {' and '.join(kept) or 'nothing'}{_divisions(left.plan)}"


def _kept(sweep: Sweep, op: ir.OpView) -> str:
    """Explains the checkpoints of a loop that cannot be undone, and why it cannot."""
    budget, reason = other_loops.budget_of(op), plan_of(op, INVERSES, sweep.found)
    kept = f"keeps at most {budget} states" if budget else "stores a state per iteration"
    return f"{kept}: {reason}"


def _divisions(plan: Plan) -> str:
    """Where a loop divides on its way back, which is where it may drift."""
    places = {place for op in plan.solver.divided if (place := place_of(op.location)) is not None}
    lines = sorted({place.line for place in places})
    if not lines:
        return ""
    named = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
    return f"; undoes {named} by division, so errors grow where that makes values smaller"
