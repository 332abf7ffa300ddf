"""Sequential loops: `scf.for` and `scf.while` with scalars carried as values and arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.ir.regions.structure import arguments_of, operands_of
from tapeless.passes.lower.loops.arrays.oddities import check_loop
from tapeless.passes.lower.loops.bulk import end_loop
from tapeless.passes.lower.loops.control.carried import (
    Carried,
    enter_all,
    enter_array,
    flat_starts,
    leave_all,
    leave_array,
    next_values,
    split_carried,
    start_arrays,
)
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Allocation, Emitter
from tapeless.passes.lower.loops.memory.buffers import Buffer
from tapeless.passes.lower.loops.memory.destinations import allocate, destination
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.storage.aliasing import Carry, is_array
from tapeless.passes.lower.storage.tree import Node


def emit_for(emitter: Emitter, node: Node) -> None:
    check_loop(node)
    builder = emitter.builder
    low, high, step = (emitter.scalar(bound) for bound in node.operands[:3])
    arguments, starts = arguments_of(node.op, "carried"), operands_of(node.op, "carried")
    carried = start_arrays(emitter, node, arguments, starts)
    loop = builder.begin_for(low, high, step, flat_starts(emitter, carried, starts))
    emitter.env[node.arguments()[0]] = loop.variable
    groups = split_carried(carried, len(starts), loop.carried)
    enter_all(emitter, node, carried, arguments, groups)
    emitter.emit_block(node.regions[0])
    following = next_values(emitter, node, carried, arguments, node.terminator.operands, groups)
    end_loop(emitter, node.terminator, following)
    leave_all(emitter, carried, node.results, split_carried(carried, len(starts), loop.op.results))


def emit_while(emitter: Emitter, node: Node) -> None:
    """Both regions get the buffers of carried arrays; values the condition computes on the way go through memory."""
    builder = emitter.builder
    before, after = node.arguments(0), node.arguments(1)
    condition, forwarded = node.regions[0][-1], node.regions[0][-1].operands[1:]
    carried = start_arrays(emitter, node, before, node.operands)
    passed = {
        k: allocate(emitter, value) for k, value in enumerate(forwarded) if is_array(value) and value not in before
    }
    starts = flat_starts(emitter, carried, node.operands)
    buffers = [buffer for item in carried.values() for buffer in item.start]
    types = [value.type for value in forwarded if not is_array(value)] + [buffer.type for buffer in buffers]
    loop = builder.create("scf.while", types, starts, regions=2)

    groups = split_carried(carried, len(before), builder.push(loop, 0, [start.type for start in starts]))
    enter_all(emitter, node, carried, before, groups)
    emitter.emit_block(node.regions[0])
    for k, (view, _) in passed.items():
        copy(emitter, emitter.view(forwarded[k]), view)
    emitter.release_after(condition)
    handed = [emitter.scalar(value) for value in forwarded if not is_array(value)]
    handed += [buffer for number in carried for buffer in groups[number]]
    emitter.pool.close()
    builder.create("scf.condition", [], [emitter.scalar(condition.operands[0]), *handed])
    emitter.end_region()

    values, current = split_handed(carried, len(before), builder.push(loop, 1, types))
    for number, item in carried.items():
        enter_array(emitter, node, item, before[number], current[number])
    bind_forwarded(emitter, before, forwarded, after, values, passed)
    emitter.emit_block(node.regions[1])
    end = node.regions[1][-1]
    end_loop(emitter, end, next_values(emitter, node, carried, before, end.operands, current))
    finish_while(emitter, node, carried, list(loop.results), passed)


def split_handed(
    carried: dict[int, Carried], count: int, values: Sequence[ir.Value]
) -> tuple[list[ir.Value], list[list[ir.Value]]]:
    """The scalars that the condition hands on, and the buffers of every carried array."""
    buffers = sum(len(item.start) for item in carried.values())
    scalars = list(values[: len(values) - buffers])
    rest = list(values[len(values) - buffers :])
    groups: list[list[ir.Value]] = []
    for number in range(count):
        size = len(carried[number].start) if number in carried else 0
        groups.append(rest[:size])
        rest = rest[size:]
    return scalars, groups


def bind_forwarded(
    emitter: Emitter,
    before: Sequence[ir.Value],
    forwarded: Sequence[ir.Value],
    targets: Sequence[ir.Value],
    scalars: Sequence[ir.Value],
    passed: dict[int, tuple[View, Buffer]],
) -> None:
    """Binds the arguments of the second region to what the condition handed on."""
    remaining = iter(scalars)
    for k, (value, target) in enumerate(zip(forwarded, targets, strict=True)):
        if not is_array(value):
            emitter.env[target] = next(remaining)
        elif k in passed:
            emitter.env[target] = passed[k][0]
        else:
            emitter.env[target] = emitter.env[value]


def finish_while(
    emitter: Emitter, node: Node, carried: dict[int, Carried], results: Sequence[ir.Value], passed: dict
) -> None:
    """Binds the loop's results; an array handed on twice is copied, one not handed on is freed.

    The size of a result may be known as that of the carried array, so that one is bound to the result as well.
    """
    before, forwarded = node.arguments(0), node.regions[0][-1].operands[1:]
    scalars, groups = split_handed(carried, len(before), results)
    remaining, taken = iter(scalars), set()
    for k, (value, result) in enumerate(zip(forwarded, node.results, strict=True)):
        if not is_array(value):
            emitter.env[result] = next(remaining)
        elif k in passed:
            view, buffer = passed[k]
            emitter.env[result] = view
            emitter.allocations[emitter.plan.storages.memory(result)] = Allocation(view, [buffer])
        elif (number := before.index(value)) in taken and carried[number].carry is not Carry.IN_PLACE:
            copy(emitter, emitter.view(node.results[forwarded.index(value)]), destination(emitter, result))
        else:
            leave_array(emitter, carried[number], result, groups[number])
            emitter.env[value] = emitter.env[result]
            taken.add(number)
    for number, item in carried.items():
        if number not in taken:
            discard(emitter, item, groups[number])


def discard(emitter: Emitter, item: Carried, buffers: Sequence[ir.Value]) -> None:
    """Gives back the memory of a carried array that is not a result."""
    for buffer in item.place.buffers:
        emitter.pool.release(buffer)
    if item.carry is Carry.RESIZED:
        emitter.pool.free_raw(buffers[0])
