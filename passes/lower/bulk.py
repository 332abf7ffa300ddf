"""Maps, reductions, scans and their fused form as single loops that write straight into their destinations."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir

from .aliasing import is_array, operator_arguments
from .builder import Builder, Index
from .copying import copy
from .emitter import Emitter
from .storage import Sink
from .tree import Node
from .views import View, load, row, store

Lowered = ir.Value | View
RELAXED = frozenset({"arith.addf", "arith.mulf", "arith.maximumf", "arith.minimumf"})


def element(builder: Builder, view: View, index: Index) -> Lowered:
    """What a body sees of an array: the scalar at an index, or the row as a view."""
    return load(builder, view, [index]) if view.rank == 1 else row(builder, view, index)


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
            emitter.deliver(value, Sink("row", node, number))
        else:
            store(emitter.builder, emitter.scalar(value), target, [index])


def end_loop(emitter: Emitter, terminator: Node, values: Sequence[ir.Value] = ()) -> None:
    """Frees what the body allocated, ends it with a yield and leaves it."""
    emitter.release_after(terminator)
    end_region(emitter, values)


def end_region(emitter: Emitter, values: Sequence[ir.Value] = ()) -> None:
    """Ends a region with a yield and leaves it."""
    emitter.pool.close()
    emitter.builder.yield_values(values)
    emitter.end_region()


def emit_map(emitter: Emitter, node: Node) -> None:
    op, builder = node.op, emitter.builder
    width = emitter.scalar(op.width)
    inputs, accumulators = list(op.inputs), list(op.accs)
    arrays = len(node.results) - len(accumulators)
    targets = [emitter.destination(result) for result in node.results[:arrays]]
    loop = builder.begin_for(0, width, parallel=not accumulators)
    index, *arguments = node.arguments()
    emitter.env[index] = loop.variable
    bind_elements(emitter, arguments[: len(inputs)], inputs, loop.variable)
    for argument, operand in zip(arguments[len(inputs) :], accumulators, strict=True):
        emitter.env[argument] = emitter.view(operand)
    open_rows(emitter, node, 0, targets, loop.variable)
    emitter.emit_block(node.regions[0])
    store_rows(emitter, node, 0, targets, loop.variable)
    end_loop(emitter, node.terminator)
    for result, operand in zip(node.results[arrays:], accumulators, strict=True):
        emitter.env[result] = emitter.view(operand)


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
            view = emitter.place_of(emitter.plan.storages.memory(argument), start)
            copy(emitter.builder, emitter.view(start), view)
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
            emitter.deliver(value, Sink(f"running{region}", node, number))
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


def emit_reduce(emitter: Emitter, node: Node) -> None:
    op, builder = node.op, emitter.builder
    relax(emitter, node, 0)
    inputs = [emitter.view(array) for array in op.inputs]
    running = start_running(emitter, node, 0, op.neutral)
    loop = builder.begin_for(0, emitter.scalar(op.width), starts=scalars(running))
    left = with_scalars(running, loop.carried)
    right = [element(builder, view, loop.variable) for view in inputs]
    end_loop(emitter, node.terminator, scalars(combine(emitter, node, 0, left, right, running)))
    bind_results(emitter, node.results, with_scalars(running, loop.op.results))


def emit_scan(emitter: Emitter, node: Node) -> None:
    """Prefixes run upwards, suffixes downwards; the operator always gets its operands in array order."""
    op, builder = node.op, emitter.builder
    exclusive, backwards = ir.BoolAttr(op.exclusive).value, ir.BoolAttr(op.reverse).value
    inputs = [emitter.view(array) for array in op.inputs]
    targets = [emitter.destination(result) for result in node.results]
    running = start_running(emitter, node, 0, op.neutral)
    width = emitter.scalar(op.width)
    loop = builder.begin_for(0, width, starts=scalars(running))
    index = builder.sub(builder.sub(width, 1), loop.variable) if backwards else loop.variable
    before = with_scalars(running, loop.carried)
    values = [element(builder, view, index) for view in inputs]
    if exclusive:
        store_prefixes(builder, before, targets, index)
    left, right = (values, before) if backwards else (before, values)
    after = combine(emitter, node, 0, left, right, running)
    if not exclusive:
        store_prefixes(builder, after, targets, index)
    end_loop(emitter, node.terminator, scalars(after))


def store_prefixes(builder: Builder, values: Sequence[Lowered], targets: Sequence[View], index: Index) -> None:
    for value, target in zip(values, targets, strict=True):
        if isinstance(value, View):
            copy(builder, value, row(builder, target, index))
        else:
            store(builder, value, target, [index])


def emit_fused(emitter: Emitter, node: Node) -> None:
    op, builder = node.op, emitter.builder
    reduced, scanned = len(op.reduce_neutral), len(op.scan_neutral)
    relax(emitter, node, 1)
    width = emitter.scalar(op.width)
    targets = [emitter.destination(result) for result in node.results[reduced:]]
    sums = start_running(emitter, node, 1, op.reduce_neutral)
    prefixes = start_running(emitter, node, 2, op.scan_neutral)
    loop = builder.begin_for(0, width, starts=scalars([*sums, *prefixes]), parallel=not (sums or prefixes))
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
    bind_results(emitter, node.results[:reduced], with_scalars([*sums, *prefixes], loop.op.results)[:reduced])


RULES = {
    "soac.map": emit_map,
    "soac.reduce": emit_reduce,
    "soac.scan": emit_scan,
    "soac.fused": emit_fused,
}
