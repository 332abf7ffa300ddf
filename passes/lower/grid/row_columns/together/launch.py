"""Rows that are added at few places, in one launch with the search for the place.

A block brings the rows of some iterations to shared memory. A thread for each iteration finds its place; then the
threads that own a column add all of them, from shared memory, to tables of their own (`tables.py`). So rows are read
once. While some blocks of a processor wait for rows, others work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.cuts import sum_of
from tapeless.passes.lower.grid.blocks import THREADS_PER_BLOCK, shared_memory
from tapeless.passes.lower.grid.counting.columns import FOR_EACH_BLOCK, PROCESSORS, SHARED_BY_BLOCKS
from tapeless.passes.lower.grid.row_columns.tables import Share, Tables, table_bytes
from tapeless.passes.lower.grid.row_columns.together.brought import BroughtRows, BroughtTable, row_bytes
from tapeless.passes.lower.grid.row_columns.together.finding import Finding
from tapeless.passes.lower.grid.row_columns.together.tiles import Tiles
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.soac.spread.together import ITERATIONS, MOST_BYTES, MOST_COLUMNS, MOST_TABLE

# What is handed on in an iteration takes at most so many bytes for each number.
NUMBER_BYTES = 8
# So many blocks share a processor, which bounds the registers of a thread to 48.
RESIDENT_BLOCKS = 5


def find_and_sum(finding: Finding, otherwise: Callable[[], None]) -> None:
    """In one launch if a block has room for rows and tables, else in the other way; sizes tell."""
    columns = finding.columns
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    rows = [row_bytes(builder, each.array) for each in finding.staged]
    needed = sum_of(builder, [*rows, builder.mul(table_bytes(columns), THREADS_PER_BLOCK)])
    wanted = needed
    for size, most in ((columns.count, MOST_COLUMNS), (table_bytes(columns), MOST_TABLE)):
        wanted = builder.arith("arith.maxsi", wanted, builder.mul(size, MOST_BYTES // most))
    few_or_many(
        emitter,
        wanted,
        MOST_BYTES,
        lambda: _launch(finding, needed),
        otherwise,
        both_emit=columns.opened.node,
    )


def _launch(finding: Finding, needed: Index) -> None:
    columns = finding.columns
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    own = builder.arith("arith.maxsi", builder.arith("arith.minsi", columns.count, THREADS_PER_BLOCK), 1)
    slices = builder.arith("arith.divui", THREADS_PER_BLOCK, own)
    tables = [BroughtTable.bytes(builder, emitter.view(array), columns.count) for array in finding.tables]
    handed = len(finding.handed.values) * ITERATIONS * NUMBER_BYTES
    each = sum_of(builder, [needed, *tables, FOR_EACH_BLOCK + handed])
    fitting = builder.arith("arith.minsi", builder.arith("arith.divui", SHARED_BY_BLOCKS, each), RESIDENT_BLOCKS)
    tiles = ceil_div(builder, builder.arith("arith.maxsi", columns.opened.width, 0), ITERATIONS)
    wanted = builder.arith("arith.minsi", builder.mul(fitting, PROCESSORS), tiles)
    TogetherTables(columns, own, slices, 1, builder.arith("arith.maxsi", wanted, 1), finding).launch(RESIDENT_BLOCKS)


@dataclass(frozen=True)
class TogetherTables(Tables):
    """Tables of threads that also find the places."""

    finding: Finding

    def adding(self) -> Callable[[Share, Sequence[View]], None]:
        """Makes memory for rows, tables and what is handed on; gives what emits the iterations of a thread."""
        finding, emitter = self.finding, self.columns.opened.emitter
        builder = emitter.builder
        rows = [BroughtRows.of(builder, each.array) for each in finding.staged]
        tables = {array: BroughtTable.of(builder, emitter.view(array), self.columns.count) for array in finding.tables}
        handed = shared_memory(builder, ITERATIONS, [value.type for value in finding.handed.values])
        return lambda share, own: Tiles(finding, share, own, self.slices, self.blocks, rows, tables, handed).emit()
