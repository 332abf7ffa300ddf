"""Chooses the segments of one request by the cost of the values that are active in its derivative."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import ORIGINAL, SECOND_WAY
from tapeless.dialects.core_context import require_dialect
from tapeless.passes.ad.about import About
from tapeless.passes.ad.coarsened.guarded import Guarded
from tapeless.passes.ad.coarsened.keep_originals import wake
from tapeless.passes.ad.coarsened.steps import keep_steps, where_finite
from tapeless.passes.ad.custom import function_named, module_of
from tapeless.passes.ad.decisions import note
from tapeless.passes.ad.segmented import SEGMENT, body_of_segment, is_raised
from tapeless.passes.ir.guards import GUARD, STEPS
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.loop_segments.segment_loops import SegmentLoops, outline_loops
from tapeless.passes.phi.segments.segments import Segments, outline_segments


class ActiveLoops(SegmentLoops):
    """`phi-segment-loops` for the values that the request of a function is about; it has the same options."""

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the loops of a function; whether there are any."""
        require_dialect(function.context, "phi")
        about = About.of(function)
        is_active = about.activity(function).__contains__
        if about.is_forward:
            return outline_loops(function, is_active, is_forward=True)
        look = (lambda _: None) if about.is_again and has_solved_loops(function) else keep_steps
        return outline_loops(function, is_active, is_read=about.is_read, look=look)


class ActiveSegments(Segments):
    """`phi-segments` for the values that the request of a function is about; it has the same options."""

    def run_on(self, function: ir.OpView) -> bool:
        """Outlines the segments of a function, and notes them; whether there are any."""
        activity = About.of(function).activity(function)
        changed = outline_segments(function, self.gated, activity.__contains__)
        for op in ops_named(function, SEGMENT):
            note("segment", op, _described(op))
        return changed


def _described(op: ir.OpView) -> str:
    if is_raised(op):
        return f"a loop from {len(op.inputs)} to {len(op.outs)} values, differentiated as a whole"
    count = len(body_of_segment(op).operations) - 1
    cost, by_operation = (ir.IntegerAttr(op.operation.attributes[name]).value for name in ("cost", "cost_by_operation"))
    reads, gives = len(op.inputs), len(op.outs)
    return (
        f"{count} operations from {reads} to {gives} values; with its gradient {cost} units instead of {by_operation}"
    )


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
