"""Updates at computed places: scatters and accumulators. Keys outside the array are ignored."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.dialects.soac.schedules import InOrder
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.bulk import element, end_region
from tapeless.passes.lower.loops.copying import copy, for_each
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.memory.destinations import deliver, destination, storage_view, updated
from tapeless.passes.lower.loops.views import View, load, row, store
from tapeless.passes.lower.storage.aliasing import is_accumulator, is_array
from tapeless.passes.lower.storage.storage import Sink
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import ACCUMULATE, ATOMIC

UNSIGNED_LESS = 6
SUM_FLAGS = "#arith.fastmath<reassoc,nsz,contract>"


def as_index(builder: Builder, key: ir.Value) -> ir.Value:
    if isinstance(key.type, ir.IndexType):
        return key
    return builder.value("arith.index_cast", builder.index, [key])


def begin_if_inside(builder: Builder, indices: Sequence[Index], sizes: Sequence[Index]) -> None:
    """Starts a branch that runs when every index is inside; a negative one is large when read as unsigned."""
    bit = ir.IntegerType.get_signless(1)
    predicate = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), UNSIGNED_LESS)
    inside = None
    for index, size in zip(indices, sizes, strict=False):
        operands = [builder.as_value(index), builder.as_value(size)]
        test = builder.value("arith.cmpi", bit, operands, predicate=predicate)
        inside = test if inside is None else builder.value("arith.andi", bit, [inside, test])
    branch = builder.create("scf.if", [], [inside], regions=2)
    builder.push(branch, 0, [], is_branch=True)


@dataclass(frozen=True)
class Scatter:
    """What a scatter reads and where it stores."""

    emitter: Emitter
    keys: View
    values: View
    target: View
    width: Index

    def close(self, results: Sequence[ir.Value]) -> None:
        """The result is the array that was updated."""


def open_scatter(emitter: Emitter, node: Node) -> Scatter:
    """A scatter whose loop is still to be emitted."""
    op = node.op
    keys, values = emitter.view(op.keys), emitter.view(op.values)
    return Scatter(emitter, keys, values, updated(emitter, op.dest, node.results[0]), emitter.scalar(op.width))


def scatter_in_order(opened: Scatter, _: InOrder) -> None:
    """One value after the other: the last of those with equal keys stays."""
    emitter, builder, target = opened.emitter, opened.emitter.builder, opened.target
    loop = builder.begin_for(0, opened.width)
    key = as_index(builder, load(builder, opened.keys, [loop.variable]))
    begin_if_inside(builder, [key], target.sizes)
    value = element(builder, opened.values, loop.variable)
    if isinstance(value, View):
        copy(emitter, value, row(builder, target, key))
    else:
        store(builder, value, target, [key])
    end_region(emitter)
    end_region(emitter)


def emit_with_acc(emitter: Emitter, node: Node) -> None:
    """The body runs on the arrays themselves, or on copies when their old contents are still needed."""
    count = len(node.operands)
    for argument, dest in zip(node.arguments(), node.operands, strict=True):
        view = storage_view(emitter, emitter.plan.storages.memory(argument), dest)
        copy(emitter, emitter.view(dest), view)
        emitter.env[argument] = view
    for number, result in enumerate(node.results[count:], count):
        if is_array(result) and not is_accumulator(result):
            emitter.sinks[Sink("branch", node, number)] = destination(emitter, result)
    emitter.emit_block(node.regions[0])
    for argument in node.arguments():
        emitter.starts.pop(emitter.view(argument), None)
    for number, (result, value) in enumerate(zip(node.results, node.terminator.operands, strict=True)):
        if number >= count and is_array(value) and not is_accumulator(value):
            deliver(emitter, value, Sink("branch", node, number))
        else:
            emitter.env[result] = emitter.lowered(value)


def emit_update(emitter: Emitter, node: Node) -> None:
    """Adds a scalar, or a trailing slice element by element."""
    op, builder = node.op, emitter.builder
    target = emitter.view(op.acc)
    emitter.env[node.results[0]] = target
    indices = [emitter.scalar(index) for index in op.indices]
    value = emitter.lowered(op.operands[len(indices) + 1])
    guarded = bool(indices) and IN_BOUNDS not in op.attributes
    if guarded:
        begin_if_inside(builder, indices, target.sizes)
    if isinstance(value, View):
        part = target
        for index in indices:
            part = row(builder, part, index)
        for_each(builder, part.sizes, lambda at: add_to(emitter, part, at, load(builder, value, at)))
    else:
        add_to(emitter, target, indices, value)
    if guarded:
        end_region(emitter)


def add_to(emitter: Emitter, target: View, indices: Sequence[Index], value: ir.Value) -> None:
    """Adds a value to an element; the order of such sums is free, but in the oracle."""
    if target.base in emitter.ways_to_add:
        emitter.ways_to_add[target.base](target, indices, value)
        return
    builder = emitter.builder
    old = load(builder, target, indices)
    name = "arith.addi" if isinstance(value.type, (ir.IntegerType, ir.IndexType)) else "arith.addf"
    marks = {ACCUMULATE: builder.unit}
    if target.base in emitter.shared_sums:
        marks[ATOMIC] = builder.unit
    if name == "arith.addf" and not emitter.options.sequential:
        marks["fastmath"] = ir.Attribute.parse(SUM_FLAGS)
    store(builder, builder.value(name, value.type, [old, value], **marks), target, indices)
