"""How every form of every operator is emitted: the one place where schedules are carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Deferred
from tapeless.passes.driver.pass_table import ImportTable
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.storage.tree import Node


class Opened(Protocol):
    """An operator whose places are known and whose loops are still to be emitted."""

    def close(self, results: Sequence[ir.Value]) -> None:
        """Binds its results; `results` are the scalars that its loops end with."""


OPEN: ImportTable[str, Callable[[Emitter, Node], Opened]] = ImportTable(
    "lower",
    {
        "soac.map": "loops.maps.open_map",
        "soac.reduce": "loops.combinators.open_reduce",
        "soac.fused": "loops.combinators.open_fused",
        "soac.scan": "scans.scans.open_scan",
        "soac.hist": "blocks.histograms.open_histogram",
        "soac.fused_hist": "blocks.histograms.open_histogram",
        "soac.scatter": "loops.updates.open_scatter",
    },
)

# Emits the loops of an opened operator in a form, both of the classes in the key; returns the scalars they end with.
Emit = Callable[[Any, Any], list[ir.Value] | None]

FORMS: ImportTable[tuple[str, str], Emit] = ImportTable(
    "lower",
    {
        ("Map", "InOrder"): "loops.maps.map_in_order",
        ("Map", "Column"): "loops.maps.map_in_order",
        ("Map", "Parts"): "blocks.in_blocks.map_in_parts",
        ("Map", "Copies"): "blocks.accumulators.accumulate",
        ("Map", "Launch"): "grid.map_launches.launch_map",
        ("Map", "Picked"): "grid.map_launches.map_at_places",
        ("Map", "OwnCopies"): "grid.exact.sums.sum_by_threads",
        ("Map", "OwnRows"): "grid.sums.add_to_own_rows",
        ("Map", "Exact"): "grid.exact.sums.sum_by_size",
        ("Map", "Atomic"): "grid.sums.sum_atomically",
        ("Map", "Tiles"): "grid.tiles.deferred.scan_and_map_by_tiles",
        ("Map", "Teams"): "grid.rows.reduce_rows_by_teams",
        ("Reduction", "InOrder"): "loops.combinators.reduce_in_order",
        ("Reduction", "Blocks"): "blocks.in_blocks.reduce_in_blocks",
        ("Reduction", "Copies"): "blocks.row_blocks.reduce_rows_in_blocks",
        ("Reduction", "Tree"): "grid.trees.reduce_by_trees",
        ("Reduction", "Search"): "blocks.in_blocks.search_in_blocks",
        ("Scan", "InOrder"): "scans.scans.scan_in_order",
        ("Scan", "Pieces"): "scans.scans.scan_by_size",
        ("Scan", "Tiles"): "grid.tiles.scans.scan_by_tiles",
        ("Reduction", "Tiles"): "grid.tiles.scans.fused_scan_by_tiles",
        ("Histogram", "InOrder"): "blocks.histograms.count_in_order",
        ("Histogram", "Copies"): "blocks.histograms.count_in_blocks",
        ("Histogram", "Columns"): "grid.counting.histograms.count_by_size",
        ("Histogram", "Rare"): "grid.counting.rare.update_rarely",
        ("Histogram", "Best"): "grid.counting.best.keep_best",
        ("Scatter", "InOrder"): "loops.updates.scatter_in_order",
        ("Scatter", "Claimed"): "grid.claims.scatter_by_claims",
    },
)


def emit_operator(emitter: Emitter, node: Node) -> None:
    """Emits an operator in the form of its schedule, unless another one computes it."""
    schedule = emitter.schedule(node)
    if isinstance(schedule, Deferred):
        return
    opened = OPEN[node.name](emitter, node)
    opened.close(FORMS[type(opened).__name__, type(schedule).__name__](opened, schedule) or ())
