"""Histograms: in place one value after the other, or by blocks with histograms of their own, merged in order."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir

from .aliasing import is_array
from .blocks import begin_if_small, bounds, emit_by_parts, is_plain
from .builder import Builder, Index
from .bulk import bind_results, element, end_region
from .copying import copy, fill
from .emitter import Emitter
from .places import updated
from .tree import Node
from .updates import as_index, begin_if_inside
from .views import View, load, row, store, whole_view
from .work import ceil_div

MOST_HISTOGRAMS = 16
LEAST_VALUES = 16384
VALUES_PER_BIN = 8


def emit_hist(emitter: Emitter, node: Node) -> None:
    """Large histograms of scalars run in blocks; how many follows from the sizes only."""
    op, builder = node.op, emitter.builder
    targets = [updated(emitter, dest, result) for dest, result in zip(op.dests, node.results, strict=True)]
    width = emitter.index(op.width)
    if not emitter.is_outermost or not all(is_plain(inner) for inner in node.regions[0]):
        count_values(emitter, node, 0, width, targets)
        return
    blocks = block_count(builder, width, targets[0].sizes[0])
    branch = begin_if_small(emitter, blocks, 1)
    count_values(emitter, node, 0, width, targets)
    end_region(emitter)
    emitter.forget(node)
    builder.push(branch, 1, [], is_branch=True)
    count_in_blocks(emitter, node, (width, blocks), targets)
    end_region(emitter)


def count_values(emitter: Emitter, node: Node, low: Index, high: Index, targets: Sequence[View]) -> None:
    """Combines the values of some iterations into histograms, ignoring keys outside."""
    op, builder = node.op, emitter.builder
    keys, values = emitter.view(op.keys), [emitter.view(array) for array in op.values]
    loop = builder.begin_for(low, high)
    key = as_index(builder, load(builder, keys, [loop.variable]))
    begin_if_inside(builder, [key], targets[0].sizes)
    old = [element(builder, target, key) for target in targets]
    new = [element(builder, value, loop.variable) for value in values]
    bind_results(emitter, node.arguments(), [*old, *new])
    emitter.emit_block(node.regions[0])
    for target, place, value in zip(targets, old, node.terminator.operands, strict=True):
        if is_array(value):
            copy(builder, emitter.view(value), place)
        else:
            store(builder, emitter.scalar(value), target, [key])
    emitter.release_after(node.terminator)
    end_region(emitter)
    end_region(emitter)


def block_count(builder: Builder, width: Index, bins: Index) -> Index:
    """So many blocks that filling and merging their histograms is little work beside counting."""
    values = builder.arith("arith.maxsi", builder.mul(bins, VALUES_PER_BIN), LEAST_VALUES)
    blocks = builder.arith("arith.divui", builder.arith("arith.maxsi", width, 0), values)
    return builder.arith("arith.maxsi", builder.arith("arith.minsi", blocks, MOST_HISTOGRAMS), 1)


def count_in_blocks(emitter: Emitter, node: Node, sizes: tuple[Index, Index], targets: Sequence[View]) -> None:
    builder = emitter.builder
    width, blocks = sizes
    block = ceil_div(builder, width, blocks)
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    tables = [
        histogram_table(emitter, blocks, target, value.type) for target, value in zip(targets, neutral, strict=True)
    ]
    loop = builder.begin_for(0, blocks, parallel=True, private=True)
    own = [row(builder, table, loop.variable) for table in tables]
    for place, value in zip(own, neutral, strict=True):
        fill(builder, value, place)
    count_values(emitter, node, *bounds(builder, loop.variable, width, block), own)
    emit_by_parts(emitter, loop, blocks, 1)
    emitter.forget(node)
    merge(emitter, node, blocks, tables, targets)
    for table in tables:
        emitter.pool.free_raw(table.base)


def histogram_table(emitter: Emitter, blocks: Index, target: View, element_type: ir.Type) -> View:
    """Memory for one histogram per block."""
    dynamic = ir.ShapedType.get_dynamic_size()
    type_ = ir.MemRefType.get([dynamic, dynamic], element_type)
    return whole_view(emitter.pool.raw(type_, [blocks, target.sizes[0]]), [blocks, target.sizes[0]])


def merge(emitter: Emitter, node: Node, blocks: Index, tables: Sequence[View], targets: Sequence[View]) -> None:
    """Combines the histograms of all blocks into the result, in order."""
    builder = emitter.builder
    outer = builder.begin_for(0, blocks)
    inner = builder.begin_for(0, targets[0].sizes[0], parallel=True)
    old = [load(builder, target, [inner.variable]) for target in targets]
    new = [load(builder, table, [outer.variable, inner.variable]) for table in tables]
    bind_results(emitter, node.arguments(), [*old, *new])
    emitter.emit_block(node.regions[0])
    for target, value in zip(targets, node.terminator.operands, strict=True):
        store(builder, emitter.scalar(value), target, [inner.variable])
    end_region(emitter)
    end_region(emitter)


RULES = {"soac.hist": emit_hist}
