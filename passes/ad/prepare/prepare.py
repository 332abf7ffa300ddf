"""All rewrites before a function is run backwards, in order."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ad.prepare.digests import Digests
from tapeless.passes.ad.prepare.interchange import Interchange
from tapeless.passes.ad.prepare.lasting_arrays import LastingArrays
from tapeless.passes.ad.prepare.lift import Lift
from tapeless.passes.ad.prepare.plain_scans import PlainScans
from tapeless.passes.ad.prepare.sequential_sums import SequentialSums
from tapeless.passes.ad.prepare.store_retraces import StoreRetraces
from tapeless.passes.ad.prepare.stripmine import Stripmine
from tapeless.passes.ad.prepare.take_steps import TakeSteps
from tapeless.passes.ad.prepare.unroll import Unroll
from tapeless.passes.ad.prepare.while_to_for import WhileToFor
from tapeless.passes.driver.base import FunctionPass
from tapeless.passes.driver.inner import run_inner_on
from tapeless.passes.soac.array_selects import ArraySelects

STEPS: tuple[FunctionPass, ...] = (
    StoreRetraces(),
    SequentialSums(),
    Unroll(),
    WhileToFor(),
    LastingArrays(),
    Stripmine(),
    Interchange(),
    Lift(),
    PlainScans(),
)


def is_vjp(request: ir.OpView) -> bool:
    """Whether a request runs its function backwards."""
    return request.operation.name == "ad.vjp"


def prepared_copy(
    function: ir.OpView, request: ir.OpView | None, *, checks: bool, steps: Sequence[FunctionPass] = STEPS
) -> ir.OpView:
    """A copy of a function, beside it, in the form that the rules take for a request; to be erased after use.

    Without a request it is for running backwards.
    """
    copy = function.operation.clone(ip=ir.InsertionPoint(function)).opview
    run_inner_on(ArraySelects(), copy)
    run_inner_on(TakeSteps(), copy)
    if request is None or is_vjp(request):
        prepare_for_reverse(copy, checks, steps)
    return copy


def prepare_for_reverse(function: ir.OpView, checks: bool, steps: Sequence[FunctionPass] = STEPS) -> None:
    """Brings a function into the form that the return rules take; with `checks`, promises will be checked."""
    for step in steps:
        run_inner_on(step, function)
    if checks:
        run_inner_on(Digests(), function)
