"""The schedule of a GPU: every operator that no launched one contains is launched, and runs in order inside a thread.

What a launch looks like depends on the program and on sizes only, so that results are the same on every device.
"""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import FIRST
from tapeless.dialects.soac.schedules import (
    IN_ORDER,
    LAUNCH,
    Atomic,
    Best,
    Claimed,
    Columns,
    Copies,
    Exact,
    InOrder,
    OwnCopies,
    OwnRows,
    Rare,
    Schedule,
    Teams,
    Tiles,
    Tree,
)
from tapeless.passes.lower.schedule.bodies import (
    adds_at_data,
    adds_to_own_rows,
    adds_up,
    combines_scalars,
    counts_scalars,
    finds_rare_extremes,
    is_commutative,
    lifts_plainly,
    sums_without_data,
    updates_integers,
)
from tapeless.passes.lower.schedule.kinds import Kind, kind_of
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.schedule.picked_maps import picked_by_table
from tapeless.passes.lower.schedule.rows import knows_lengths, reduces_columns, reduces_rows
from tapeless.passes.lower.schedule.symmetry import combines_freely
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import BY_WARPS, CASCADE

# Threads with copies of sums: a guess that fits the programs.
MOST_COPIES = 16384
# Operators, and whether they keep the largest.
EXTREMES = {"arith.minimumf": False, "arith.maximumf": True, "arith.minsi": False, "arith.maxsi": True}
WORDS = ("f32", "f64", "i32", "i64")


@dataclass(frozen=True)
class GpuScheduler:
    """With results that are the same for every call if `deterministic`."""

    deterministic: bool = True

    def operator(self, node: Node) -> Schedule:
        return DECISIONS[kind_of(node)](self, node)

    def inner(self, node: Node) -> Schedule:
        return IN_ORDER

    def is_open(self, form: Schedule) -> bool:
        return isinstance(form, InOrder)


def _map(gpu: GpuScheduler, node: Node) -> Schedule:
    if CASCADE in node.op.attributes:
        return Tiles()
    if reduces_rows(node):
        return Teams(reduces_columns(node), BY_WARPS in node.op.attributes) if knows_lengths(node) else LAUNCH
    return picked_by_table(node) or LAUNCH


def _accumulation(gpu: GpuScheduler, node: Node) -> Schedule:
    if adds_to_own_rows(node):
        return OwnRows()
    if not gpu.deterministic:
        return Atomic()
    return Exact(MOST_COPIES, sums_without_data(node)) if adds_at_data(node) else OwnCopies(MOST_COPIES)


def _reduction(gpu: GpuScheduler, node: Node) -> Schedule:
    combine = 0 if node.name == "soac.reduce" else 1
    if not combines_scalars(node, combine):
        return IN_ORDER
    return Tree(combines_freely(node, combine))


def _row_reduction(gpu: GpuScheduler, node: Node) -> Schedule:
    return Copies(64, gpu.deterministic)


def _scan(gpu: GpuScheduler, node: Node) -> Schedule:
    return Tiles() if combines_scalars(node, 0) else IN_ORDER


def _fused_scan(gpu: GpuScheduler, node: Node) -> Schedule:
    """Prefixes and sums must be scalars; what is lifted is computed twice."""
    is_plain = combines_scalars(node, 2) and (not len(node.op.reduce_neutral) or combines_scalars(node, 1))
    return Tiles() if is_plain and lifts_plainly(node) else IN_ORDER


def _histogram(gpu: GpuScheduler, node: Node) -> Schedule:
    if not counts_scalars(node):
        return IN_ORDER
    if finds_rare_extremes(node):
        return Rare()
    best, are_sums = best_values(node), adds_up(node)
    if best is not None:
        return best
    if updates_integers(node) or (are_sums and not gpu.deterministic):
        beyond = "atomic"
    else:
        beyond = "exact" if are_sums else "copies"
    return Columns(MOST_COPIES, is_commutative(node), beyond)


def _scatter(gpu: GpuScheduler, node: Node) -> Schedule:
    return Claimed()


DECISIONS: dict[Kind, Callable[[GpuScheduler, Node], Schedule]] = {
    Kind.MAP: _map,
    Kind.ACCUMULATION: _accumulation,
    Kind.REDUCTION: _reduction,
    Kind.ROW_REDUCTION: _row_reduction,
    Kind.SCAN: _scan,
    Kind.FUSED_SCAN: _fused_scan,
    Kind.HISTOGRAM: _histogram,
    Kind.SCATTER: _scatter,
}


def best_values(node: Node) -> Best | None:
    """How a histogram keeps the best value of every bin, with its first place or alone."""
    if FIRST in node.op.attributes:
        are_largest = ir.StringAttr(node.op.attributes[FIRST]).value == "max"
        return Best(are_largest, has_places=True) if _fits_into_word(node) else None
    region = len(node.regions) - 1
    *body, end = node.regions[region]
    if len(end.operands) != 1 or str(end.operands[0].type) not in WORDS:
        return None
    maker = next((inner for inner in body if end.operands[0] in inner.results), None)
    if maker is None or maker.name not in EXTREMES or set(maker.operands) != set(node.arguments(region)):
        return None
    return Best(EXTREMES[maker.name], has_places=False)


def _fits_into_word(node: Node) -> bool:
    """Whether values have 32 bits, and their places still are the numbers of their iterations."""
    place = node.terminator.operands[2]
    maker = next((inner for inner in node.regions[0] if place in inner.results), None)
    counts = maker is not None and maker.name == "arith.index_cast" and maker.operands[0] == node.arguments()[0]
    return counts and isinstance(node.results[0].type.element_type, ir.F32Type)


def scheduler_of(options: Options) -> GpuScheduler:
    """The scheduler of GPUs."""
    return GpuScheduler(options.deterministic)
