"""Sums whose order is free and whose bits are not: in two launches by fixed-point numbers.

The first finds the largest exponents, the second adds (`fixed_point.py`). What a map leaves beside its sums goes to
memory of its own in the first. Integers are added where they belong, in the second. Arrays of few elements, to which
many threads would add at a time, are summed into copies instead, and so are arrays to which iterations add at places
that they count, if copies for enough threads have room. Where a map adds to arrays of both kinds, the second launch has
the copies, in shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import Exact, OwnCopies, Sums
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.counting import lifted
from tapeless.passes.lower.blocks.cuts import product, sum_of
from tapeless.passes.lower.blocks.histograms import Histogram
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.exact.fixed_point import FixedPoint
from tapeless.passes.lower.grid.exact.levels import Levels
from tapeless.passes.lower.grid.row_sums.added_rows import added_rows, has_little_memory
from tapeless.passes.lower.grid.row_sums.staged import launch_sums
from tapeless.passes.lower.grid.shared_copies import MOST_BYTES, bytes_of_copy, launch_with_copies
from tapeless.passes.lower.grid.sums import by_columns, copies_for, sum_into_copies, sum_into_so_many
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import end_region, scalars
from tapeless.passes.lower.loops.copying import write_starts
from tapeless.passes.lower.loops.emitter import Emitter, WayToAdd
from tapeless.passes.lower.loops.maps import Map
from tapeless.passes.lower.loops.updates import add_to, begin_if_inside
from tapeless.passes.lower.loops.views import View
from tapeless.passes.marks import EACH_THREAD

# How many elements there are at least, so that threads seldom meet. Copies of more take longer to fill and to bring
# together than additions take: 16384 copies of 2048 elements took 240 us, of half a million additions 100.
FEW_ELEMENTS = 1024
# So many elements may have words for levels, if there are so many iterations for each of them.
MOST_ELEMENTS = 1 << 22
ITERATIONS_PER_ELEMENT = 8

# So many threads, or one for each iteration, should sum: if there is no room for their copies, they share the array.
ENOUGH_THREADS = 4096

# With fewer iterations, copies in memory are as fast as those in shared memory: each thread has one iteration.
MANY_ITERATIONS = 16384

# Emits a launch whose iterations add to these arrays, and is told whether results count.
Sweep = Callable[[Sequence[View], bool], None]


def sum_by_size(opened: Map, schedule: Exact) -> None:
    """Into copies of small arrays, exactly into large ones."""
    emitter, builder = opened.emitter, opened.emitter.builder
    elements = sum_of(builder, [product(builder, view.sizes) for view in opened.sums])
    copies = OwnCopies(schedule.most, columns=schedule.columns, is_guarded=schedule.is_guarded)
    if isinstance(elements, int):
        sum_into_copies(opened, copies) if elements <= FEW_ELEMENTS else _sum_beside_copies(opened, schedule)
        return
    few_or_many(
        emitter,
        elements,
        FEW_ELEMENTS,
        lambda: sum_into_copies(opened, copies),
        lambda: _sum_beside_copies(opened, schedule),
        both_emit=opened.node,
    )


def sum_by_threads(opened: Map, schedule: OwnCopies) -> None:
    """By threads that own columns; into copies, if there may be as many as there should be threads; else exactly."""
    by_columns(opened, schedule, lambda: _sum_by_threads(opened, schedule))


def _sum_into_shared(opened: Map, otherwise: Callable[[], None]) -> None:
    """Into copies in shared memory if they fit and iterations are many, else in another way."""
    builder = opened.emitter.builder
    if not has_little_memory(opened.node):
        otherwise()
        return
    missing = builder.arith("arith.maxsi", builder.sub(MANY_ITERATIONS, opened.width), 0)
    # One number tells of both: each iteration that is missing counts as more bytes than there are.
    asked = builder.add(bytes_of_copy(opened, opened.sums), builder.mul(missing, MOST_BYTES + 1))
    everything = range(len(opened.sums))
    if isinstance(asked, int):
        launch_with_copies(opened, opened.sums, everything) if asked <= MOST_BYTES else otherwise()
        return
    few_or_many(
        opened.emitter,
        asked,
        MOST_BYTES,
        lambda: launch_with_copies(opened, opened.sums, everything),
        otherwise,
        both_emit=opened.node,
    )


def _sum_by_threads(opened: Map, schedule: OwnCopies) -> None:
    emitter, builder = opened.emitter, opened.emitter.builder
    copies, wanted = copies_for(opened, schedule), builder.arith("arith.minsi", opened.width, ENOUGH_THREADS)

    def in_memory() -> None:
        if isinstance(copies, int) and isinstance(wanted, int):
            sum_into_so_many(opened, schedule, copies) if wanted <= copies else _sum_exactly(opened, schedule)
            return
        few_or_many(
            emitter,
            wanted,
            copies,
            lambda: sum_into_so_many(opened, schedule, copies),
            lambda: _sum_exactly(opened, schedule),
            both_emit=opened.node,
        )

    _sum_into_shared(opened, in_memory)


def _sum_beside_copies(opened: Map, schedule: Exact) -> None:
    """All exactly, but for arrays of which threads have copies in shared memory, if these fit."""
    adds_rows = schedule.columns or added_rows(opened) is not None
    if not schedule.beside or adds_rows or not has_little_memory(opened.node):
        _sum_exactly(opened, schedule)
        return
    few_or_many(
        opened.emitter,
        bytes_of_copy(opened, [opened.sums[number] for number in schedule.beside]),
        MOST_BYTES,
        lambda: _sum_exactly(opened, schedule, schedule.beside),
        lambda: _sum_exactly(opened, schedule),
        both_emit=opened.node,
    )


def _sum_exactly(opened: Map, schedule: Sums, copied: Sequence[int] = ()) -> None:
    """Exactly, but for the arrays of these numbers, of which threads have copies."""
    emitter = opened.emitter
    own = [opened.sums[number] for number in copied]
    shared = [view for view in opened.sums if view not in own]
    write_starts(emitter, shared)
    made: list[View] = []

    def sweep(sums: Sequence[View], counts: bool) -> None:
        which = opened
        if not counts:
            made.extend(new_array(emitter, [*target.sizes], element_type(target)) for target in opened.targets)
            which = replace(opened, targets=made)
        emitter.forget(opened.node)
        changed = dict(zip(shared, sums, strict=True))
        views = [changed.get(view, view) for view in opened.sums]
        if own and counts:
            launch_with_copies(which, views, copied)
        else:
            _launch(emitter, {view.base: _nothing for view in own}, lambda: launch_sums(which, schedule, views))

    def by_exponents() -> None:
        _sum(emitter, shared, sweep)
        for target in made:
            emitter.pool.free_raw(target.base)

    _by_levels_if_small(opened, shared, sweep, by_exponents)


def count_exactly(opened: Histogram) -> None:
    """A histogram of sums."""
    emitter, node, builder = opened.emitter, opened.node, opened.emitter.builder

    def sweep(sums: Sequence[View], counts: bool) -> None:
        emitter.forget(node)
        loop = builder.begin_for(0, opened.width, private=True)
        key, values = lifted(emitter, node, loop.variable)
        begin_if_inside(builder, [key], sums[0].sizes)
        for target, value in zip(sums, scalars(values), strict=True):
            add_to(emitter, target, [key], value)
        end_region(emitter)
        mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)

    _by_levels_if_small(opened, opened.targets, sweep, lambda: _sum(emitter, opened.targets, sweep))


def _by_levels_if_small(
    opened: Map | Histogram, arrays: Sequence[View], sweep: Sweep, otherwise: Callable[[], None]
) -> None:
    """One sweep where all is f32 and words for levels are few beside the iterations, which sizes tell."""
    emitter, builder = opened.emitter, opened.emitter.builder
    if not all(Levels.fit(view) for view in arrays if _is_float(view)):
        otherwise()
        return
    elements = sum_of(builder, [product(builder, view.sizes) for view in arrays])
    few_or_many(
        emitter,
        builder.mul(elements, ITERATIONS_PER_ELEMENT),
        builder.arith("arith.minsi", opened.width, MOST_ELEMENTS * ITERATIONS_PER_ELEMENT),
        lambda: _sum_by_levels(emitter, arrays, sweep),
        otherwise,
        both_emit=opened.node,
    )


def _sum_by_levels(emitter: Emitter, arrays: Sequence[View], sweep: Sweep) -> None:
    tables = {view.base: Levels.beside(emitter, view) for view in arrays if _is_float(view)}
    shared = {view.base for view in arrays if view.base not in tables}
    emitter.shared_sums |= shared
    _launch(emitter, {base: table.add for base, table in tables.items()}, lambda: sweep(arrays, True))
    emitter.shared_sums -= shared
    for table in tables.values():
        table.deliver()


def _sum(emitter: Emitter, arrays: Sequence[View], sweep: Sweep) -> None:
    """Launches of a sweep that add the values of its iterations to arrays."""
    tables = {view: FixedPoint.beside(emitter, view) for view in arrays if _is_float(view)}
    if tables:
        seen = [tables[view].exponents if view in tables else view for view in arrays]
        notes = [tables[view].note if view in tables else _nothing for view in arrays]
        _launch(emitter, dict(zip([view.base for view in seen], notes, strict=True)), lambda: sweep(seen, False))
    adding = [tables[view].first_words if view in tables else view for view in arrays]
    shared = {view.base for view in arrays if view not in tables}
    emitter.shared_sums |= shared
    _launch(emitter, {t.sums.base: t.add for t in tables.values()}, lambda: sweep(adding, True))
    emitter.shared_sums -= shared
    for table in tables.values():
        table.deliver()


def _launch(emitter: Emitter, ways: dict[ir.Value, WayToAdd], emit: Callable[[], None]) -> None:
    """A launch in which additions to some memory are made in other ways."""
    emitter.ways_to_add |= ways
    emit()
    for base in ways:
        del emitter.ways_to_add[base]


def _nothing(target: View, indices: Sequence[Index], value: ir.Value) -> None:
    """The first sweep of integers, which is empty."""


def _is_float(view: View) -> bool:
    return isinstance(element_type(view), (ir.F32Type, ir.F64Type))
