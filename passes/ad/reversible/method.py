"""The method `reversible`: scopes are executed again, and loops with a budget go back to few kept states."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import FALLBACK
from tapeless.passes.ad.forward.jvp import jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.order import is_differentiated_again
from tapeless.passes.ad.prepare.lasting_arrays import LastingArrays
from tapeless.passes.ad.prepare.prepare import STEPS, prepared_copy
from tapeless.passes.ad.prepare.stripmine import Stripmine
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.reversible.table import INNER, RULES, STRICT

# A loop with a budget is a chain here, not a nest; what a loop carries beside its lasting arrays would be stored.
IN_PLACE_OF = {Stripmine(): Stripmine(budgets=False), LastingArrays(): LastingArrays(alone=True)}
PREPARATION = tuple(IN_PLACE_OF.get(step, step) for step in STEPS)


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """The function runs forward once, and back for every row of seeds."""
    attributes = op.operation.attributes
    if FALLBACK in attributes and not ir.BoolAttr(attributes[FALLBACK]).value:
        return vjp_by(STRICT, op, function)
    return vjp_by(INNER if is_differentiated_again(op) else RULES, op, function)


METHOD = Method(partial(prepared_copy, steps=PREPARATION), vjp, jvp)
