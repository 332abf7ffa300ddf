"""Rows that are added at few places, in one launch with the search for the place.

A block brings the rows of some iterations to shared memory. A thread for each iteration finds its place; then the
threads that own a column add all of them, from shared memory, to tables of their own (`tables.py`). So rows are read
once. While some blocks of a processor wait for rows, others work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.machine import SHARED_OF_ANY_BLOCK
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.cuts import product, sum_of
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, on_threads
from tapeless.passes.lower.grid.copies import indices_of
from tapeless.passes.lower.grid.counting.columns import FOR_EACH_BLOCK, PROCESSORS, SHARED_BY_BLOCKS
from tapeless.passes.lower.grid.row_columns.tables import Share, Tables, table_bytes
from tapeless.passes.lower.grid.row_columns.together.brought import BroughtRows, BroughtTable, row_bytes
from tapeless.passes.lower.grid.row_columns.together.finding import Finding
from tapeless.passes.lower.grid.row_columns.together.tiles import Tiles
from tapeless.passes.lower.grid.row_columns.together.words import Words, bytes_of_words
from tapeless.passes.lower.grid.row_sums.arithmetic import sum_of_two
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.soac.spread.together import ITERATIONS, MOST_BYTES, MOST_COLUMNS, MOST_TABLE

# So many blocks share a processor, which bounds the registers of a thread to 48.
RESIDENT_BLOCKS = 5
MOST_SHARED = SHARED_OF_ANY_BLOCK
# So many tables of sums of equal elements are left when the threads of a block have added up theirs.
EVEN_TABLES = 8


def find_and_sum(finding: Finding, otherwise: Callable[[], None]) -> None:
    """In one launch if a block has room for rows and tables, else in the other way; sizes tell."""
    columns = finding.columns
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    rows = [row_bytes(builder, each.array) for each in finding.staged]
    needed = sum_of(builder, [*rows, builder.mul(table_bytes(columns), THREADS_PER_BLOCK)])
    wanted = needed
    for size, most in ((columns.reach, MOST_COLUMNS), (table_bytes(columns), MOST_TABLE)):
        wanted = builder.arith("arith.maxsi", wanted, builder.mul(size, MOST_BYTES // most))
    tables = [BroughtTable.bytes(builder, emitter.view(array), columns.count) for array in finding.tables]
    handed = ITERATIONS * bytes_of_words(finding.handed)
    each = sum_of(builder, [needed, *tables, FOR_EACH_BLOCK + handed])
    wanted = builder.arith("arith.maxsi", wanted, builder.sub(each, MOST_SHARED - MOST_BYTES))
    few_or_many(
        emitter,
        wanted,
        MOST_BYTES,
        lambda: _launch(finding, each),
        otherwise,
        both_emit=columns.opened.node,
    )


def _launch(finding: Finding, each: Index) -> None:
    """Blocks that need so many bytes each, as many as processors have room for."""
    columns = finding.columns
    builder = columns.opened.emitter.builder
    own = builder.arith("arith.maxsi", builder.arith("arith.minsi", columns.reach, THREADS_PER_BLOCK), 1)
    slices = builder.arith("arith.divui", THREADS_PER_BLOCK, own)
    fitting = builder.arith("arith.minsi", builder.arith("arith.divui", SHARED_BY_BLOCKS, each), RESIDENT_BLOCKS)
    tiles = ceil_div(builder, builder.arith("arith.maxsi", columns.opened.width, 0), ITERATIONS)
    wanted = builder.arith("arith.minsi", builder.mul(fitting, PROCESSORS), tiles)
    TogetherTables(columns, own, slices, 1, builder.arith("arith.maxsi", wanted, 1), finding).launch(RESIDENT_BLOCKS)


@dataclass(frozen=True)
class TogetherTables(Tables):
    """Tables of threads that also find the places."""

    finding: Finding

    def fold(self, tables: Sequence[View]) -> None:
        """Adds up tables of sums of equal elements, which a thread for each iteration has, until few are left."""
        emitter, builder = self.columns.opened.emitter, self.columns.opened.emitter.builder

        def fold_rows(thread: ir.Value) -> None:
            for number in sorted(self.finding.even_sums()):
                table, view = tables[number], self.columns.opened.sums[number]
                sizes = [*view.sizes[:-1], EVEN_TABLES]
                mine = builder.begin_for(thread, product(builder, sizes), THREADS_PER_BLOCK)
                *at, first = indices_of(builder, mine.variable, sizes)
                joining = builder.begin_for(first, ITERATIONS, EVEN_TABLES, starts=[zero_of(builder, view)])
                total = sum_of_two(builder, joining.carried[0], load(builder, table, [*at, joining.variable]))
                end_region(emitter, [total])
                store(builder, joining.op.results[0], table, [*at, first])
                end_region(emitter)

        if self.finding.even_sums():
            on_threads(emitter, THREADS_PER_BLOCK, fold_rows)

    def parts_of(self, number: int) -> tuple[Index, Index, Index]:
        """Those of sums of equal elements are the same for all columns."""
        return (EVEN_TABLES, 1, 0) if number in self.finding.even_sums() else super().parts_of(number)

    def adding(self) -> Callable[[Share, Sequence[View]], None]:
        """Allocates rows, tables and broadcast values; gives the emitter of a thread's iterations."""
        finding, emitter = self.finding, self.columns.opened.emitter
        builder = emitter.builder
        rows = [BroughtRows.of(builder, each.array) for each in finding.staged]
        tables = {array: BroughtTable.of(builder, emitter.view(array), self.columns.count) for array in finding.tables}
        handed = Words.of(builder, finding.handed)
        return lambda share, own: Tiles(finding, share, own, self.slices, self.blocks, rows, tables, handed).emit()
