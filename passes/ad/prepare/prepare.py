"""All rewrites before a function is run backwards, in order."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ad.prepare.digests import digest_reads
from tapeless.passes.ad.prepare.interchange import interchange_operators
from tapeless.passes.ad.prepare.lift import lift_operators
from tapeless.passes.ad.prepare.plain_scans import plain_scans
from tapeless.passes.ad.prepare.sequential_sums import sequential_sums
from tapeless.passes.ad.prepare.stripmine import stripmine_loops
from tapeless.passes.ad.prepare.unroll import unroll_loops
from tapeless.passes.ad.prepare.while_to_for import rewrite_whiles
from tapeless.passes.soac.array_selects import branch_on_arrays

STEPS = (
    sequential_sums,
    unroll_loops,
    rewrite_whiles,
    stripmine_loops,
    interchange_operators,
    lift_operators,
    plain_scans,
)


def prepared_copy(function: ir.OpView, *, is_vjp: bool, checks: bool) -> ir.OpView:
    """A copy of a function, beside it, in the form that the rules of one mode take; to be erased after use."""
    copy = function.operation.clone(ip=ir.InsertionPoint(function)).opview
    branch_on_arrays(copy)
    if is_vjp:
        prepare_for_reverse(copy, checks)
    return copy


def prepare_for_reverse(function: ir.OpView, checks: bool) -> None:
    """Brings a function into the form that the return rules take; with `checks`, promises will be checked."""
    for step in STEPS:
        step(function)
    if checks:
        digest_reads(function)
