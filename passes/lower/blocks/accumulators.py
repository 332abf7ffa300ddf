"""Maps with accumulators in blocks: all but the first sum into copies of their own, which are added up in order.

```mlir
func.func private @f_part0(%lo, %hi, ..., %sums)      // iterations lo to hi, added to %sums
func.func private @f_part1(%lo, %hi, ..., %copies)    // for each block: clear its copies, call @f_part0 on them
scf.if %one_block { call @f_part0(0, %n, ..., %result) } else { run @f_part1 on threads; %result += every copy }
```
How many blocks there are depends on sizes only (`cuts.py`). A single block of costly iterations may run on threads that
add to the result atomically, where the order of sums is free.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.schedules import IN_ORDER, Copies
from tapeless.passes.lower.blocks.alternatives import begin_if_few, few_or_many
from tapeless.passes.lower.blocks.copies import (
    element_type,
    flattened,
    memory_of_block,
    new_array,
    table_of_flat_copies,
)
from tapeless.passes.lower.blocks.cuts import LANES, Cut, cut_for_copies
from tapeless.passes.lower.blocks.in_blocks import bounds, emit_by_parts
from tapeless.passes.lower.blocks.threads import Part, call_part, make_part
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill, for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.maps import Map, map_in_order
from tapeless.passes.lower.loops.views import View, load, row, store
from tapeless.passes.lower.loops.work import block_size


def accumulate(opened: Map, schedule: Copies) -> None:
    """A function that sums up one block; one loop when there is one block only, known now or asked at run time."""
    cut = cut_for_copies(opened.emitter, opened.node, opened.width, opened.sums, schedule)
    if cut.is_whole:
        map_in_order(opened, IN_ORDER)
    elif schedule.asks_first:
        few_or_many(
            opened.emitter,
            cut.blocks,
            1,
            lambda: map_in_order(opened, IN_ORDER),
            lambda: accumulate_by_parts(opened, cut),
            both_emit=opened.node,
        )
    else:
        accumulate_by_parts(opened, cut)


def accumulate_by_parts(opened: Map, cut: Cut) -> None:
    """Outlines the loop and runs it on the sums themselves, or on copies; parts of larger arrays are summed outside."""
    emitter, width = opened.emitter, opened.width
    whole = [view if view.covers_base else zeroed_array(emitter, view) for view in opened.sums]
    loop = opened.begin(0, width, whole, private=True)
    part = make_part(emitter, loop, end_region(emitter))
    few_or_many(
        emitter,
        cut.blocks,
        1,
        lambda: sum_in_place(opened, part, cut, whole),
        lambda: sum_blocks(emitter, part, width, cut, whole),
    )
    for view, own in zip(opened.sums, whole, strict=True):
        if own is not view:
            add_array(emitter.builder, own, view)
            emitter.pool.free_raw(own.base)


def sum_in_place(opened: Map, part: Part, cut: Cut, sums: Sequence[View]) -> None:
    """Runs the loop on the sums themselves: here and now or, where that pays, on threads, which add atomically."""
    emitter, width = opened.emitter, opened.width
    if cut.is_shared is None:
        call_part(emitter, part, 0, width)
        return
    builder = emitter.builder
    branch = builder.create("scf.if", [], [cut.is_shared], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    emitter.forget(opened.node)
    shared = {view.base for view in sums}
    emitter.shared_sums |= shared
    loop = opened.begin(0, width, sums, private=True)
    emitter.shared_sums -= shared
    emit_by_parts(emitter, loop, width, block_size(builder, width, LANES))
    end_region(emitter)
    builder.push(branch, 1, [], is_branch=True)
    call_part(emitter, part, 0, width)
    end_region(emitter)


def sum_blocks(emitter: Emitter, part: Part, width: Index, cut: Cut, sums: Sequence[View]) -> None:
    """Runs the blocks, on threads if there are any, and adds up the private copies of all but the first in order."""
    builder = emitter.builder
    pairs = [(view, table_of_flat_copies(emitter, cut.blocks, view)) for view in sums]
    loop = builder.begin_for(0, cut.blocks, private=True)
    clear_copies(emitter, [copies for _, copies in pairs], loop.variable)
    own = {view.base: memory_of_block(builder, copies, loop.variable, view) for view, copies in pairs}
    call_part(emitter, part, *bounds(builder, loop.variable, width, cut.size), own)
    emit_by_parts(emitter, loop, cut.blocks, 1)
    for view, copies in pairs:
        target = flattened(builder, view)
        total = builder.begin_for(0, copies.sizes[0])
        add_array(builder, row(builder, copies, total.variable), target)
        end_region(emitter)
        emitter.pool.free_raw(copies.base)


def clear_copies(emitter: Emitter, tables: Sequence[View], block: ir.Value) -> None:
    """Sets the copies of a block to zero, if it has any."""
    builder = emitter.builder
    begin_if_few(emitter, 1, block)
    for copies in tables:
        fill(builder, zero_of(builder, copies), row(builder, copies, builder.sub(block, 1)))
    end_region(emitter)


def zeroed_array(emitter: Emitter, view: View) -> View:
    """Memory of its own for an array that is part of a larger one."""
    array = new_array(emitter, list(view.sizes), element_type(view))
    fill(emitter.builder, zero_of(emitter.builder, array), array)
    return array


def zero_of(builder: Builder, view: View) -> ir.Value:
    """The zero of an array's elements."""
    element = element_type(view)
    is_integer = isinstance(element, (ir.IntegerType, ir.IndexType))
    zero = ir.IntegerAttr.get(element, 0) if is_integer else ir.FloatAttr.get(element, 0.0)
    return builder.constant(element, zero)


def add_array(builder: Builder, source: View, target: View) -> None:
    """Adds an array to another one, element by element."""
    element = element_type(target)
    name = "arith.addi" if isinstance(element, (ir.IntegerType, ir.IndexType)) else "arith.addf"

    def add(at: list[Index]) -> None:
        total = builder.value(name, element, [load(builder, target, at), load(builder, source, at)])
        store(builder, total, target, at)

    for_each(builder, target.sizes, add)
