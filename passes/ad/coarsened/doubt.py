"""Higher derivatives of functions with loops that were segments: where one is not finite, `redundant` is asked for it.

What is differentiated again is the derivative of such a loop as a whole. By `redundant`, that would have been the
derivative of its steps: so they are taken where there is doubt.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import STEPS
from tapeless.passes.ad.coarsened.guarded import LOOPS, Guarded
from tapeless.passes.ad.coarsened.steps import where_finite
from tapeless.passes.ad.custom import function_named, module_of
from tapeless.passes.ir.build import is_array
from tapeless.passes.ir.search import ops_named
from tapeless.passes.marks import SOLVED


def without_doubt(op: ir.OpView, made: Sequence[ir.Value], count: int) -> list[ir.Value]:
    """What becomes of a request, of which the first `count` results are values: numbers that are finite if they can be.

    To look at all elements of arrays would cost as much as their derivative: they stay as they are.
    """
    values, slopes = list(made)[:count], list(made)[count:]
    if any(map(is_array, slopes)) or not _has_solved_loops(op):
        return list(made)

    def step_by_step() -> list[ir.Value]:
        again = op.operation.clone()
        again.attributes["method"] = ir.StringAttr.get("redundant")
        again.attributes[STEPS] = ir.UnitAttr.get()
        steps = list(again.results)[count:]
        return [where_finite(slope, step) for slope, step in zip(slopes, steps, strict=True)]

    found = Guarded(slopes, marks=LOOPS).where_finite(step_by_step)
    return [*values, *(value for value in found if value is not None)]


def _has_solved_loops(op: ir.OpView) -> bool:
    """Whether derivatives of loops as a whole are in the function that a request is about."""
    function = function_named(module_of(op), op.callee.value)
    return any(SOLVED in condition.operation.attributes for condition in ops_named(function, "arith.cmpf"))
