"""Launches whose threads add rows to tables: every thread leaves its rows in shared memory, then the block adds them.

Threads that add single elements, each to another row, have the memory look at as many places as there are threads with
every addition. When the block adds, neighbouring threads add neighbouring elements, which it does together.

```mlir
scf.for %b = 0 to ceil(%n / 128) {
  scf.for %t = 0 to 128 { // iteration %b * 128 + %t: rows to shared memory, and where they belong } {tapeless.threads}
  scf.for %t = 0 to 128 { // every 128th element of all these rows is added } {tapeless.threads}
} {tapeless.launch = "each block"}
```
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir
from tapeless.dialects.soac.schedules import Sums
from tapeless.passes.ir.machine import MEASURED_GPU
from tapeless.passes.lower.blocks.launching import keep_inside, mark_launch
from tapeless.passes.lower.grid.block_launches import on_threads
from tapeless.passes.lower.grid.row_columns.addends import Columns, columns_of
from tapeless.passes.lower.grid.row_sums.added_rows import BLOCK_SIZES, AddedRows, added_rows
from tapeless.passes.lower.grid.row_sums.arithmetic import begin_if
from tapeless.passes.lower.grid.row_sums.tile import Own, Tile
from tapeless.passes.lower.grid.tiles.shuffles import WARP
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.marks import EACH_BLOCK, EACH_THREAD, THREADS


def launch_sums(opened: Map, schedule: Sums, sums: Sequence[View]) -> None:
    """A launch with a thread for each iteration of a map, which adds to `sums` itself, or has its block add rows.

    Where all that iterations do is to add rows, there is a thread for each element of these, unless rows are short and
    iterations many enough, or unknown.
    """
    rows, columns = added_rows(opened), columns_of(opened) if schedule.columns == "direct" else None
    if columns is not None and (rows is None or _is_warp(columns.count) or _is_few(opened.width)):
        launch_columns(columns, sums)
        return
    if rows is not None:
        _launch_with_rows(opened, rows, sums)
        return
    loop = opened.begin(0, opened.width, sums, private=True)
    mark_launch(opened.emitter, loop, end_region(opened.emitter), EACH_THREAD)


def _is_warp(columns: Index) -> bool:
    """Whether the threads of a warp add neighbouring elements of a row, as those of a block that has rows would."""
    return isinstance(columns, int) and columns >= WARP


def _is_few(iterations: Index) -> bool:
    """Whether a thread for each iteration would leave multiprocessors without a block."""
    return isinstance(iterations, int) and iterations < MEASURED_GPU.multiprocessors * max(BLOCK_SIZES)


def _launch_with_rows(opened: Map, rows: AddedRows, sums: Sequence[View]) -> None:
    emitter, builder, threads = opened.emitter, opened.emitter.builder, rows.threads
    width = builder.arith("arith.maxsi", opened.width, 0)
    loop = builder.begin_for(0, ceil_div(builder, width, threads))
    first = builder.mul(loop.variable, threads)
    left = builder.arith("arith.minsi", builder.sub(width, first), threads)
    tiles = [Tile.of(emitter, each, sums[each.number], threads) for each in rows.found]

    def deliver(thread: ir.Value) -> None:
        for tile in tiles:
            tile.deliver(thread, threads, left)

    _iterate(opened, tiles, sums, threads, first, left)
    on_threads(emitter, threads, deliver)
    mark_launch(emitter, loop, end_region(emitter), EACH_BLOCK)


def _iterate(opened: Map, tiles: Sequence[Tile], sums: Sequence[View], threads: int, first: Index, left: Index) -> None:
    """One iteration for each thread, with memory of its own."""
    emitter, builder = opened.emitter, opened.emitter.builder
    loop = builder.begin_for(0, threads, private=True)
    loop.op.attributes[THREADS] = builder.unit
    begin_if(builder, arith.CmpIPredicate.slt, loop.variable, builder.as_value(left))
    others = dict(emitter.ways_to_add)
    owns = [Own.of(tile) for tile in tiles]
    for own in owns:
        own.clear()
        base = own.tile.carrier.base
        emitter.ways_to_add[base] = own.way(others.get(base))
    opened.run(builder.as_value(builder.add(first, loop.variable)), sums)
    emitter.ways_to_add = others
    for own in owns:
        own.leave(loop.variable)
    end_region(emitter)
    keep_inside(emitter, loop, end_region(emitter))


def launch_columns(columns: Columns, sums: Sequence[View]) -> None:
    """A launch of a nest of two loops, over iterations and over the elements of rows, which the memory adds together.

    Additions of several threads to one element must be made in a way that allows for it.
    """
    emitter, builder = columns.opened.emitter, columns.opened.emitter.builder
    loop = builder.begin_for(0, columns.opened.width, parallel=True, private=True)
    inner = builder.begin_for(0, columns.count, parallel=True)
    columns.run(loop.variable, inner.variable, sums)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
