"""Sums of rows at few places, in the shared memory of blocks, by threads that own a column of them each.

A block has 256 threads: as many columns as rows have elements, several times over. Threads side by side read side by
side; a thread adds what its iterations have for its column to a table of its own, so that nobody waits for anybody and
the order is that of the iterations. In the end a block adds up the tables of each column, and the blocks are brought
together.

```mlir
scf.for %b = 0 to %blocks {
  %table = memref.alloca(%places) : memref<?x256xf32, workgroup>
  scf.for %t = 0 to 256 { // column %t % %d; every so many iterations, from %t / %d on } {tapeless.threads}
  scf.for %t = 0 to 256 { // elements of the sums of this block } {tapeless.threads}
} {tapeless.launch = "each block"}
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.ir.sizes.shapes import size_of
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.cuts import product, sum_of
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, launch_blocks, on_threads, shared_table
from tapeless.passes.lower.grid.copies import bring_together, indices_of
from tapeless.passes.lower.grid.counting.columns import FOR_EACH_BLOCK, PROCESSORS, SHARED_BY_BLOCKS, SHARED_BYTES
from tapeless.passes.lower.grid.row_columns.addends import Columns
from tapeless.passes.lower.grid.row_sums.arithmetic import sum_of_two
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import Along, Fixed, View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.schedule.row_columns.searched import dest_of

# How many blocks a processor has at a time, and how many iterations of a thread are worth a block.
BLOCKS_PER_PROCESSOR, PER_THREAD = 8, 16
# So many iterations are under way at a time.
AT_ONCE = 4


def sum_in_tables(columns: Columns, otherwise: Callable[[], None]) -> None:
    """In shared memory if the places are so few that the tables of all threads fit, else in the other way."""
    opened, each = columns.opened, table_bytes(columns)
    most = SHARED_BYTES // THREADS_PER_BLOCK
    if isinstance(each, int):
        Tables.of(columns, each).launch() if each <= most else otherwise()
        return
    few_or_many(
        opened.emitter,
        each,
        most,
        lambda: Tables.of(columns, each).launch(),
        otherwise,
        both_emit=opened.node,
    )


def table_bytes(columns: Columns) -> Index:
    """The bytes of a thread's column."""
    builder, sums = columns.opened.emitter.builder, columns.opened.sums
    return sum_of(builder, [builder.mul(product(builder, view.sizes[:-1]), bytes_of(view)) for view in sums])


