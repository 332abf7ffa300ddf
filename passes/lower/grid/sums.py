"""Maps with accumulators as launches: threads sum into copies of their own, or into the accumulators themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Atomic, OwnCopies, OwnRows, Sums
from tapeless.passes.lower.blocks.accumulators import zero_of
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.copies import bring_together, copy_of, make_copies, number_of_copies, share_of
from tapeless.passes.lower.grid.row_columns.addends import columns_of
from tapeless.passes.lower.grid.row_columns.tables import sum_in_tables
from tapeless.passes.lower.grid.row_columns.together.finding import finding_of
from tapeless.passes.lower.grid.row_columns.together.launch import find_and_sum
from tapeless.passes.lower.grid.row_sums.staged import launch_sums
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import write_starts
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.marks import EACH_THREAD


def sum_into_copies(opened: Map, schedule: OwnCopies) -> None:
    """By threads that own columns of a few rows; else a launch whose threads sum into copies, added up in order."""
    by_columns(opened, schedule, lambda: sum_into_so_many(opened, schedule, copies_for(opened, schedule)))


def copies_for(opened: Map, schedule: OwnCopies) -> Index:
    """How many threads may sum into copies."""
    width = opened.emitter.builder.arith("arith.maxsi", opened.width, 0)
    return number_of_copies(opened.emitter, opened.node, width, opened.sums, schedule.most)


def sum_into_so_many(opened: Map, schedule: OwnCopies, copies: Index) -> None:
    """A launch whose threads, so many, sum into copies, and launches that add these up in order."""
    emitter, sums = opened.emitter, opened.sums
    builder = emitter.builder
    width = builder.arith("arith.maxsi", opened.width, 0)
    tables = make_copies(emitter, copies, sums, [zero_of(builder, view) for view in sums])
    loop = builder.begin_for(0, copies, private=True)
    low, high, step = share_of(builder, loop.variable, width, copies, schedule.is_free)
    opened.begin(low, high, [copy_of(table, loop.variable) for table in tables], step=step)
    end_region(emitter)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)
    for view, table in zip(sums, tables, strict=True):
        zero, start = zero_of(builder, view), emitter.starts.get(view)
        bring_together(emitter, copies, [table], [view], [zero], lambda *pair: _sum(opened, *pair), [start])
        emitter.pool.free_raw(table.base)


def _sum(opened: Map, left: Sequence[ir.Value], right: Sequence[ir.Value]) -> list[ir.Value]:
    builder, type_ = opened.emitter.builder, left[0].type
    name = "arith.addi" if isinstance(type_, (ir.IntegerType, ir.IndexType)) else "arith.addf"
    return [builder.value(name, type_, [left[0], right[0]])]


def add_to_own_rows(opened: Map, schedule: OwnRows) -> None:
    """By threads that own columns; else a launch with a thread for each iteration, which no other one disturbs."""

    def in_place() -> None:
        write_starts(opened.emitter, opened.sums)
        launch_sums(opened, schedule, opened.sums)

    by_columns(opened, schedule, in_place)


def sum_atomically(opened: Map, schedule: Atomic) -> None:
    """By threads that own columns of a few rows; else a launch whose additions to the accumulators are atomic."""
    by_columns(opened, schedule, lambda: _sum_atomically(opened, schedule))


def by_columns(opened: Map, schedule: Sums, otherwise: Callable[[], None]) -> None:
    """By threads that own columns, which may have to find the rows' places before; else in another way."""
    if schedule.columns == "direct":
        sum_in_tables(columns_of(opened), otherwise)
    elif schedule.columns == "searched":
        find_and_sum(finding_of(opened, schedule), otherwise)
    else:
        otherwise()


def _sum_atomically(opened: Map, schedule: Sums) -> None:
    emitter = opened.emitter
    write_starts(emitter, opened.sums)
    shared = {view.base for view in opened.sums}
    emitter.shared_sums |= shared
    launch_sums(opened, schedule, opened.sums)
    emitter.shared_sums -= shared
