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
from typing import Protocol

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.blocks import begin_if_small, bounds, emit_by_parts
from tapeless.passes.lower.blocks.copies import (
    element_type,
    flattened,
    memory_of_block,
    new_array,
    table_of_flat_copies,
)
from tapeless.passes.lower.blocks.cuts import LANES, Cut, cut_for_copies
from tapeless.passes.lower.blocks.threads import Part, call_part, make_part
from tapeless.passes.lower.loops.builder import Builder, Index, Loop
from tapeless.passes.lower.loops.bulk import end_region
from tapeless.passes.lower.loops.copying import fill, for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, load, row, store
from tapeless.passes.lower.loops.work import block_size
from tapeless.passes.lower.storage.tree import Node


class Begin(Protocol):
    """Emits a map's loop over iterations [low, high) that add to `sums`; the loop stays open."""

    def __call__(self, low: Index, high: Index, sums: Sequence[View], *, private: bool) -> Loop: ...


def accumulate(emitter: Emitter, node: Node, width: Index, sums: Sequence[View], begin: Begin) -> None:
    """One loop when the map is small or inside another; else a function that sums up one block.

    Inside a sequential loop a single block, found at run time, takes the plain loop, because a call has its cost.
    """
    builder = emitter.builder
    cut = cut_for_copies(emitter, node, width, sums) if emitter.is_outermost else Cut(1, width)
    if isinstance(cut.blocks, int) and cut.blocks == 1:
        begin(0, width, sums, private=False)
        end_region(emitter)
    elif builder.depth == 0:
        accumulate_by_parts(emitter, node, width, cut, sums, begin)
    else:
        branch = begin_if_small(emitter, cut.blocks, 1)
        begin(0, width, sums, private=False)
        end_region(emitter)
        end_region(emitter)
        emitter.forget(node)
        builder.push(branch, 1, [], is_branch=True)
        accumulate_by_parts(emitter, node, width, cut, sums, begin)
        end_region(emitter)


def accumulate_by_parts(
    emitter: Emitter, node: Node, width: Index, cut: Cut, sums: Sequence[View], begin: Begin
) -> None:
    """Outlines the loop and runs it on the sums themselves, or on copies; parts of larger arrays are summed outside."""
    builder = emitter.builder
    whole = [view if view.covers_base else zeroed_array(emitter, view) for view in sums]
    loop = begin(0, width, whole, private=True)
    part = make_part(emitter, loop, end_region(emitter))
    branch = begin_if_small(emitter, cut.blocks, 1)
    sum_in_place(emitter, node, part, width, cut, whole, begin)
    end_region(emitter)
    builder.push(branch, 1, [], is_branch=True)
    sum_blocks(emitter, part, width, cut, whole)
    end_region(emitter)
    for view, own in zip(sums, whole, strict=True):
        if own is not view:
            add_array(builder, own, view)
            emitter.pool.free_raw(own.base)


def sum_in_place(
    emitter: Emitter, node: Node, part: Part, width: Index, cut: Cut, sums: Sequence[View], begin: Begin
) -> None:
    """Runs the loop on the sums themselves: here and now or, where that pays, on threads, which add atomically."""
    if cut.is_shared is None:
        call_part(emitter, part, 0, width)
        return
    builder = emitter.builder
    branch = builder.create("scf.if", [], [cut.is_shared], regions=2)
    builder.push(branch, 0, [], is_branch=True)
    emitter.forget(node)
    shared = {view.base for view in sums}
    emitter.shared_sums |= shared
    loop = begin(0, width, sums, private=True)
    emitter.shared_sums -= shared
    emit_by_parts(emitter, loop, width, block_size(builder, width, LANES))
    end_region(emitter)
    builder.push(branch, 1, [], is_branch=True)
    call_part(emitter, part, 0, width)
    end_region(emitter)


def sum_blocks(emitter: Emitter, part: Part, width: Index, cut: Cut, sums: Sequence[View]) -> None:
    """Runs the blocks, on threads if there are any, and adds up in order what all but the first summed into copies."""
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
    begin_if_small(emitter, 1, block)
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
