"""The loops of histograms: values combined into the bins of their keys, and histograms into one another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tapeless._mlir import ir
from tapeless.dialects.soac.marks import IN_BOUNDS
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.bulk import Lowered, bind_elements, bind_results, element, end_region
from tapeless.passes.lower.loops.copying import copy
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.updates import as_index, begin_if_inside
from tapeless.passes.lower.loops.views import View, load, store
from tapeless.passes.lower.storage.aliasing import is_array
from tapeless.passes.lower.storage.tree import Node

# The histograms and which of their regions combines values.
COMBINE = {"soac.hist": 0, "soac.fused_hist": 1}


def count_values(
    emitter: Emitter, node: Node, low: Index, high: Index, targets: Sequence[View], step: Index = 1
) -> None:
    """Combines the values of some iterations into histograms, ignoring keys outside."""
    loop = emitter.builder.begin_for(low, high, step)
    count_value(emitter, node, loop.variable, targets)
    end_region(emitter)


def count_value(emitter: Emitter, node: Node, index: Index, targets: Sequence[View]) -> None:
    """Combines the values of one iteration into the bin of its key."""
    key = KEYS[node.name](emitter, node, index)
    put_values(emitter, node, key, lambda: VALUES[node.name](emitter, node, index), targets)


def lifted(emitter: Emitter, node: Node, index: Index) -> tuple[ir.Value, list[Lowered]]:
    """The key of an iteration and its values, in or out of bounds."""
    return KEYS[node.name](emitter, node, index), VALUES[node.name](emitter, node, index)


def put_values(
    emitter: Emitter,
    node: Node,
    key: ir.Value,
    values: Callable[[], list[Lowered]],
    targets: Sequence[View],
    *,
    is_inside: bool = False,
) -> None:
    """Combines values, which are emitted where they are needed, into the bin of a key, if it is inside."""
    builder = emitter.builder
    is_guarded = not is_inside and IN_BOUNDS not in node.op.attributes
    if is_guarded:
        begin_if_inside(builder, [key], targets[0].sizes)
    places = [element(builder, target, key) for target in targets]
    _combine(emitter, node, places, values())
    for target, place, value in zip(targets, places, _combined(node), strict=True):
        if is_array(value):
            copy(emitter, emitter.view(value), place)
        else:
            store(builder, emitter.scalar(value), target, [key])
    emitter.release_after(node.regions[-1][-1])
    if is_guarded:
        end_region(emitter)


def merge(emitter: Emitter, node: Node, copies: Index, tables: Sequence[View], targets: Sequence[View]) -> None:
    """Combines histograms, the rows of tables, into the result, in order."""
    builder = emitter.builder
    outer = builder.begin_for(0, copies)
    inner = builder.begin_for(0, targets[0].sizes[0], parallel=True)
    old = [load(builder, target, [inner.variable]) for target in targets]
    _combine(emitter, node, old, [load(builder, table, [outer.variable, inner.variable]) for table in tables])
    for target, value in zip(targets, _combined(node), strict=True):
        store(builder, emitter.scalar(value), target, [inner.variable])
    end_region(emitter)
    end_region(emitter)


def joined_bins(emitter: Emitter, node: Node, old: Sequence[ir.Value], new: Sequence[ir.Value]) -> list[ir.Value]:
    """The operator of a histogram on the scalars of two bins."""
    emitter.forget(node)
    _combine(emitter, node, old, new)
    return [emitter.scalar(value) for value in _combined(node)]


def _combine(emitter: Emitter, node: Node, old: Sequence[Lowered], new: Sequence[Lowered]) -> None:
    region = COMBINE[node.name]
    bind_results(emitter, node.arguments(region), [*old, *new])
    emitter.emit_block(node.regions[region])


def _combined(node: Node) -> list[ir.Value]:
    return node.regions[COMBINE[node.name]][-1].operands


def _stored_key(emitter: Emitter, node: Node, index: Index) -> ir.Value:
    return as_index(emitter.builder, load(emitter.builder, emitter.view(node.op.keys), [index]))


def _stored_values(emitter: Emitter, node: Node, index: Index) -> list[Lowered]:
    return [element(emitter.builder, emitter.view(array), index) for array in node.op.values]


def _lifted_key(emitter: Emitter, node: Node, index: Index) -> ir.Value:
    """The key that the body computes, and with it the values."""
    own, *elements = node.arguments()
    emitter.env[own] = emitter.builder.as_value(index)
    bind_elements(emitter, elements, node.op.inputs, index)
    emitter.emit_block(node.regions[0])
    return emitter.scalar(node.terminator.operands[0])


def _lifted_values(emitter: Emitter, node: Node, _: Index) -> list[Lowered]:
    return [emitter.scalar(value) for value in node.terminator.operands[1:]]


KEYS = {"soac.hist": _stored_key, "soac.fused_hist": _lifted_key}
VALUES = {"soac.hist": _stored_values, "soac.fused_hist": _lifted_values}
