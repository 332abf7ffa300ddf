"""The schedule of the CPU: large outermost operators in blocks, which threads share, and scans by vectors.

Blocks depend on the program and on sizes only, so that results do not depend on the number of threads. Two things may:
whether scans take one pass or two, and, without the promise that results are fixed, how many copies there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import IN_ORDER, Blocks, Copies, InOrder, Parts, Pieces, Schedule
from tapeless.passes.lower.schedule.bodies import (
    combines_plainly,
    counts_plainly,
    fits_lanes,
    holds_sum,
    is_commutative,
    is_product,
)
from tapeless.passes.lower.schedule.first_best import found_first
from tapeless.passes.lower.schedule.kinds import Kind, is_short, is_under_control, kind_of
from tapeless.passes.lower.schedule.options import Options
from tapeless.passes.lower.schedule.work import MOST_COPIES, SMALLEST_PIECE, smallest_block
from tapeless.passes.lower.storage.tree import Node

ROWS_PER_PACKING = 96
LARGEST_AT_ONCE = 4 * SMALLEST_PIECE
STRANDS = 4
# The fewest bits of a vector in a scan: several registers on most machines. A vector waits for the one before it; with
# single registers of 128 bits, sums take 4 % longer, those of f32 10 %.
FEWEST_BITS = 512
# Without the promise that results do not depend on threads, a few copies will do.
BLOCKS_PER_THREAD = 4


@dataclass(frozen=True)
class CpuScheduler:
    """For `threads` (0: as many as the runtime likes), with results that do not depend on them if `deterministic`.

    `vector_bits` is the width of a register.
    """

    threads: int = 1
    deterministic: bool = True
    vector_bits: int = 512

    def operator(self, node: Node) -> Schedule:
        return _with_search(node, DECISIONS[kind_of(node)](self, node))

    def inner(self, node: Node) -> Schedule:
        return _with_search(node, IN_ORDER)

    def is_open(self, form: Schedule) -> bool:
        return False

    @property
    def has_threads(self) -> bool:
        return self.threads != 1

    @property
    def are_fixed(self) -> bool:
        """Whether sums may not depend on the number of threads, which they cannot with one."""
        return self.deterministic or not self.has_threads

    @property
    def most_copies(self) -> int:
        if self.are_fixed or self.threads == 0:
            return MOST_COPIES
        return min(BLOCKS_PER_THREAD * self.threads, MOST_COPIES)

    @property
    def bits_of_scans(self) -> int:
        """As many whole registers as `FEWEST_BITS` take, at least one."""
        return self.vector_bits * max(FEWEST_BITS // self.vector_bits, 1)


def _with_search(node: Node, form: Schedule) -> Schedule:
    """The form of a search for a first place: two loops in vectors instead of one."""
    if isinstance(form, InOrder | Blocks) and (found := found_first(node)):
        return replace(form, finds=found)
    return form


def _in_order(cpu: CpuScheduler, node: Node) -> Schedule:
    return IN_ORDER


def _map(cpu: CpuScheduler, node: Node) -> Schedule:
    """A map around sums runs in parts even on one thread.

    The compiler may order them as it likes, and must do it the same way for any number of threads.
    """
    smallest = _fewest_iterations(node)
    if is_short(node, smallest) or not (cpu.has_threads or holds_sum(node)):
        return IN_ORDER
    return Parts(smallest)


def _fewest_iterations(node: Node) -> int:
    """The fewest iterations that are worth a block: each block of a product of matrices packs one of them again."""
    return max(smallest_block(node), ROWS_PER_PACKING) if is_product(node) else smallest_block(node)


def _accumulation(cpu: CpuScheduler, node: Node) -> Schedule:
    """Under control, a single block takes one loop, because a call has its cost."""
    return Copies(cpu.most_copies, cpu.are_fixed, not cpu.are_fixed, asks_first=is_under_control(node))


def _reduction(cpu: CpuScheduler, node: Node) -> Schedule:
    """Under control, small widths take one loop, because a block costs a call."""
    smallest = smallest_block(node)
    combine = 0 if node.name == "soac.reduce" else 1
    if is_short(node, smallest) or not combines_plainly(node, combine):
        return IN_ORDER
    return Blocks(smallest, asks_first=is_under_control(node))


def _row_reduction(cpu: CpuScheduler, node: Node) -> Schedule:
    return Copies(cpu.most_copies, cpu.are_fixed)


def _scan(cpu: CpuScheduler, node: Node) -> Schedule:
    if is_short(node, LARGEST_AT_ONCE) or not combines_plainly(node, 0) or not fits_lanes(node):
        return IN_ORDER
    return Pieces(LARGEST_AT_ONCE, cpu.bits_of_scans, in_one_pass=not cpu.has_threads)


def _histogram(cpu: CpuScheduler, node: Node) -> Schedule:
    if not counts_plainly(node):
        return IN_ORDER
    return Copies(cpu.most_copies, cpu.are_fixed, strands=STRANDS if is_commutative(node) else 1)


DECISIONS: dict[Kind, Callable[[CpuScheduler, Node], Schedule]] = {
    Kind.MAP: _map,
    Kind.ACCUMULATION: _accumulation,
    Kind.REDUCTION: _reduction,
    Kind.ROW_REDUCTION: _row_reduction,
    Kind.SCAN: _scan,
    Kind.FUSED_SCAN: _in_order,
    Kind.HISTOGRAM: _histogram,
    Kind.SCATTER: _in_order,
}


def scheduler_of(options: Options) -> CpuScheduler:
    """The scheduler of processors."""
    return CpuScheduler(options.threads, options.deterministic, options.vector_bits)
