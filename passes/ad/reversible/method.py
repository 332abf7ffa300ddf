"""The method `reversible`: scopes are executed again, and loops with a budget go back to few kept states."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import FALLBACK
from tapeless.passes.ad.forward.jvp import jvp
from tapeless.passes.ad.methods import Method
from tapeless.passes.ad.order import is_differentiated_again
from tapeless.passes.ad.prepare.lasting_arrays import LastingArrays
from tapeless.passes.ad.prepare.prepare import FORWARD, REVERSE
from tapeless.passes.ad.prepare.stripmine import Stripmine
from tapeless.passes.ad.redundant import method as redundant
from tapeless.passes.ad.redundant.method import vjp_by
from tapeless.passes.ad.reversible.loops import (
    for_back,
    for_back_looking_first,
    for_back_or_fail,
    for_forward,
    for_forward_without_states,
)

RULES = redundant.RULES.but(forward={"scf.for": for_forward}, back={"scf.for": for_back})
# What is differentiated again: loops run backwards for their states alone before they do so for adjoints.
INNER = RULES.but(forward={"scf.for": for_forward_without_states}, back={"scf.for": for_back_looking_first})
# Loops that go astray raise.
STRICT = RULES.but(back={"scf.for": for_back_or_fail})


# A loop with a budget is a chain here, not a nest; what a loop carries beside its lasting arrays would be stored.
IN_PLACE_OF = {Stripmine(): Stripmine(budgets=False), LastingArrays(): LastingArrays(alone=True)}
PREPARATION = tuple(IN_PLACE_OF.get(each, each) for each in REVERSE)


def vjp(op: ir.OpView, function: ir.OpView) -> list[ir.Value]:
    """The function runs forward once, and back for every row of seeds."""
    attributes = op.operation.attributes
    if FALLBACK in attributes and not ir.BoolAttr(attributes[FALLBACK]).value:
        return vjp_by(STRICT, op, function)
    return vjp_by(INNER if is_differentiated_again(op) else RULES, op, function)


METHOD = Method(vjp, jvp, PREPARATION, FORWARD)
