"""The two buffers that take turns in a loop: which one comes first, so that the last value ends where it should."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter, memref_type
from tapeless.passes.lower.loops.views import View
from tapeless.passes.lower.loops.work import ceil_div
from tapeless.passes.lower.storage.buffers import Buffer
from tapeless.passes.lower.storage.destinations import allocate
from tapeless.passes.lower.storage.tree import Node


def swap_buffers(
    emitter: Emitter, node: Node, number: int, argument: ir.Value
) -> tuple[list[ir.Value], list[Buffer], View | None]:
    """First and second buffer, those to be given back, and the place in which the loop's result surely ends."""
    first, one = allocate(emitter, argument)
    end = final_place(emitter, node, number, argument)
    if end is None:
        second, other = allocate(emitter, argument)
        return [first.base, second.base], [one, other], None
    return list(in_turn(emitter.builder, trips(emitter, node), end.base, first.base)), [one], end


def final_place(emitter: Emitter, node: Node, number: int, argument: ir.Value) -> View | None:
    """The sink of the result of a counted loop, if it is a whole buffer."""
    if node.name != "scf.for":
        return None
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


def in_turn(builder: Builder, count: Index, end: ir.Value, other: ir.Value) -> Sequence[ir.Value]:
    """The two buffers in the order that makes `end` the one written last after `count` swaps."""
    if isinstance(count, int):
        return [end, other] if count % 2 == 0 else [other, end]
    bit = ir.IntegerType.get_signless(1)
    is_odd = builder.value(
        "arith.trunci", bit, [builder.value("arith.index_cast", ir.IntegerType.get_signless(64), [count])]
    )
    return [
        builder.value("arith.select", end.type, [is_odd, other, end]),
        builder.value("arith.select", end.type, [is_odd, end, other]),
    ]
