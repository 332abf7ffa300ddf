"""`soac-parallelise`: loops whose iterations are independent, or only add up, as maps and reductions."""

from __future__ import annotations

from collections import defaultdict
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.effects import is_or_holds
from tapeless.passes.ir.array_loops import is_in_operator
from tapeless.passes.ir.costs import SUMS, calls_function
from tapeless.passes.ir.scopes import is_used
from tapeless.passes.ir.search import holds, ops_named
from tapeless.passes.ir.sizes.shapes import remembered_sizes
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.soac.parallelise.chosen_extremes import name_extremes
from tapeless.passes.soac.parallelise.plan import Plan
from tapeless.passes.soac.parallelise.row_sums import RowSums
from tapeless.passes.soac.parallelise.running_totals import scan_running_totals
from tapeless.passes.soac.parallelise.whole_loops import WholeLoops, loops_around
from tapeless.passes.soac.simplify.prune import prune

# Loops of fewer iterations are written out instead.
FEWEST_TRIPS = 9
# Those with bins: axes that threads own elements of may be as short as that of a filter.
FEWEST_IN_THREADS = 2
# What runs in an order of its own, or is not for maps.
NOT_IN_MAPS = ("scf.while", "soac.with_acc", "ad.vjp", "ad.jvp", "ad.checkpoint", "rev.retrace")


@dataclass(frozen=True)
class Parallelise:
    """Parallelises loops with independent iterations, or reductions only, into maps and sums.

    ```mlir
    %s = scf.for %i = %c0 to %n iter_args(%t = %zero) {    %e = "soac.map"(%n, %a) ({
      %x = tensor.extract %a[%i]                           ^bb0(%i: index, %x: f64):
      %y = arith.mulf %x, %x                                 %y = arith.mulf %x, %x
      %r = arith.addf %t, %y                                 "soac.yield"(%y)
      scf.yield %r                                         })
    }                                                      %s = "soac.reduce"(%n, %e, %zero) ({ addf })
    ```
    Outer loops come first: a nest becomes a nest of operators. Sums are taken in another order than the loop's. A loop
    around one that adds to all elements of an array changes places with it. What is replaced by a better number
    (`if x < best: best = x`) is an extreme (`chosen_extremes.py`). With `bins`, arrays to which iterations add
    at places that they compute become histograms, nests with several sums are taken apart, short loops are not left to
    be written out, and running totals are scans; without it only those histograms are made of loops whose iterations
    hold sums or call functions, which take longer than to store what is added. Loops that a method may
    differentiate as a whole stay (`whole_loops.py`).
    """

    name: ClassVar[str] = "soac-parallelise"
    after: ClassVar[dict[str, str]] = {
        "soac-simplify": "it finds loops in their simplest form",
    }
    skips_numbers: ClassVar[bool] = True
    bins: bool = False

    def run(self, module: ir.Module) -> bool:
        """Rewrites every such loop, outer ones first, and of those side by side the last one first; whether any."""
        root = module.operation.opview
        loops = ops_named(root, "scf.for")
        if not loops:
            return False
        may_plan = WholeLoops(root, self.bins).allow
        is_named = any([name_extremes(loop) for loop in loops if _may_be(loop) and may_plan(loop)])
        is_scanned = self.bins and any([_scan_totals(loop) for loop in loops if may_plan(loop)])
        if is_scanned:
            loops = ops_named(root, "scf.for")
        inner_first = [loop for level in reversed(_levels(loops)) for loop in level]
        changed = (
            is_named | is_scanned | any([_sum_by_elements(loop, self.bins) for loop in inner_first if may_plan(loop)])
        )
        for level in _levels(ops_named(root, "scf.for") if changed else loops):
            with remembered_sizes():
                plans = [plan for loop in filter(may_plan, level) if (plan := self._plan(loop)) is not None]
            for plan in reversed(plans):
                plan.carry_out()
            changed |= bool(plans)
        if changed:
            prune(root)
        return changed

    def _plan(self, loop: ir.OpView) -> Plan | None:
        if not _may_be(loop, FEWEST_IN_THREADS if self.bins else FEWEST_TRIPS):
            return None
        takes_long = is_or_holds(loop, SUMS) or calls_function(loop)
        has_bins = (self.bins or takes_long) and not is_in_operator(loop)
        return Plan.of(loop, has_bins=has_bins)


def _scan_totals(loop: ir.OpView) -> bool:
    """Takes running totals out of a loop that no operator contains and that is parallel without them."""
    return _may_be(loop) and not is_in_operator(loop) and scan_running_totals(loop) is not None


def _sum_by_elements(loop: ir.OpView, for_threads: bool) -> bool:
    """Takes loops that add to all elements of an array out of one in which nothing else is sequential."""
    changed, pending = False, [loop]
    while pending:
        each = pending.pop()
        with remembered_sizes():
            sums = RowSums.of(each, for_threads=for_threads) if _may_be(each) else None
        if sums is not None:
            pending += sums.carry_out()
            changed = True
    return changed


def _levels(loops: list[ir.OpView]) -> list[list[ir.OpView]]:
    """Loops by the number of those around them, in the order of the program."""
    found: dict[int, list[ir.OpView]] = defaultdict(list)
    for loop in loops:
        found[_depth(loop)].append(loop)
    return [found[depth] for depth in sorted(found)]


def _depth(loop: ir.OpView) -> int:
    """How many sequential loops there are around one."""
    return sum(1 for _ in loops_around(loop))


def _may_be(loop: ir.OpView, fewest: int = FEWEST_TRIPS) -> bool:
    """Whether a loop has something to carry, counts by one, and has no hint of the user's about how it runs.

    One that makes no use of its counter does the same over and over: it has a closed form, or nothing to gain.
    """
    low, high, step = list(loop.operands)[:3]
    if constant_int(step) != 1 or not len(loop.results) or len(loop.operation.attributes):
        return False
    first, end = constant_int(low), constant_int(high)
    if first is not None and end is not None and end - first < fewest:
        return False
    return is_used(loop.regions[0].blocks[0].arguments[0]) and not holds(loop, *NOT_IN_MAPS)
