"""Reductions and their fused form with maps and scans as loops that write straight into their destinations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.schedules import InOrder
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
from tapeless.passes.lower.loops.first_best import FirstBest
from tapeless.passes.lower.loops.memory.destinations import destination
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.storage.tree import Node


class Pass(Protocol):
    """Emits the loop over iterations [low, high), or every so many of them; gives what the starting values end as."""

    def __call__(self, low: Index, high: Index, starts: Sequence[ir.Value], step: Index = 1) -> list[ir.Value]: ...


# The loop of a reduction whose arrays are built up in the given places.
Passes = Callable[[Sequence[Lowered]], Pass]


@dataclass(frozen=True)
class Reduction:
    """What all forms of a reduction need: which region combines, and the running values before the first iteration.

    A fused operator may also have `prefixes` that it leaves on the way, and arrays, the `targets`.
    """

    emitter: Emitter
    node: Node
    region: int
    width: Index
    running: list[Lowered]
    passes: Passes
    prefixes: Sequence[Lowered] = ()
    targets: Sequence[View] = ()

    @property
    def starts(self) -> list[ir.Value]:
        """The scalars that a loop starts from."""
        return scalars([*self.running, *self.prefixes])

    @property
    def run(self) -> Pass:
        """The loop that builds up arrays where the results belong."""
        return self.passes(self.running)

    def close(self, results: Sequence[ir.Value]) -> None:
        """Binds the results, scalars as values and arrays where they were built up."""
        values = with_scalars([*self.running, *self.prefixes], results)[: len(self.running)]
        bind_results(self.emitter, self.node.results[: len(self.running)], values)


def open_reduce(emitter: Emitter, node: Node) -> Reduction:
    """A reduction whose loops are still to be emitted."""
    op, builder = node.op, emitter.builder
    relax(emitter, node, 0)
    inputs = [emitter.view(array) for array in op.inputs]
    running = start_running(emitter, node, 0, op.neutral)

    def passes(running: Sequence[Lowered]) -> Pass:
        def run(low: Index, high: Index, starts: Sequence[ir.Value], step: Index = 1) -> list[ir.Value]:
            loop = builder.begin_for(low, high, step, starts)
            left = with_scalars(running, loop.carried)
            right = [element(builder, view, loop.variable) for view in inputs]
            end_loop(emitter, node.terminator, scalars(combine(emitter, node, 0, left, right, running)))
            return list(loop.op.results)

        return run

    return Reduction(emitter, node, 0, emitter.index(op.width), running, passes)


def open_fused(emitter: Emitter, node: Node) -> Reduction:
    """A fused map and reduction, with or without prefixes, whose loops are still to be emitted."""
    op, builder = node.op, emitter.builder
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    relax(emitter, node, 1)
    targets = [destination(emitter, result) for result in node.results[reduced:]]
    sums = start_running(emitter, node, 1, op.reduce_neutral)
    prefixes = start_running(emitter, node, 2, op.scan_neutral)
    search = FirstBest.of(emitter, node)

    def passes(sums: Sequence[Lowered]) -> Pass:
        has_only_numbers = not scanned and len(scalars(sums)) == reduced

        def run(low: Index, high: Index, starts: Sequence[ir.Value], step: Index = 1) -> list[ir.Value]:
            loop = builder.begin_for(low, high, step, starts, reducing=has_only_numbers)
            index, *arguments = node.arguments()
            emitter.env[index] = loop.variable
            bind_elements(emitter, arguments, list(op.inputs), loop.variable)
            open_rows(emitter, node, reduced + scanned, targets[scanned:], loop.variable)
            emitter.emit_block(node.regions[0])
            lifted = [emitter.lowered(value) for value in node.terminator.operands]
            carried = with_scalars([*sums, *prefixes], loop.carried)
            new_sums = combine(emitter, node, 1, carried[:reduced], lifted[:reduced], sums)
            new_prefixes = combine(emitter, node, 2, carried[reduced:], lifted[reduced : reduced + scanned], prefixes)
            store_prefixes(emitter, new_prefixes, targets[:scanned], loop.variable)
            store_rows(emitter, node, reduced + scanned, targets[scanned:], loop.variable)
            end_loop(emitter, node.terminator, scalars([*new_sums, *new_prefixes]))
            return list(loop.op.results)

        return run if search is None else search.run

    return Reduction(emitter, node, 1, emitter.index(op.width), sums, passes, prefixes, targets)


def reduce_in_order(opened: Reduction, _: InOrder) -> list[ir.Value]:
    """One loop over all iterations, or the only ones; returns the reduced scalars, then the last prefixes."""
    low, high = opened.emitter.only.get(opened.node, (0, opened.width))
    return opened.run(low, high, opened.starts)
