"""Reductions and their fused form with maps and scans as loops that write straight into their destinations."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.blocks.blocks import Pass, reduce_in_blocks
from tapeless.passes.lower.blocks.row_blocks import Passes, arrays_of, reduce_rows_in_blocks
from tapeless.passes.lower.blocks.searches import search_in_blocks
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import (
    Lowered,
    bind_elements,
    bind_results,
    combine,
    element,
    end_loop,
    open_rows,
    relax,
    scalars,
    start_running,
    store_prefixes,
    store_rows,
    with_scalars,
)
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.storage.places import destination
from tapeless.passes.lower.storage.tree import Node


def emit_reduce(emitter: Emitter, node: Node) -> None:
    op, builder = node.op, emitter.builder
    relax(emitter, node, 0)
    inputs = [emitter.view(array) for array in op.inputs]
    running = start_running(emitter, node, 0, op.neutral)

    def passes(running: Sequence[Lowered]) -> Pass:
        def run(low: Index, high: Index, starts: Sequence[ir.Value]) -> list[ir.Value]:
            loop = builder.begin_for(low, high, starts=starts)
            left = with_scalars(running, loop.carried)
            right = [element(builder, view, loop.variable) for view in inputs]
            end_loop(emitter, node.terminator, scalars(combine(emitter, node, 0, left, right, running)))
            return list(loop.op.results)

        return run

    results = reduce_all(emitter, node, 0, running, passes)
    bind_results(emitter, node.results, with_scalars(running, results))


def reduce_all(emitter: Emitter, node: Node, region: int, running: Sequence[Lowered], passes: Passes) -> list[ir.Value]:
    """Runs a reduction, in blocks when it is large; returns its scalars."""
    width = emitter.index(node.op.width)
    if arrays_of(running):
        return reduce_rows_in_blocks(emitter, node, region, width, running, passes)
    return reduce_in_blocks(emitter, node, region, width, running, passes(running))


def emit_fused(emitter: Emitter, node: Node) -> None:
    op, builder = node.op, emitter.builder
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    relax(emitter, node, 1)
    targets = [destination(emitter, result) for result in node.results[reduced:]]
    sums = start_running(emitter, node, 1, op.reduce_neutral)
    prefixes = start_running(emitter, node, 2, op.scan_neutral)

    def passes(sums: Sequence[Lowered]) -> Pass:
        def run(low: Index, high: Index, starts: Sequence[ir.Value]) -> list[ir.Value]:
            loop = builder.begin_for(low, high, starts=starts)
            index, *arguments = node.arguments()
            emitter.env[index] = loop.variable
            bind_elements(emitter, arguments, list(op.inputs), loop.variable)
            open_rows(emitter, node, reduced + scanned, targets[scanned:], loop.variable)
            emitter.emit_block(node.regions[0])
            lifted = [emitter.lowered(value) for value in node.terminator.operands]
            carried = with_scalars([*sums, *prefixes], loop.carried)
            new_sums = combine(emitter, node, 1, carried[:reduced], lifted[:reduced], sums)
            new_prefixes = combine(emitter, node, 2, carried[reduced:], lifted[reduced : reduced + scanned], prefixes)
            store_prefixes(builder, new_prefixes, targets[:scanned], loop.variable)
            store_rows(emitter, node, reduced + scanned, targets[scanned:], loop.variable)
            end_loop(emitter, node.terminator, scalars([*new_sums, *new_prefixes]))
            return list(loop.op.results)

        return run

    if scanned:
        results = passes(sums)(0, emitter.index(op.width), scalars([*sums, *prefixes]))
    else:
        found = search_in_blocks(emitter, node, sums, passes(sums))
        results = reduce_all(emitter, node, 1, sums, passes) if found is None else found
    bind_results(emitter, node.results[:reduced], with_scalars([*sums, *prefixes], results)[:reduced])


RULES = {
    "soac.reduce": emit_reduce,
    "soac.fused": emit_fused,
}
