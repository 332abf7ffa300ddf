"""The buffers that take turns in a loop: where each array begins, so that its last value ends where it should."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter, memref_type
from tapeless.passes.lower.loops.memory.buffers import Buffer
from tapeless.passes.lower.loops.memory.destinations import allocate
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.storage.rings import Ring
from tapeless.passes.lower.storage.tree import Node

LONGEST_AIMED = 4
"""Longer rings begin anywhere: choosing one of n buffers for n arrays takes n * n selections."""


@dataclass(frozen=True)
class RingBuffers:
    """What a ring begins with, the spare buffer last; what has to be given back; where which arrays surely end."""

    first: list[ir.Value]
    owned: list[Buffer]
    ends: dict[int, View]


def ring_buffers(emitter: Emitter, node: Node, ring: Ring, arguments: Sequence[ir.Value]) -> RingBuffers:
    """The buffers of a ring; each is given back by every array that moves through it, when the last result dies."""
    ends = final_places(emitter, node, ring, arguments)
    places: list[ir.Value] = []
    owned: list[Buffer] = []
    for number in (*ring.members, *ring.members[-1:]) if ring.has_spare else ring.members:
        if number in ends and len(places) < len(ring.members):
            places.append(ends[number].base)
        else:
            view, buffer = allocate(emitter, arguments[number])
            buffer.holders = len(ring.members)
            places.append(view.base)
            owned.append(buffer)
    if ends:
        places = turned_back(emitter.builder, trips(emitter, node), places)
    return RingBuffers(places, owned, ends)


def final_places(emitter: Emitter, node: Node, ring: Ring, arguments: Sequence[ir.Value]) -> dict[int, View]:
    """The sinks of the results of a counted loop that are whole buffers."""
    if node.name != "scf.for" or ring.length > LONGEST_AIMED:
        return {}
    places = {number: final_place(emitter, node, number, arguments[number]) for number in ring.members}
    return {number: place for number, place in places.items() if place is not None}


def final_place(emitter: Emitter, node: Node, number: int, argument: ir.Value) -> View | None:
    storage = emitter.plan.storages.memory(node.results[number])
    if storage.sink is None or storage.sink.kind == "part":
        return None
    place = emitter.sinks.get(storage.sink)
    if isinstance(place, View) and place.covers_base and place.base.type == memref_type(argument):
        return place
    return None


def trips(emitter: Emitter, node: Node) -> Index:
    """How often a counted loop runs."""
    builder = emitter.builder
    low, high, step = (emitter.index(bound) for bound in node.operands[:3])
    distance = builder.sub(builder.arith("arith.maxsi", high, low), low)
    if isinstance(step, int) and step == 1:
        return distance
    return ceil_div(builder, distance, builder.arith("arith.maxsi", step, 1))


def turned_back(builder: Builder, count: Index, places: Sequence[ir.Value]) -> list[ir.Value]:
    """The buffers in the order from which `count` moves lead to the given one."""
    length = len(places)
    if isinstance(count, int):
        return [places[(slot + count) % length] for slot in range(length)]
    rest = builder.value("arith.remui", builder.index, [count, builder.as_value(length)])
    bit, equal = ir.IntegerType.get_signless(1), ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
    tests = [
        builder.value("arith.cmpi", bit, [rest, builder.as_value(moves)], predicate=equal) for moves in range(1, length)
    ]
    turned = [[places[(slot + moves) % length] for moves in range(length)] for slot in range(length)]
    return [chosen(builder, tests, each) for each in turned]


def chosen(builder: Builder, tests: Sequence[ir.Value], places: Sequence[ir.Value]) -> ir.Value:
    """The place whose test is true, the first if none is."""
    found = places[0]
    for test, place in zip(tests, places[1:], strict=True):
        found = builder.value("arith.select", place.type, [test, place, found])
    return found
