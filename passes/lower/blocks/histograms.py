"""Histograms: in place one value after the other, or by blocks with histograms of their own, merged in order.

Note [Strands]: a value that meets the bin of the one before it waits until that is stored. In a block of a histogram
with few bins, values therefore take turns in four histograms, if they may be combined in any order. That is faster for
all keys, several times so for sorted ones; more bins would not stay in the innermost cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from tapeless.passes.lower.blocks.blocks import begin_if_small, bounds, emit_by_parts, is_plain
from tapeless.passes.lower.blocks.copies import table_of_copies
from tapeless.passes.lower.blocks.counting import COMBINE, count_value, count_values, merge
from tapeless.passes.lower.blocks.cuts import Cut, cut_for_copies
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import RELAXED, end_region
from tapeless.passes.lower.loops.copying import fill
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, row
from tapeless.passes.lower.storage.places import updated
from tapeless.passes.lower.storage.tree import Node

STRANDS = 4
FEW_ELEMENTS = 1024
READS = frozenset({"tensor.extract", "tensor.dim"})
COMMUTATIVE = RELAXED | {f"arith.{name}" for name in ("addi", "muli", "maxsi", "minsi", "andi", "ori", "xori")}


def emit_hist(emitter: Emitter, node: Node) -> None:
    """Large histograms of scalars run in blocks; how many follows from the sizes only."""
    op, builder = node.op, emitter.builder
    targets = [updated(emitter, dest, result) for dest, result in zip(op.dests, node.results, strict=True)]
    width = emitter.index(op.width)
    if not emitter.is_outermost or not _can_run_twice(node):
        count_values(emitter, node, 0, width, targets)
        return
    elements = builder.mul(targets[0].sizes[0], len(targets))
    if isinstance(elements, int) or not _is_commutative(node):
        has_strands = isinstance(elements, int) and elements <= FEW_ELEMENTS and _is_commutative(node)
        _count(emitter, node, width, targets, STRANDS if has_strands else 1)
        return
    branch = begin_if_small(emitter, elements, FEW_ELEMENTS)
    _count(emitter, node, width, targets, STRANDS)
    end_region(emitter)
    emitter.forget(node)
    builder.push(branch, 1, [], is_branch=True)
    _count(emitter, node, width, targets, 1)
    end_region(emitter)


def _can_run_twice(node: Node) -> bool:
    """Whether the bodies are scalar code that reads arrays at most."""
    *lift, combine = node.regions
    statements = [inner for nodes in lift for inner in nodes]
    return all(is_plain(inner) or inner.name in READS for inner in statements) and all(map(is_plain, combine))


def _is_commutative(node: Node) -> bool:
    """Whether every component is combined by one operation that does not care for the order of its operands."""
    arguments, combined = node.arguments(COMBINE[node.name]), node.regions[-1][-1].operands
    pairs = [{arguments[number], arguments[len(combined) + number]} for number in range(len(combined))]
    makers = {inner.results[0]: inner for inner in node.regions[-1][:-1]}
    return all(
        value in makers and makers[value].name in COMMUTATIVE and set(makers[value].operands) == pair
        for value, pair in zip(combined, pairs, strict=True)
    )


def _count(emitter: Emitter, node: Node, width: Index, targets: Sequence[View], strands: int) -> None:
    """A plain loop when one block is enough; every block has as many histograms as strands."""
    cut = cut_for_copies(emitter, node, width, [*targets] * strands)
    if isinstance(cut.blocks, int) and cut.blocks == 1:
        count_values(emitter, node, 0, width, targets)
        return
    branch = begin_if_small(emitter, cut.blocks, 1)
    count_values(emitter, node, 0, width, targets)
    end_region(emitter)
    emitter.forget(node)
    emitter.builder.push(branch, 1, [], is_branch=True)
    _count_in_blocks(emitter, node, width, cut, targets, strands)
    end_region(emitter)


def _count_in_blocks(
    emitter: Emitter, node: Node, width: Index, cut: Cut, targets: Sequence[View], strands: int
) -> None:
    builder = emitter.builder
    copies = builder.mul(cut.blocks, strands)
    neutral = [emitter.scalar(value) for value in node.op.neutral]
    tables = [table_of_copies(emitter, copies, target) for target in targets]
    loop = builder.begin_for(0, cut.blocks, parallel=True, private=True)
    first = builder.mul(loop.variable, strands)
    own = [[row(builder, table, builder.add(first, strand)) for table in tables] for strand in range(strands)]
    for place, value in ((place, value) for places in own for place, value in zip(places, neutral, strict=True)):
        fill(builder, value, place)
    _count_strands(emitter, node, bounds(builder, loop.variable, width, cut.size), own)
    emit_by_parts(emitter, loop, cut.blocks, 1)
    emitter.forget(node)
    merge(emitter, node, copies, tables, targets)
    for table in tables:
        emitter.pool.free_raw(table.base)


def _count_strands(
    emitter: Emitter, node: Node, iterations: tuple[Index, Index], histograms: Sequence[Sequence[View]]
) -> None:
    """Iterations take turns in the histograms; what is left over belongs to the last."""
    builder, (low, high), strands = emitter.builder, iterations, len(histograms)
    if strands > 1:
        turns = builder.arith("arith.divui", builder.sub(high, low), strands)
        end = builder.add(low, builder.mul(turns, strands))
        loop = builder.begin_for(low, end, strands)
        for strand, places in enumerate(histograms):
            count_value(emitter, node, builder.add(loop.variable, strand), places)
            emitter.forget(node)
        end_region(emitter)
        low = end
    count_values(emitter, node, low, high, histograms[-1])


RULES = dict.fromkeys(COMBINE, emit_hist)
