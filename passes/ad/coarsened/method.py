"""The method `coarsened`: segments of scalar code are differentiated as expressions, the rest as by `redundant`."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.about import are_values_read, count_of_values
from tapeless.passes.ad.coarsened.active import ActiveLoops, ActiveSegments, is_in_doubt, without_doubt
from tapeless.passes.ad.coarsened.keep_originals import KeepOriginals
from tapeless.passes.ad.coarsened.rules import (
    segment_back,
    segment_forward,
    segment_jvp,
    segment_jvp_solved,
    segment_solved,
)
from tapeless.passes.ad.forward.jvp import RULES as TANGENTS
from tapeless.passes.ad.forward.jvp import jvp_by
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.prepare.prepare import FORWARD, REVERSE
from tapeless.passes.ad.redundant.method import RULES as REDUNDANT
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.redundant.scope.sweep import changed
from tapeless.passes.ad.segmented import SEGMENT
from tapeless.passes.phi.lower.lower import Lower

RULES = REDUNDANT.but(forward={SEGMENT: segment_forward}, back={SEGMENT: segment_back})
RULES_WITHOUT_VALUES = RULES.but(forward={SEGMENT: segment_solved})
JVP_RULES = changed(TANGENTS, {SEGMENT: segment_jvp})
JVP_RULES_WITHOUT_VALUES = changed(TANGENTS, {SEGMENT: segment_jvp_solved})


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.vjp`; where nothing reads the primal values, loops need not give their very bits."""
    made = vjp_by(RULES if are_values_read(op, function) else RULES_WITHOUT_VALUES, op, function)
    return without_doubt(op, made, count_of_values(function)) if is_in_doubt(op) else made


def jvp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """Expands `ad.jvp`, likewise."""
    made = jvp_by(JVP_RULES if are_values_read(op, function) else JVP_RULES_WITHOUT_VALUES, op, function)
    return without_doubt(op, made, count_of_values(function)) if is_in_doubt(op) else made


METHOD = Method(
    vjp,
    jvp,
    # Loops become segments before any pass makes something else of them, and what is left of the code after all others.
    reverse=(*FORWARD, ActiveLoops(), *REVERSE, ActiveSegments()),
    forward=(*FORWARD, ActiveLoops(), ActiveSegments()),
    before=(KeepOriginals(),),
    after=(Lower(),),
)
