"""Sums into copies in shared memory: the arrays are so small that every thread of a block has them for itself.

The copies of an element lie side by side, so that threads meet in no bank and wait for nobody. In the end a block adds
up its copies in order, and then the blocks are brought together. Iterations may add to other arrays as well, of which
there are no copies, in a way that allows for several threads.

```mlir
scf.for %b = 0 to %blocks {
  %table = memref.alloca(%elements) : memref<?x129xf64, workgroup>
  scf.for %t = 0 to 128 { // every so many iterations; they add to column %t of the table } {tapeless.threads}
  scf.for %t = 0 to 128 { // the sums of every 128th row of the table } {tapeless.threads}
} {tapeless.launch = "each block"}
```
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.cuts import product, sum_of
from tapeless.passes.lower.blocks.launching import keep_inside
from tapeless.passes.lower.grid.block_launches import launch_blocks, on_threads, shared_table
from tapeless.passes.lower.grid.copies import bring_together, copy_of, indices_of
from tapeless.passes.lower.grid.counting.columns import FOR_EACH_BLOCK, PROCESSORS, SHARED_BY_BLOCKS, SHARED_BYTES
from tapeless.passes.lower.grid.row_columns.tables import bytes_of
from tapeless.passes.lower.grid.row_sums.arithmetic import sum_of_two
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import for_each
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.marks import THREADS

BLOCK = 128
# A row of the table is one longer than there are threads: those that add up neighbouring rows meet in no bank.
PITCH = BLOCK + 1
# What the copies of a thread may take, so that those of a block fit on every generation.
MOST_BYTES = SHARED_BYTES // PITCH
# As many blocks of this size as a processor has room for.
BLOCKS_PER_PROCESSOR = 2048 // BLOCK


def bytes_of_copy(opened: Map, sums: Sequence[View]) -> Index:
    """The bytes of the copies that a thread has of some sums."""
    builder = opened.emitter.builder
    return sum_of(builder, [builder.mul(product(builder, view.sizes), bytes_of(view)) for view in sums])


def launch_with_copies(opened: Map, sums: Sequence[View], copied: Sequence[int]) -> None:
    """A launch whose iterations add to copies of the sums of these numbers, and launches that bring them together."""
    emitter, builder = opened.emitter, opened.emitter.builder
    views = [sums[number] for number in copied]
    width = builder.arith("arith.maxsi", opened.width, 0)
    blocks = _blocks(opened, views, width)
    partial = [new_array(emitter, [*view.sizes, blocks], element_type(view)) for view in views]

    def sum_up(block: ir.Value) -> None:
        tables = [Table.of(opened, view, target, block) for view, target in zip(views, partial, strict=True)]
        given = dict(zip(copied, tables, strict=True))
        loop = builder.begin_for(0, BLOCK, private=True)
        loop.op.attributes[THREADS] = builder.unit
        for table in tables:
            table.clear(loop.variable)
        first = builder.add(builder.mul(block, BLOCK), loop.variable)
        own = [given[number].of_thread(loop.variable) if number in given else view for number, view in enumerate(sums)]
        opened.begin(first, width, own, step=builder.mul(blocks, BLOCK))
        end_region(emitter)
        keep_inside(emitter, loop, end_region(emitter))

        def leave(thread: ir.Value) -> None:
            for table in tables:
                table.leave(thread)

        on_threads(emitter, BLOCK, leave)

    launch_blocks(emitter, blocks, sum_up)
    for view, target in zip(views, partial, strict=True):
        starts = [emitter.starts.get(view)]
        bring_together(
            emitter, blocks, [target], [view], [zero_of(builder, view)], lambda *pair: _sums(opened, *pair), starts
        )
        emitter.pool.free_raw(target.base)


def _sums(opened: Map, left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
    return [sum_of_two(opened.emitter.builder, *pair) for pair in zip(left, right, strict=True)]


def _blocks(opened: Map, views: Sequence[View], width: Index) -> Index:
    """As many as processors have room for, or fewer whose threads all have as many iterations; sizes alone decide."""
    builder = opened.emitter.builder
    table = builder.add(builder.mul(bytes_of_copy(opened, views), PITCH), FOR_EACH_BLOCK)
    fitting = builder.arith("arith.divui", SHARED_BY_BLOCKS, table)
    room = builder.mul(builder.arith("arith.minsi", fitting, BLOCKS_PER_PROCESSOR), PROCESSORS * BLOCK)
    turns = builder.arith("arith.maxsi", ceil_div(builder, width, builder.arith("arith.maxsi", room, 1)), 1)
    return builder.arith("arith.maxsi", ceil_div(builder, width, builder.mul(turns, BLOCK)), 1)


@dataclass(frozen=True)
class Table:
    """The copies that the threads of a block have of an array, and where the block leaves their sums."""

    opened: Map
    view: View
    table: View
    target: View
    block: ir.Value

    @staticmethod
    def of(opened: Map, view: View, target: View, block: ir.Value) -> Table:
        table = shared_table(opened.emitter.builder, [*view.sizes, PITCH], element_type(view))
        return Table(opened, view, table, target, block)

    def of_thread(self, thread: ir.Value) -> View:
        """The copy of a thread."""
        return copy_of(self.table, thread)

    def clear(self, thread: ir.Value) -> None:
        """Fills the copy of a thread with zeros."""
        builder, own = self.opened.emitter.builder, self.of_thread(thread)
        zero = zero_of(builder, self.view)
        for_each(builder, own.sizes, lambda at: store(builder, zero, own, at))

    def leave(self, thread: ir.Value) -> None:
        """Adds up the copies of every so many elements, in order."""
        emitter, builder = self.opened.emitter, self.opened.emitter.builder
        mine = builder.begin_for(thread, product(builder, self.view.sizes), BLOCK)
        at = indices_of(builder, mine.variable, self.view.sizes)
        joining = builder.begin_for(0, BLOCK, starts=[zero_of(builder, self.view)])
        value = load(builder, self.table, [*at, joining.variable])
        end_region(emitter, [sum_of_two(builder, joining.carried[0], value)])
        store(builder, joining.op.results[0], self.target, [*at, self.block])
        end_region(emitter)
