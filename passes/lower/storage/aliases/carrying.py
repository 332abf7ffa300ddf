"""How loops carry arrays: in place, in buffers that take turns, or in new memory for every iteration.

Note [Buffers that take turns]: where a loop hands on an array that it was given, `before, u = u, after`, the buffer
moves to its new name and nothing is copied. Each carried array gives its buffer to at most one other; the next value of
an array that gets none is built in a spare one. What was given to nobody is the spare one of the next iteration. Where
sizes may change there is no spare one: buffers move with their sizes, what gets none is made in new memory, and what
was given to nobody is freed.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.sizes.expressions import Dim
from tapeless.passes.lower.storage.aliasing import Carry, StoragePlan, is_accumulator, is_array
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node


def carry_arrays(
    plan: StoragePlan, node: Node, arguments: list[ir.Value], starts: list[ir.Value], following: list[ir.Value]
) -> None:
    """Decides how a loop carries its arrays, and which may begin in their start value's memory, as accumulators do."""
    numbers = [number for number, argument in enumerate(arguments) if is_array(argument)]
    for number in numbers:
        plan.carries[node, number] = way_of_carrying(plan, arguments[number], following[number])
    for way in (Carry.TURNING, Carry.RESIZED):
        alike = [number for number in numbers if plan.carries[node, number] is way]
        for number, giver in buffers_handed_on(plan, arguments, following, alike).items():
            plan.turns[node, number] = giver
    for number in numbers:
        place_array(plan, node, number, arguments[number], starts[number], following[number])


def way_of_carrying(plan: StoragePlan, argument: ir.Value, following: ir.Value) -> Carry:
    storages = plan.storages
    if is_accumulator(argument):
        return Carry.IN_PLACE
    if not storages.naive and storages.of(following) is storages.of(argument) and storages.is_whole(following):
        return Carry.IN_PLACE
    return Carry.TURNING if carries_same_size(plan, argument) else Carry.RESIZED


def carries_same_size(plan: StoragePlan, argument: ir.Value) -> bool:
    """Whether a loop-carried array provably has the same size in every iteration."""
    return all(plan.size(argument, axis) != Dim(argument, axis) for axis in range(argument.type.rank))


def buffers_handed_on(
    plan: StoragePlan, arguments: list[ir.Value], following: list[ir.Value], numbers: list[int]
) -> dict[int, int]:
    """For each of these arrays whose next value lies in the buffer of another: which. No buffer goes to two of them."""
    storages = plan.storages
    givers: dict[int, int] = {}
    if storages.naive:
        return givers
    for number in numbers:
        value = following[number]
        for giver in numbers:
            is_there = storages.of(value) is storages.of(arguments[giver]) and storages.is_whole(value)
            is_alike = arguments[giver].type == arguments[number].type
            if is_there and is_alike and giver not in givers.values():
                givers[number] = giver
    return givers


def place_array(
    plan: StoragePlan, node: Node, number: int, argument: ir.Value, start: ir.Value, following: ir.Value
) -> None:
    """Lets an array that stays in place begin where it starts from; the next value of another has a place to end in."""
    storages = plan.storages
    own = storages.of(argument)
    if plan.carries[node, number] is not Carry.IN_PLACE:
        own.sinkable = False
        if (node, number) not in plan.turns:
            storages.offer_sink(following, Sink("next", node, number), node.regions[-1][-1])
    elif is_accumulator(argument) or storages.can_overwrite(
        node, start, frozenset(k for k, value in enumerate(node.operands) if value != start)
    ):
        storages.merge(own, storages.of(start), whole=True)
