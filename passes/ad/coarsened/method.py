"""The method `coarsened`: segments of scalar code are differentiated as expressions, the rest as by `redundant`."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import ir
from tapeless.dialects.core_context import require_dialect
from tapeless.passes.ad.coarsened.table import JVP_RULES, RULES
from tapeless.passes.ad.decisions import note
from tapeless.passes.ad.forward.jvp import jvp_by
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import prepared_copy
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.segmented import SEGMENT, body_of_segment
from tapeless.passes.driver.inner import run_inner_on
from tapeless.passes.ir.search import ops_named
from tapeless.passes.phi.segments.segments import Segments


def prepare(function: ir.OpView, *, is_vjp: bool, checks: bool) -> ir.OpView:
    """A copy of a function as the method `redundant` wants it, with its segments outlined."""
    require_dialect(function.context, "phi")
    copy = prepared_copy(function, is_vjp=is_vjp, checks=checks)
    run_inner_on(Segments(), copy)
    for op in ops_named(copy, SEGMENT):
        note("segment", op, _described(op))
    return copy


def _described(op: ir.OpView) -> str:
    count = len(body_of_segment(op).operations) - 1
    cost, by_operation = (ir.IntegerAttr(op.operation.attributes[name]).value for name in ("cost", "cost_by_operation"))
    reads, gives = len(op.inputs), len(op.outs)
    return (
        f"{count} operations from {reads} to {gives} values; with its gradient {cost} units instead of {by_operation}"
    )


METHOD = Method(prepare, partial(vjp_by, RULES), partial(jvp_by, JVP_RULES))
