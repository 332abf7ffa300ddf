"""The method `coarsened`: segments of scalar code are differentiated as expressions, the rest as by `redundant`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.core_context import require_dialect
from tapeless.passes.ad.coarsened.active import ActiveLoops, ActiveSegments, are_values_read, count_of_values
from tapeless.passes.ad.coarsened.doubt import is_in_doubt, without_doubt
from tapeless.passes.ad.coarsened.table import JVP_RULES, JVP_RULES_WITHOUT_VALUES, RULES, RULES_WITHOUT_VALUES
from tapeless.passes.ad.decisions import note
from tapeless.passes.ad.forward.jvp import jvp_by
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import STEPS, is_vjp, prepared_copy
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.segmented import SEGMENT, body_of_segment, is_raised
from tapeless.passes.driver.inner import run_inner_on
from tapeless.passes.ir.search import ops_named


def prepare(function: ir.OpView, request: ir.OpView, *, checks: bool) -> ir.OpView:
    """A copy of a function as the method `redundant` wants it, with its segments outlined: first loops that solve."""
    require_dialect(function.context, "phi")
    copy = prepared_copy(function, request, checks=checks, steps=(ActiveLoops(request), *STEPS))
    if not is_vjp(request):
        run_inner_on(ActiveLoops(request), copy)
    run_inner_on(ActiveSegments(request), copy)
    for op in ops_named(copy, SEGMENT):
        note("segment", op, _described(op))
    return copy


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """What becomes of `ad.vjp`; where nothing reads the values of the function, loops need not give their very bits."""
    made = vjp_by(RULES if are_values_read(op, function) else RULES_WITHOUT_VALUES, op, function)
    return without_doubt(op, made, count_of_values(function)) if is_in_doubt(op) else made


def jvp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """What becomes of `ad.jvp`, likewise."""
    made = jvp_by(JVP_RULES if are_values_read(op, function) else JVP_RULES_WITHOUT_VALUES, op, function)
    return without_doubt(op, made, count_of_values(function)) if is_in_doubt(op) else made


def _described(op: ir.OpView) -> str:
    if is_raised(op):
        return f"a loop from {len(op.inputs)} to {len(op.outs)} values, differentiated as a whole"
    count = len(body_of_segment(op).operations) - 1
    cost, by_operation = (ir.IntegerAttr(op.operation.attributes[name]).value for name in ("cost", "cost_by_operation"))
    reads, gives = len(op.inputs), len(op.outs)
    return (
        f"{count} operations from {reads} to {gives} values; with its gradient {cost} units instead of {by_operation}"
    )


METHOD = Method(prepare, vjp, jvp)