@dataclass(frozen=True)
class Tables:
    """How the threads of blocks share columns and iterations: `slices` threads of a block for each of its columns."""

    columns: Columns
    own: Index
    slices: Index
    groups: Index
    blocks: Index

    @staticmethod
    def of(columns: Columns, each: Index) -> Tables:
        """For tables of so many bytes each; sizes alone decide. Long rows are divided into groups of columns."""
        builder = columns.opened.emitter.builder
        reach = columns.reach
        own = builder.arith("arith.maxsi", builder.arith("arith.minsi", reach, THREADS_PER_BLOCK), 1)
        slices, groups = builder.arith("arith.divui", THREADS_PER_BLOCK, own), ceil_div(builder, reach, own)
        table = builder.add(builder.mul(each, THREADS_PER_BLOCK), FOR_EACH_BLOCK)
        fitting = builder.arith(
            "arith.minsi", builder.arith("arith.divui", SHARED_BY_BLOCKS, table), BLOCKS_PER_PROCESSOR
        )
        room = builder.arith("arith.divui", builder.mul(fitting, PROCESSORS), builder.arith("arith.maxsi", groups, 1))
        width = builder.arith("arith.maxsi", columns.opened.width, 0)
        worth = builder.arith("arith.divui", width, builder.mul(slices, PER_THREAD))
        blocks = builder.arith("arith.maxsi", builder.arith("arith.minsi", worth, room), 1)
        return Tables(columns, own, slices, groups, blocks)

    def launch(self, resident: int | None = None) -> None:
        """A launch of blocks that sum, and launches that bring their sums together.

        If so many are to be `resident` at a time on a processor, that bounds registers.
        """
        opened = self.columns.opened
        emitter, builder, sums = opened.emitter, opened.emitter.builder, opened.sums
        partial = [new_array(emitter, [*view.sizes, self.blocks], element_type(view)) for view in sums]

        def sum_up(block: ir.Value) -> None:
            sizes = [[*view.sizes[:-1], THREADS_PER_BLOCK] for view in sums]
            tables = [shared_table(builder, each, element_type(view)) for each, view in zip(sizes, sums, strict=True)]
            number = builder.arith("arith.remui", block, self.blocks)
            first = builder.mul(builder.arith("arith.divui", block, self.blocks), self.own)
            add = self.adding()

            def sum_column(thread: ir.Value) -> None:
                own = self._cleared(tables, thread)
                slice_, beside = (builder.arith(name, thread, self.own) for name in ("arith.divui", "arith.remui"))
                column = builder.as_value(builder.add(first, beside))
                is_inside = _both(builder, (slice_, self.slices), (column, self.columns.count))
                add(Share(thread, number, slice_, column, is_inside), own)

            on_threads(emitter, THREADS_PER_BLOCK, sum_column)
            self.fold(tables)
            on_threads(emitter, THREADS_PER_BLOCK, lambda thread: self._leave(tables, partial, thread, number, first))

        launch_blocks(emitter, builder.mul(self.groups, self.blocks), sum_up, resident)
        for alike in self._of_one_shape():
            self._bring_together([sums[number] for number in alike], [partial[number] for number in alike])
        for table in partial:
            emitter.pool.free_raw(table.base)

    def _of_one_shape(self) -> list[list[int]]:
        """The numbers of the sums, those of equal sizes together."""
        groups: dict[object, list[int]] = {}
        for number, acc in enumerate(self.columns.opened.node.op.accs):
            dest = dest_of(acc)
            sizes = acc if dest is None else tuple(size_of(dest, axis) for axis in range(dest.type.rank))
            groups.setdefault(sizes, []).append(number)
        return list(groups.values())

    def _bring_together(self, sums: Sequence[View], partial: Sequence[View]) -> None:
        """Adds the sums of all blocks to arrays of one shape."""
        emitter, builder = self.columns.opened.emitter, self.columns.opened.emitter.builder

        def join(left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
            return [sum_of_two(builder, *pair) for pair in zip(left, right, strict=True)]

        zeros, starts = [zero_of(builder, view) for view in sums], [emitter.starts.get(view) for view in sums]
        bring_together(emitter, self.blocks, partial, sums, zeros, join, starts)

    def fold(self, tables: Sequence[View]) -> None:
        """Combines the tables of all threads before columns are added up."""

    def parts_of(self, number: int) -> tuple[Index, Index, Index]:
        """How many tables a column of a sum has, how far apart they are, and columns."""
        return self.slices, self.own, 1

    def adding(self) -> Callable[[Share, Sequence[View]], None]:
        """The emitter of a thread's iterations; memory that the block needs for them is made now."""
        return self._add_iterations

    def _cleared(self, tables: Sequence[View], thread: ir.Value) -> list[View]:
        """The tables of a thread, full of zeros."""
        builder, sums = self.columns.opened.emitter.builder, self.columns.opened.sums
        own = [_of_thread(table, view, thread) for table, view in zip(tables, sums, strict=True)]
        for place, view in zip(own, sums, strict=True):
            zero = zero_of(builder, view)
            for_each(builder, view.sizes[:-1], partial(_store_in_column, builder, zero, place))
        return own

    def _add_iterations(self, share: Share, own: Sequence[View]) -> None:
        """Every so many iterations, for the column of the thread."""
        opened = self.columns.opened
        builder = opened.emitter.builder
        width = builder.arith("arith.maxsi", opened.width, 0)
        start, step = (
            builder.add(builder.mul(share.block, self.slices), share.slice),
            builder.mul(self.blocks, self.slices),
        )
        several_at_once(
            opened.emitter,
            start,
            share.if_inside(builder, width),
            step,
            lambda number: self.columns.run(number, share.column, own),
        )

    def _leave(
        self, tables: Sequence[View], partial: Sequence[View], thread: ir.Value, number: Index, first: Index
    ) -> None:
        """Adds up the tables of the same column, in order, for every so many elements."""
        opened = self.columns.opened
        emitter, builder = opened.emitter, opened.emitter.builder
        for number_of_sum, (table, view, target) in enumerate(zip(tables, opened.sums, partial, strict=True)):
            left = builder.arith("arith.maxsi", builder.sub(view.sizes[-1], first), 0)
            wide = builder.arith("arith.minsi", left, self.own)
            parts, apart, between = self.parts_of(number_of_sum)
            sizes = [*view.sizes[:-1], wide]
            mine = builder.begin_for(thread, product(builder, sizes), THREADS_PER_BLOCK)
            *at, beside = indices_of(builder, mine.variable, sizes)
            joining = builder.begin_for(0, parts, starts=[zero_of(builder, view)])
            place = builder.add(builder.mul(joining.variable, apart), builder.mul(beside, between))
            total = sum_of_two(builder, joining.carried[0], load(builder, table, [*at, place]))
            end_region(emitter, [total])
            store(builder, joining.op.results[0], target, [*at, builder.add(first, beside), number])
            end_region(emitter)


@dataclass(frozen=True)
class Share:
    """A thread's share of the sums: its number, that of its block, which of the threads of its column it is.

    Some threads have no column.
    """

    thread: ir.Value
    block: Index
    slice: Index
    column: ir.Value
    is_inside: ir.Value

    def if_inside(self, builder: Builder, count: Index) -> ir.Value:
        """So many for threads that have a column, none for others."""
        return builder.value("arith.select", builder.index, [self.is_inside, *map(builder.as_value, (count, 0))])


def several_at_once(
    emitter: Emitter, start: Index, high: ir.Value, step: Index, run: Callable[[ir.Value], None]
) -> None:
    """A loop from `start`, several iterations of which are under way at a time; `start` is less than all steps."""
    builder = emitter.builder
    turns = builder.arith("arith.divui", high, builder.mul(step, AT_ONCE))
    loop = builder.begin_for(0, turns)
    low = builder.add(start, builder.mul(loop.variable, builder.mul(step, AT_ONCE)))
    for offset in range(AT_ONCE):
        run(builder.as_value(builder.add(low, builder.mul(step, offset))))
    end_region(emitter)
    loop = builder.begin_for(builder.add(start, builder.mul(turns, builder.mul(step, AT_ONCE))), high, step)
    run(loop.variable)
    end_region(emitter)


def _of_thread(table: View, view: View, thread: ir.Value) -> View:
    """The private table of a thread for an array, whose only column is that of the thread."""
    axes = [Along(axis) for axis in range(len(view.sizes) - 1)]
    return View(table.base, (*axes, Fixed(thread)), view.sizes)


def _both(builder: Builder, *pairs: tuple[Index, Index]) -> ir.Value:
    """Whether the first of every pair is less than the second."""
    bit = ir.IntegerType.get_signless(1)
    less = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.slt.value)
    one, other = (
        builder.value("arith.cmpi", bit, [builder.as_value(left), builder.as_value(right)], predicate=less)
        for left, right in pairs
    )
    return builder.value("arith.andi", bit, [one, other])


def _store_in_column(builder: Builder, value: ir.Value, place: View, at: Sequence[Index]) -> None:
    store(builder, value, place, [*at, 0])


def bytes_of(view: View) -> int:
    return element_bytes(ir.MemRefType(view.base.type))
