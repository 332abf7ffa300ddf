"""What the loops of bulk operators have in common: elements, rows, and running values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Frame, Index
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import deliver, storage_view
from tapeless.passes.lower.loops.views import View, load, row, store, walked_row
from tapeless.passes.lower.schedule.bodies import RELAXED
from tapeless.passes.lower.storage.aliasing import is_array, operator_arguments
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node

Lowered: TypeAlias = ir.Value | View


def element(builder: Builder, view: View, index: Index) -> Lowered:
    """What a body sees of an array: the scalar at an index, or the row as a view."""
    return load(builder, view, [index]) if view.rank == 1 else walked_row(builder, view, index)


def bind_elements(emitter: Emitter, arguments: Sequence[ir.Value], arrays: Sequence[ir.Value], index: Index) -> None:
    """Binds the element arguments of a body; elements nobody uses are not loaded."""
    for argument, array in zip(arguments, arrays, strict=True):
        if emitter.plan.tree.uses[argument]:
            emitter.env[argument] = element(emitter.builder, emitter.view(array), index)


def open_rows(emitter: Emitter, node: Node, first: int, targets: Sequence[View], index: Index) -> None:
    """Tells where the rows that this iteration makes belong."""
    for number, target in enumerate(targets, first):
        if target.rank > 1:
            emitter.sinks[Sink("row", node, number)] = row(emitter.builder, target, index)


def store_rows(emitter: Emitter, node: Node, first: int, targets: Sequence[View], index: Index) -> None:
    """Stores what an iteration yields, but for rows that were built in place."""
    for number, target in enumerate(targets, first):
        value = node.terminator.operands[number]
        if is_array(value):
            deliver(emitter, value, Sink("row", node, number))
        else:
            store(emitter.builder, emitter.scalar(value), target, [index])


def end_loop(emitter: Emitter, terminator: Node, values: Sequence[ir.Value] = ()) -> None:
    """Frees what the body allocated, ends it with a yield and leaves it."""
    emitter.release_after(terminator)
    end_region(emitter, values)


def end_region(emitter: Emitter, values: Sequence[ir.Value] = ()) -> Frame:
    """Ends a region with a yield and leaves it."""
    emitter.pool.close()
    emitter.builder.yield_values(values)
    return emitter.end_region()


def relax(emitter: Emitter, node: Node, region: int) -> None:
    """Lets sums, products, minima and maxima be reassociated: a reduction's operator is associative by contract."""
    nodes = node.regions[region]
    if emitter.options.sequential or not nodes:
        return
    arguments = node.arguments(region)
    count = len(arguments) // 2
    for number, value in enumerate(nodes[-1].operands):
        combining = emitter.plan.tree.definition[value]
        pair = {arguments[number], arguments[count + number]}
        if combining.parent is node and combining.name in RELAXED and set(combining.operands) == pair:
            emitter.relaxed.add(combining)


def start_running(emitter: Emitter, node: Node, region: int, neutral: Sequence[ir.Value]) -> list[Lowered]:
    """The running values of a reduction: scalars as they are, arrays in memory that starts as the neutral array."""
    if not neutral:
        return []
    running: list[Lowered] = []
    for argument, start in zip(operator_arguments(node, region)[0], neutral, strict=True):
        if is_array(start):
            view = storage_view(emitter, emitter.plan.storages.memory(argument), start)
            copy(emitter, emitter.view(start), view)
            running.append(view)
        else:
            running.append(emitter.scalar(start))
    return running


def combine(
    emitter: Emitter,
    node: Node,
    region: int,
    left: Sequence[Lowered],
    right: Sequence[Lowered],
    running: Sequence[Lowered],
) -> list[Lowered]:
    """Emits a combining region on two tuples; combined arrays end in the memory of `running`."""
    if not left:
        return []
    for argument, value in zip(node.arguments(region), [*left, *right], strict=True):
        emitter.env[argument] = value
    for number, place in enumerate(running):
        if isinstance(place, View):
            emitter.sinks[Sink(f"running{region}", node, number)] = place
    emitter.emit_block(node.regions[region])
    combined: list[Lowered] = []
    for number, value in enumerate(node.regions[region][-1].operands):
        if is_array(value):
            deliver(emitter, value, Sink(f"running{region}", node, number))
            combined.append(running[number])
        else:
            combined.append(emitter.scalar(value))
    emitter.release_after(node.regions[region][-1])
    return combined


def scalars(values: Sequence[Lowered]) -> list[ir.Value]:
    """The values that a loop carries; arrays stay in memory."""
    return [value for value in values if not isinstance(value, View)]


def with_scalars(values: Sequence[Lowered], carried: Sequence[ir.Value]) -> list[Lowered]:
    """The tuple with its scalars replaced by what a loop carries."""
    following = iter(carried)
    return [value if isinstance(value, View) else next(following) for value in values]


def bind_results(emitter: Emitter, results: Sequence[ir.Value], values: Sequence[Lowered]) -> None:
    emitter.env.update(zip(results, values, strict=True))


def store_prefixes(emitter: Emitter, values: Sequence[Lowered], targets: Sequence[View | None], index: Index) -> None:
    """Stores running values in arrays of prefixes, but for those that nothing reads."""
    for value, target in zip(values, targets, strict=True):
        if target is None:
            continue
        if isinstance(value, View):
            copy(emitter, value, row(emitter.builder, target, index))
        else:
            store(emitter.builder, value, target, [index])
