"""The forms in which an operator can run: what a scheduler decides and emission carries out (`emission.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tapeless._mlir import ir


class Schedule:
    """How an operator runs; every form says what its emission has to know."""


@dataclass(frozen=True)
class InOrder(Schedule):
    """One loop here and now; for a copy, a nest of loops."""


@dataclass(frozen=True)
class Whole(Schedule):
    """A copy of a whole buffer to another one, by one operation."""


@dataclass(frozen=True)
class Parts(Schedule):
    """Independent iterations in a function of their own, which threads take in chunks of at least `smallest`."""

    smallest: int


@dataclass(frozen=True)
class Blocks(Schedule):
    """Partial results for blocks of at least `smallest` iterations, combined in order.

    Where emission `asks_first`, widths up to `smallest`, found at run time, take one loop.
    """

    smallest: int
    asks_first: bool


@dataclass(frozen=True)
class Copies(Schedule):
    """At most `most` blocks that change copies of the results, combined in order; how many follows from sizes.

    A block has to do more work where results `are_fixed`, whatever the number of threads. A single block that
    `may_share` runs on threads that add to the result atomically. Where emission `asks_first`, a single block, found at
    run time, takes one loop. Histograms of few bins have as many copies per block as `strands`, which take turns.
    """

    most: int
    are_fixed: bool
    may_share: bool = False
    asks_first: bool = True
    strands: int = 1


@dataclass(frozen=True)
class Pieces(Schedule):
    """Pieces of a scan by vectors of `vector_bits`, each starting from the total of those before.

    Up to `at_once` steps, found at run time, take one loop. Totals and prefixes are found `in_one_pass` or in two.
    """

    at_once: int
    vector_bits: int
    in_one_pass: bool


@dataclass(frozen=True)
class Launch(Schedule):
    """Independent iterations as the threads of a kernel."""


@dataclass(frozen=True)
class Picked(Schedule):
    """A map that is a constant, `otherwise`, but for iterations whose numbers a `table` holds: only these run.

    With many of them, or if it writes over one of the `arrays` it reads, it is a launch of all iterations.
    """

    table: ir.Value
    otherwise: ir.Value
    arrays: tuple[ir.Value, ...]


@dataclass(frozen=True)
class Teams(Schedule):
    """A map whose iterations reduce rows: a thread, a warp or a block for each, as long rows ask for."""


@dataclass(frozen=True)
class Tree(Schedule):
    """A reduction by blocks of threads: each thread reduces a share, blocks combine these in pairs, and so does one
    block with what all blocks leave. Shares are every so many elements where the order `is_free`, else a run of them.
    """

    is_free: bool


@dataclass(frozen=True)
class Tiles(Schedule):
    """A scan by blocks of threads with a tile of elements each: totals of tiles, their starts, prefixes."""


@dataclass(frozen=True)
class OwnCopies(Schedule):
    """Threads that change copies of their own, at most `most`, which are combined in order.

    A thread takes every so many iterations if their order `is_free`, else neighbours.
    """

    most: int
    is_free: bool = True


class Beyond(Enum):
    """How histograms are made that do not fit into shared memory."""

    COPIES = "in copies"
    EXACT = "by sums that are the same in every order"
    ATOMIC = "by atomic updates"


@dataclass(frozen=True)
class Best(Schedule):
    """A histogram of smallest numbers, or `are_largest`, as words that threads update; it may have their places, too.

    Words are in the shared memory of blocks, which are combined in order, or in one array.
    """

    are_largest: bool
    has_places: bool


@dataclass(frozen=True)
class Columns(Schedule):
    """A histogram in the shared memory of blocks, where each thread has a column of its own, combined in order.

    A thread takes every so many iterations if their order `is_free`, else neighbours. More bins than fit are counted in
    another way: in copies, at most `most`, as `Exact` sums, or by atomic updates of the bins themselves.
    """

    most: int
    is_free: bool
    beyond: Beyond


@dataclass(frozen=True)
class Rare(Schedule):
    """A histogram of smallest or largest integers, to which few iterations have anything to add.

    There is a thread for each iteration, which updates the bin itself if what it has is better than what is there.
    """


@dataclass(frozen=True)
class Exact(Schedule):
    """Sums at places that are data, by integers that threads add one at a time, in two launches.

    Small arrays are summed into copies, at most `most`, which are combined in order.
    """

    most: int


@dataclass(frozen=True)
class Atomic(Schedule):
    """A thread for each iteration; threads add to the result itself, one at a time."""


@dataclass(frozen=True)
class Claimed(Schedule):
    """A scatter in two launches: iterations claim their places, the last one wins; then winners write."""


IN_ORDER = InOrder()
LAUNCH = Launch()
