"""The pass `soac-simplify`: canonicalization of arrays and second-order operators, which upstream does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.driver.inner import clean_up
from tapeless.passes.ir.costs import is_check
from tapeless.passes.soac.simplify.bodies import (
    results_from_outside,
    unchanged_accumulators,
    uniform_elements,
    without_accumulators,
)
from tapeless.passes.soac.simplify.comparisons import decide_comparison, drop_true_assert
from tapeless.passes.soac.simplify.covered_fills import fill_only_border
from tapeless.passes.soac.simplify.dims import fold_dim, fold_dims, narrow_kept_sizes
from tapeless.passes.soac.simplify.elements import elements_for_reads
from tapeless.passes.soac.simplify.hoist import hoist
from tapeless.passes.soac.simplify.known_writes import (
    forget_checks,
    forget_sizes,
    forget_starts,
    forget_writes,
    remembered_writes,
)
from tapeless.passes.soac.simplify.prune import prune
from tapeless.passes.soac.simplify.reads import element_of_map, read_through_producer, slice_of_fill
from tapeless.passes.soac.simplify.unit_rows import numbers_for_unit_rows
from tapeless.passes.soac.simplify.writes import drop_covered_fill, drop_covered_writes, read_past_writes
from tapeless.passes.soac.simplify.zeros import add_zero, update_by_element, update_by_zero, write_same_fill

Rule = Callable[[ir.OpView], ir.OpView | None]

RULES: dict[str, tuple[Rule, ...]] = {
    "soac.map": (elements_for_reads, uniform_elements, results_from_outside, numbers_for_unit_rows),
    "soac.fused": (elements_for_reads, uniform_elements, results_from_outside),
    "soac.with_acc": (unchanged_accumulators, without_accumulators),
    "soac.update": (update_by_zero, update_by_element),
    "soac.assert": (drop_true_assert,),
    "soac.widen": (narrow_kept_sizes,),
    "tensor.dim": (fold_dim,),
    "tensor.extract": (read_past_writes, read_through_producer, element_of_map),
    "tensor.extract_slice": (read_past_writes, slice_of_fill),
    "tensor.insert": (write_same_fill, drop_covered_writes, drop_covered_fill),
    "tensor.insert_slice": (write_same_fill, drop_covered_writes, fill_only_border, drop_covered_fill),
    "arith.cmpi": (decide_comparison,),
    "arith.addf": (add_zero,),
}

# Rules that change no place of a write, or see to it themselves that it is forgotten.
KEEPING_WRITES: frozenset[Rule] = frozenset(
    {
        read_past_writes,
        read_through_producer,
        slice_of_fill,
        write_same_fill,
        drop_covered_writes,
        drop_covered_fill,
        decide_comparison,
        drop_true_assert,
        add_zero,
    }
)

# Rules that may replace the results of an operator, and change nothing of writes otherwise.
REPLACING_RESULTS: frozenset[Rule] = frozenset(
    {elements_for_reads, uniform_elements, results_from_outside, numbers_for_unit_rows}
)


@dataclass(frozen=True)
class Simplify:
    """Canonicalises arrays and operators: dead results, loop-invariant code, reads at the own index.

    ```mlir
    %ys:2 = "soac.map"(%n) ({
    ^bb0(%i: index):
      %c = math.exp %a : f64
      %x = tensor.extract %xs[%i] : tensor<?xf64>
      %y = arith.mulf %c, %x : f64
      "soac.yield"(%y, %x) : (f64, f64) -> ()
    }) ...
    ```
    becomes, when the second result is unused and `%xs` has `%n` elements,
    ```mlir
    %c = math.exp %a : f64
    %ys = "soac.map"(%n, %xs) ({
    ^bb0(%i: index, %x: f64):
      %y = arith.mulf %c, %x : f64
      "soac.yield"(%y) : (f64) -> ()
    }) ...
    ```
    """

    name: ClassVar[str] = "soac-simplify"
    after: ClassVar[dict[str, str]] = {
        "ad-promises": "promises name carried arrays by position, which simplification changes",
    }
    leaves_done: ClassVar[tuple[str, ...]] = ("soac-simplify", "canonicalize", "cse")
    max_rounds: int = 10

    def run(self, module: ir.Module) -> None:
        """Repeats forward rules, hoisting, dead-code elimination and upstream folding until nothing changes."""
        is_clean = False
        with ir.Location.unknown(module.context):
            for _ in range(self.max_rounds):
                changed = simplify_once(module.operation.opview)
                if is_clean and not changed:
                    return
                clean_up(module)
                is_clean = True


def simplify_once(root: ir.OpView) -> bool:
    """One round over everything below an operation, which stays; says whether anything changed."""
    changed = fold_dims(root)
    changed |= apply_rules(root)
    changed |= hoist(root)
    changed |= prune(root)
    return changed


def apply_rules(root: ir.OpView) -> bool:
    """Applies the rules to every operation below `root`, operators before their bodies.

    What a rule has made invariant in an operator leaves it at once: an operator on a fill is a fill, and so is the next
    one in the same sweep.
    """
    changed = False
    with remembered_writes():
        for region in root.regions:
            for block in region.blocks:
                for op in list(block.operations):
                    if op.operation.name in RULES or len(op.regions):
                        changed |= _apply_to(op)
    return changed


def _apply_to(op: ir.OpView) -> bool:
    """Applies the rules to an operation and to its regions, and again to it when that changed its yielded values."""
    current, changed = _rewritten(op)
    if current is None or not len(current.regions):
        return changed
    below = apply_rules(current)
    if changed:
        _forget_checks_of(current)
        below |= hoist(current)
        forget_sizes()
    if below:
        _rewritten(current)
    return changed or below


def _rewritten(op: ir.OpView) -> tuple[ir.OpView | None, bool]:
    """The result of the rules for an operation, `None` when it is gone, and whether they changed anything."""
    changed = False
    current = op
    for rule in RULES.get(op.operation.name, ()):
        results = list(current.results) if rule in REPLACING_RESULTS else []
        replaced = rule(current)
        if replaced is not current:
            forget_sizes()
            _forget(rule, results, replaced)
        if replaced is None:
            return None, True
        changed |= replaced is not current
        current = replaced
    return current, changed


def _forget(rule: Rule, results: Sequence[ir.Value], made: ir.OpView | None) -> None:
    """Invalidates the facts on writes and checks that a rule may have changed for an operation with these results."""
    if rule in REPLACING_RESULTS and made is not None:
        forget_starts(results)
        _forget_checks_of(made)
    elif rule not in KEEPING_WRITES:
        forget_writes()
        forget_checks()


def _forget_checks_of(op: ir.OpView) -> None:
    """Forgets where checks are, if an operation holds one."""
    if is_check(op):
        forget_checks()
