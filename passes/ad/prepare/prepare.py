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

STEPS = (
    sequential_sums,
    unroll_loops,
    rewrite_whiles,
    stripmine_loops,
    interchange_operators,
    lift_operators,
    plain_scans,
)


def prepare_for_reverse(function: ir.OpView, checks: bool) -> None:
    """Brings a function into the form that the return rules take; with `checks`, promises will be checked."""
    for step in STEPS:
        step(function)
    if checks:
        digest_reads(function)
