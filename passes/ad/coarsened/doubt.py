"""Higher derivatives of functions with loops that were segments: where one is not finite, `redundant` is asked for it.

What is differentiated again is the derivative of such a loop as a whole. By `redundant`, that would have been the
derivative of its steps: so `redundant` is asked for both where there is doubt, of the function as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import ORIGINAL, SECOND_WAY
from tapeless.passes.ad.coarsened.guarded import Guarded
from tapeless.passes.ad.coarsened.keep_originals import wake
from tapeless.passes.ad.coarsened.steps import where_finite
from tapeless.passes.ad.custom import function_named, module_of
from tapeless.passes.ir.guards import GUARD, STEPS
from tapeless.passes.ir.search import ops_named


def is_in_doubt(op: ir.OpView) -> bool:
    """Whether the result of a request is tested for non-finite values: its function holds closed-form derivatives of
    loops.
    """
    if ORIGINAL not in op.operation.attributes:
        return False
    return has_solved_loops(function_named(module_of(op), op.callee.value))


def has_solved_loops(function: ir.OpView) -> bool:
    """Whether a function holds closed-form derivatives of loops."""
    return any(guard.exact.value == STEPS for guard in ops_named(function, GUARD))


def without_doubt(op: ir.OpView, made: Sequence[ir.Value], count: int) -> list[ir.Value]:
    """The expansion of a request, of which the first `count` results are primal values, finite where it can be."""
    values, slopes = list(made)[:count], list(made)[count:]

    def step_by_step() -> list[ir.Value]:
        again = op.operation.clone()
        again.attributes["callee"] = again.attributes[ORIGINAL]
        again.attributes["method"] = ir.StringAttr.get("redundant")
        again.attributes[SECOND_WAY] = ir.UnitAttr.get()
        del again.attributes[ORIGINAL]
        steps = list(again.results)[count:]
        return [where_finite(slope, step) for slope, step in zip(slopes, steps, strict=True)]

    wake(module_of(op), ir.FlatSymbolRefAttr(op.operation.attributes[ORIGINAL]).value)
    found = Guarded(slopes, exact=STEPS).where_finite(step_by_step)
    return [*values, *(value for value in found if value is not None)]
