"""How every form of every operator is emitted: the one place where schedules are carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import (
    Atomic,
    Best,
    Blocks,
    Claimed,
    Column,
    Columns,
    Copies,
    Deferred,
    Exact,
    InOrder,
    Launch,
    OwnCopies,
    OwnRows,
    Parts,
    Picked,
    Pieces,
    Rare,
    Schedule,
    Search,
    Teams,
    Tiles,
    Tree,
)
from tapeless.passes.lower.blocks.accumulators import accumulate
from tapeless.passes.lower.blocks.histograms import Histogram, count_in_blocks, count_in_order, open_histogram
from tapeless.passes.lower.blocks.in_blocks import map_in_parts, reduce_in_blocks, search_in_blocks
from tapeless.passes.lower.blocks.row_blocks import reduce_rows_in_blocks
from tapeless.passes.lower.grid.claims import scatter_by_claims
from tapeless.passes.lower.grid.counting.best import keep_best
from tapeless.passes.lower.grid.counting.histograms import count_by_size
from tapeless.passes.lower.grid.counting.rare import update_rarely
from tapeless.passes.lower.grid.exact.sums import sum_by_size, sum_by_threads
from tapeless.passes.lower.grid.map_launches import launch_map, map_at_places
from tapeless.passes.lower.grid.rows import reduce_rows_by_teams
from tapeless.passes.lower.grid.sums import add_to_own_rows, sum_atomically
from tapeless.passes.lower.grid.tiles.deferred import scan_and_map_by_tiles
from tapeless.passes.lower.grid.tiles.scans import fused_scan_by_tiles, scan_by_tiles
from tapeless.passes.lower.grid.trees import reduce_by_trees
from tapeless.passes.lower.loops.combinators import Reduction, open_fused, open_reduce, reduce_in_order
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.maps import Map, map_in_order, open_map
from tapeless.passes.lower.loops.updates import Scatter, open_scatter, scatter_in_order
from tapeless.passes.lower.scans.scan_steps import Scan
from tapeless.passes.lower.scans.scans import open_scan, scan_by_size, scan_in_order
from tapeless.passes.lower.storage.tree import Node


class Opened(Protocol):
    """An operator whose places are known and whose loops are still to be emitted."""

    def close(self, results: Sequence[ir.Value]) -> None:
        """Binds its results; `results` are the scalars that its loops end with."""


OPEN: dict[str, Callable[[Emitter, Node], Opened]] = {
    "soac.map": open_map,
    "soac.reduce": open_reduce,
    "soac.fused": open_fused,
    "soac.scan": open_scan,
    "soac.hist": open_histogram,
    "soac.fused_hist": open_histogram,
    "soac.scatter": open_scatter,
}

# Emits the loops of an opened operator in a form, both of the classes in the key; returns the scalars they end with.
Emit = Callable[[Any, Any], list[ir.Value] | None]

FORMS: dict[tuple[type[Opened], type[Schedule]], Emit] = {
    (Map, InOrder): map_in_order,
    (Map, Column): map_in_order,
    (Map, Parts): map_in_parts,
    (Map, Copies): accumulate,
    (Map, Launch): launch_map,
    (Map, Picked): map_at_places,
    (Map, OwnCopies): sum_by_threads,
    (Map, OwnRows): add_to_own_rows,
    (Map, Exact): sum_by_size,
    (Map, Atomic): sum_atomically,
    (Map, Tiles): scan_and_map_by_tiles,
    (Map, Teams): reduce_rows_by_teams,
    (Reduction, InOrder): reduce_in_order,
    (Reduction, Blocks): reduce_in_blocks,
    (Reduction, Copies): reduce_rows_in_blocks,
    (Reduction, Tree): reduce_by_trees,
    (Reduction, Search): search_in_blocks,
    (Scan, InOrder): scan_in_order,
    (Scan, Pieces): scan_by_size,
    (Scan, Tiles): scan_by_tiles,
    (Reduction, Tiles): fused_scan_by_tiles,
    (Histogram, InOrder): count_in_order,
    (Histogram, Copies): count_in_blocks,
    (Histogram, Columns): count_by_size,
    (Histogram, Rare): update_rarely,
    (Histogram, Best): keep_best,
    (Scatter, InOrder): scatter_in_order,
    (Scatter, Claimed): scatter_by_claims,
}


def emit_operator(emitter: Emitter, node: Node) -> None:
    """Emits an operator in the form of its schedule, unless another one computes it."""
    schedule = emitter.schedule(node)
    if isinstance(schedule, Deferred):
        return
    opened = OPEN[node.name](emitter, node)
    opened.close(FORMS[type(opened), type(schedule)](opened, schedule) or ())


RULES = dict.fromkeys(OPEN, emit_operator)
