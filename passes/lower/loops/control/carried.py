"""Arrays that sequential loops carry from one iteration to the next (see `Carry`)."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.arrays.extents import sizes_here
from tapeless.passes.lower.loops.control.handover import own_copy, own_result, sizes_of_buffer
from tapeless.passes.lower.loops.control.ring_buffers import ring_buffers
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Allocation, Emitter, OwnAllocation, memref_type
from tapeless.passes.lower.loops.memory.destinations import deliver, storage_view
from tapeless.passes.lower.loops.views import View, whole_view
from tapeless.passes.lower.storage.aliasing import Carry, is_accumulator, is_array
from tapeless.passes.lower.storage.rings import Ring, moved_on, rings_of
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node


@dataclass
class Carried:
    """One array that a loop hands on, and where it ends.

    `start` are the buffers it is carried in: none when it stays in place, a spare one behind the first where the next
    value is built anew while others look at this one.
    """

    number: int
    carry: Carry
    start: list[ir.Value]
    place: Allocation
    end: View | None = None


def start_arrays(
    emitter: Emitter, node: Node, arguments: Sequence[ir.Value], starts: Sequence[ir.Value]
) -> dict[int, Carried]:
    """Prepares the memory of carried arrays before a loop."""
    carried: dict[int, Carried] = {}
    for number, (argument, start) in enumerate(zip(arguments, starts, strict=True)):
        if is_array(argument) and emitter.plan.carries[node, number] is not Carry.TURNING:
            carried[number] = start_array(emitter, node, number, argument, start)
    for ring in rings_of(emitter.plan, node):
        carried.update(start_ring(emitter, node, ring, arguments, starts))
    return dict(sorted(carried.items()))


def start_ring(
    emitter: Emitter, node: Node, ring: Ring, arguments: Sequence[ir.Value], starts: Sequence[ir.Value]
) -> dict[int, Carried]:
    """Fills the buffers that some carried arrays begin in."""
    buffers = ring_buffers(emitter, node, ring, arguments)
    carried: dict[int, Carried] = {}
    for number, base in zip(ring.members, buffers.first, strict=False):
        first = whole_view(base, sizes_here(emitter, arguments[number]))
        copy(emitter, emitter.view(starts[number]), first)
        place = Allocation(first, buffers.owned)
        carried[number] = Carried(number, Carry.TURNING, [base], place, buffers.ends.get(number))
    if ring.has_spare:
        carried[ring.members[0]].start.append(buffers.first[-1])
    return carried


def start_array(emitter: Emitter, node: Node, number: int, argument: ir.Value, start: ir.Value) -> Carried:
    source = emitter.view(start)
    if is_accumulator(argument):
        return Carried(number, Carry.IN_PLACE, [], Allocation(source))
    carry = emitter.plan.carries[node, number]
    if carry is Carry.IN_PLACE:
        view = storage_view(emitter, emitter.plan.storages.memory(argument), argument)
        copy(emitter, source, view)
        return Carried(number, carry, [], Allocation(view))
    type_ = memref_type(argument)
    own = whole_view(emitter.pool.raw(type_, source.sizes), source.sizes)
    copy(emitter, source, own)
    return Carried(number, carry, [own.base], Allocation(own))


def enter_array(emitter: Emitter, node: Node, item: Carried, argument: ir.Value, buffers: Sequence[ir.Value]) -> None:
    """Binds a carried array inside the loop and tells where its next value belongs."""
    view = item.place.view
    if item.carry is Carry.TURNING:
        view = whole_view(buffers[0], item.place.view.sizes)
        for spare in buffers[1:]:
            emitter.sinks[Sink("next", node, item.number)] = whole_view(spare, view.sizes)
    elif item.carry is Carry.RESIZED:
        view = whole_view(buffers[0], sizes_of_buffer(emitter, buffers[0]))
        emitter.sinks[Sink("next", node, item.number)] = OwnAllocation()
    emitter.env[argument] = view
    if item.carry is not Carry.IN_PLACE:
        emitter.allocations[emitter.plan.storages.memory(argument)] = Allocation(view)


def next_buffers(
    emitter: Emitter, node: Node, item: Carried, following: ir.Value, argument: ir.Value, groups: list[list[ir.Value]]
) -> list[ir.Value]:
    """Brings the next value of a carried array into place; returns the buffers of the next iteration.

    Those that take turns stay where they are until all arrays are in place.
    """
    sink, buffers = Sink("next", node, item.number), groups[item.number]
    if item.carry is Carry.RESIZED:
        giver = emitter.plan.turns.get((node, item.number))
        return [own_copy(emitter, following, sink, argument)] if giver is None else groups[giver]
    if len(buffers) > 1:
        deliver(emitter, following, sink)
    return buffers


def turn_buffers(ring: Ring, groups: list[list[ir.Value]]) -> None:
    """Moves every buffer of a ring to the array that has it in the next iteration."""
    buffers = [groups[number][0] for number in ring.members]
    moved = moved_on([*buffers, *groups[ring.members[0]][1:]])
    for number, buffer in zip(ring.members, moved, strict=False):
        groups[number] = [buffer]
    if ring.has_spare:
        groups[ring.members[0]].append(moved[-1])


def leave_array(emitter: Emitter, item: Carried, result: ir.Value, buffers: Sequence[ir.Value]) -> None:
    """Binds the result of a loop to the buffer that holds it at the end."""
    if item.carry is Carry.IN_PLACE:
        emitter.env[result] = item.place.view
    elif item.carry is Carry.TURNING:
        view = item.end or whole_view(buffers[0], item.place.view.sizes)
        emitter.env[result] = view
        emitter.allocations[emitter.plan.storages.memory(result)] = Allocation(view, item.place.buffers)
    else:
        own_result(emitter, result, buffers[0])


def split_carried(carried: dict[int, Carried], count: int, values: Sequence[ir.Value]) -> list[list[ir.Value]]:
    """Groups the flat values of a lowered loop by carried value of the core loop: scalars have one, arrays 0 to 2."""
    groups, rest = [], list(values)
    for number in range(count):
        size = len(carried[number].start) if number in carried else 1
        groups.append(rest[:size])
        rest = rest[size:]
    return groups


def flat_starts(emitter: Emitter, carried: dict[int, Carried], starts: Sequence[ir.Value]) -> list[ir.Value]:
    flat: list[ir.Value] = []
    for number, start in enumerate(starts):
        flat += carried[number].start if number in carried else [emitter.scalar(start)]
    return flat


def enter_all(
    emitter: Emitter,
    node: Node,
    carried: dict[int, Carried],
    arguments: Sequence[ir.Value],
    groups: list[list[ir.Value]],
) -> None:
    for number, (argument, group) in enumerate(zip(arguments, groups, strict=True)):
        if number in carried:
            enter_array(emitter, node, carried[number], argument, group)
        else:
            emitter.env[argument] = group[0]


def next_values(
    emitter: Emitter,
    node: Node,
    carried: dict[int, Carried],
    arguments: Sequence[ir.Value],
    following: Sequence[ir.Value],
    groups: list[list[ir.Value]],
) -> list[ir.Value]:
    """The flat values for the next iteration; buffers that have a size each and stay behind are freed at last."""
    handed: list[list[ir.Value]] = []
    for number, (argument, value) in enumerate(zip(arguments, following, strict=True)):
        if number in carried:
            handed.append(next_buffers(emitter, node, carried[number], value, argument, groups))
        else:
            handed.append([emitter.scalar(value)])
    for ring in rings_of(emitter.plan, node):
        turn_buffers(ring, handed)
    given = {emitter.plan.turns.get((node, number)) for number in carried}
    for number, item in carried.items():
        if item.carry is Carry.RESIZED and number not in given:
            emitter.pool.free_raw(groups[number][0])
    return [value for group in handed for value in group]


def leave_all(
    emitter: Emitter, carried: dict[int, Carried], results: Sequence[ir.Value], groups: list[list[ir.Value]]
) -> None:
    for number, (result, group) in enumerate(zip(results, groups, strict=True)):
        if number in carried:
            leave_array(emitter, carried[number], result, group)
        else:
            emitter.env[result] = group[0]
