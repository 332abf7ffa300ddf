"""The passes before a function is differentiated, in order."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.ad.marks import REQUEST
from tapeless.passes.ad.about import described
from tapeless.passes.ad.prepare.digests import Digests
from tapeless.passes.ad.prepare.interchange import Interchange
from tapeless.passes.ad.prepare.lasting_arrays import LastingArrays
from tapeless.passes.ad.prepare.lift import Lift
from tapeless.passes.ad.prepare.normalise import Normalise
from tapeless.passes.ad.prepare.stripmine import Stripmine
from tapeless.passes.ad.prepare.unroll import Unroll
from tapeless.passes.ad.prepare.while_to_for import WhileToFor
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.driver.inner import run_inner_on

# Derivatives that are differentiated again, and choices between arrays, in forms that have rules in both modes.
FORWARD: tuple[FunctionPass, ...] = (Normalise(),)
REVERSE: tuple[FunctionPass, ...] = (
    Normalise(backwards=True),
    Unroll(),
    WhileToFor(),
    LastingArrays(),
    Stripmine(),
    Interchange(),
    Lift(),
    Digests(),
)


def is_vjp(request: ir.OpView) -> bool:
    """Whether a request runs its function backwards."""
    return request.operation.name == "ad.vjp"


def prepared_copy(
    function: ir.OpView, passes: Sequence[FunctionPass], *, request: ir.OpView | None = None, checks: bool = True
) -> ir.OpView:
    """A copy of a function, beside it, after some passes; to be erased after use.

    It says what request it is for. Without `checks`, promises are not checked, and nothing is read for it.
    """
    copy = function.operation.clone(ip=ir.InsertionPoint(function)).opview
    if request is not None:
        copy.operation.attributes[REQUEST] = described(request, copy)
    for each in passes:
        if checks or not isinstance(each, Digests):
            run_inner_on(each, copy)
    return copy
