"""Copies of arrays that threads change for themselves, and how they are brought together.

The copies of an element are neighbours, so that threads which change the same element at a time do so side by side. How
many copies there are depends on sizes only. They are combined in pairs, in order, by a block of threads per element, or
one after the other by a thread where they are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import arith, ir
from tapeless.passes.lower.blocks.alternatives import few_or_many
from tapeless.passes.lower.blocks.copies import element_type, new_array
from tapeless.passes.lower.blocks.cuts import product, sum_of, work_of_iteration
from tapeless.passes.lower.blocks.in_blocks import bounds
from tapeless.passes.lower.blocks.launching import mark_launch
from tapeless.passes.lower.grid.block_launches import THREADS_PER_BLOCK, launch_blocks
from tapeless.passes.lower.grid.tiles.in_block import combine_in_block
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import Fixed, View, load, store
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import EACH_THREAD

# What an element of a copy has to be worth in operations, how many elements all copies may have, and how many copies
# of an element one thread brings together.
WORK_PER_ELEMENT = 1
# Elements of all copies together: a guess that fits the programs.
MOST_ELEMENTS = 1 << 26
FEW_COPIES = 64

Join = Callable[[Sequence[ir.Value], Sequence[ir.Value]], list[ir.Value]]
Starts = Sequence[ir.Value | None]


def number_of_copies(emitter: Emitter, node: Node, width: Index, arrays: Sequence[View], most: int) -> Index:
    """So many that making and combining them is little work beside the iterations, and that they fit into memory."""
    builder = emitter.builder
    each = builder.arith("arith.maxsi", sum_of(builder, [product(builder, view.sizes) for view in arrays]), 1)
    work = builder.mul(width, work_of_iteration(emitter, node))
    worth = builder.arith("arith.divui", work, builder.mul(each, WORK_PER_ELEMENT))
    fitting = builder.arith("arith.divui", MOST_ELEMENTS, each)
    wanted = builder.arith("arith.minsi", builder.arith("arith.minsi", worth, fitting), most)
    return builder.arith("arith.maxsi", builder.arith("arith.minsi", wanted, width), 1)


def make_copies(emitter: Emitter, copies: Index, arrays: Sequence[View], neutral: Sequence[ir.Value]) -> list[View]:
    """Tables with the copies of each array, all neutral."""
    tables = [new_array(emitter, [*view.sizes, copies], element_type(view)) for view in arrays]
    for table, value in zip(tables, neutral, strict=True):
        fill(emitter.builder, value, table)
    return tables


def copy_of(table: View, number: Index) -> View:
    """One copy out of a table."""
    return View(table.base, (*table.axes[:-1], Fixed(number)), table.sizes[:-1])


def share_of(builder: Builder, number: Index, width: Index, copies: Index, is_free: bool) -> tuple[Index, Index, Index]:
    """First and last iterations of a thread, and how many it goes on by."""
    if is_free:
        return number, width, copies
    return *bounds(builder, number, width, ceil_div(builder, width, copies)), 1


def bring_together(
    emitter: Emitter,
    copies: Index,
    tables: Sequence[View],
    targets: Sequence[View],
    neutral: list[ir.Value],
    join: Join,
    starts: Starts = (),
) -> None:
    """Combines every element of arrays of one shape with its copies, in order.

    Arrays that have `starts` were not filled: elements begin with these.
    """
    first = starts or [None] * len(targets)
    few_or_many(
        emitter,
        copies,
        FEW_COPIES,
        lambda: _by_threads(emitter, copies, tables, targets, join, first),
        lambda: _by_blocks(emitter, copies, tables, targets, neutral, join, first),
    )


def _old(builder: Builder, targets: Sequence[View], at: Sequence[Index], starts: Starts) -> list[ir.Value]:
    """The value of an element before its copies are added."""
    pairs = zip(targets, starts, strict=True)
    return [load(builder, target, at) if start is None else start for target, start in pairs]


def _by_threads(
    emitter: Emitter, copies: Index, tables: Sequence[View], targets: Sequence[View], join: Join, starts: Starts
) -> None:
    builder = emitter.builder
    count = product(builder, targets[0].sizes)
    loop = builder.begin_for(0, count, parallel=True, private=True)
    at = indices_of(builder, loop.variable, targets[0].sizes)
    inner = builder.begin_for(0, copies, starts=_old(builder, targets, at, starts))
    values = [load(builder, table, [*at, inner.variable]) for table in tables]
    end_region(emitter, join(inner.carried, values))
    for target, value in zip(targets, inner.op.results, strict=True):
        store(builder, value, target, at)
    mark_launch(emitter, loop, end_region(emitter), EACH_THREAD)


def _by_blocks(
    emitter: Emitter,
    copies: Index,
    tables: Sequence[View],
    targets: Sequence[View],
    neutral: list[ir.Value],
    join: Join,
    starts: Starts,
) -> None:
    builder = emitter.builder

    def combine_element(block: ir.Value) -> None:
        at = indices_of(builder, block, targets[0].sizes)

        def share(thread: ir.Value) -> list[ir.Value]:
            """The first thread starts from the old value, which is loaded with the rest."""
            part = bounds(builder, thread, copies, ceil_div(builder, copies, THREADS_PER_BLOCK))
            old = _old(builder, targets, at, starts)
            loop = builder.begin_for(*part, starts=_if_first(builder, thread, old, neutral))
            values = [load(builder, table, [*at, loop.variable]) for table in tables]
            end_region(emitter, join(loop.carried, values))
            return list(loop.op.results)

        def deliver(values: list[ir.Value]) -> None:
            for target, value in zip(targets, values, strict=True):
                store(builder, value, target, at)

        combine_in_block(emitter, share, neutral, join, deliver)

    launch_blocks(emitter, product(builder, targets[0].sizes), combine_element)


def _if_first(
    builder: Builder, thread: ir.Value, values: Sequence[ir.Value], others: Sequence[ir.Value]
) -> list[ir.Value]:
    """Values for the first thread, others for all but this one."""
    equal = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), arith.CmpIPredicate.eq.value)
    operands = [thread, builder.as_value(0)]
    is_first = builder.value("arith.cmpi", ir.IntegerType.get_signless(1), operands, predicate=equal)
    return [
        builder.value("arith.select", value.type, [is_first, value, other])
        for value, other in zip(values, others, strict=True)
    ]


def indices_of(builder: Builder, number: ir.Value, sizes: Sequence[Index]) -> list[Index]:
    """The indices of the element of this number, the last axis first."""
    indices: list[Index] = []
    rest: Index = number
    for size in reversed(sizes[1:]):
        indices.append(builder.value("arith.remui", builder.index, [builder.as_value(rest), builder.as_value(size)]))
        rest = builder.value("arith.divui", builder.index, [builder.as_value(rest), builder.as_value(size)])
    return [rest, *indices[::-1]]
