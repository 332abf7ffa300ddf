"""Storages of slices and concatenations: parts are built inside the whole where that is safe."""

from __future__ import annotations

from functools import partial

from tapeless._mlir import ir
from tapeless.passes.ir.places.places import Place, are_disjoint
from tapeless.passes.ir.places.slices import remaining_axes, slice_offsets, slice_sizes, slice_strides
from tapeless.passes.lower.storage.aliases.coverage import covers_nearly_all
from tapeless.passes.lower.storage.aliases.pointwise import pointwise_nest, results_in, separate_early_rows
from tapeless.passes.lower.storage.aliases.slabs import find_slabs, start_slabs
from tapeless.passes.lower.storage.aliasing import StoragePlan, update_operand
from tapeless.passes.lower.storage.storage import Sink, Storage
from tapeless.passes.lower.storage.tree import Node


def update_slice(plan: StoragePlan, node: Node) -> None:
    """`tensor.insert_slice`: in place if possible, and then the source may be built in the slice.

    A source that reads the array it is written into cannot be built in place. When the slice is nearly all of the array
    (`u[1:-1] = f(u)`), a new array is built around the source instead: that copies only what lies outside the slice.
    Several slices that are nearly all of the array between them do the same.
    """
    part, target = node.operands[:2]
    whole = plan.storages.of(target)
    beside = partial(lies_beside, plan, node)
    if node in plan.chained:
        continue_slabs(plan, node, whole)
    elif can_build_in_slice(plan, node, whole):
        if update_operand(plan, node, 1, node.results[0], frozenset({0}), beside):
            sink_part(plan, node, 0, whole)
        elif all(stride == 1 for stride in slice_strides(node.op)):
            build_around(plan, node, 0, plan.storages.of(node.results[0]))
    elif covers_nearly_all(plan, node) and plan.storages.of(part).sinkable:
        build_around(plan, node, 0, plan.storages.fresh(node.results[0], node))
    elif (slabs := find_slabs(plan, node)) is not None:
        continue_slabs(plan, node, start_slabs(plan, slabs))
    else:
        update_operand(plan, node, 1, node.results[0], frozenset({0}), beside)


def can_build_in_slice(plan: StoragePlan, node: Node, whole: Storage) -> bool:
    """Whether nothing looks at the updated array while the source is made, but for the elements about to be written."""
    storage = plan.storages.of(node.operands[0])
    if storage is whole or not storage.home.same_block(node) or storage.home.position <= whole.home.position:
        return False
    allowed = {node, *same_slice_readers(plan, storage.home, node, whole)}
    beside = partial(lies_beside, plan, node)
    return plan.storages.is_untouched(whole, storage.home, node, frozenset(allowed), beside)


def lies_beside(plan: StoragePlan, write: Node, value: ir.Value) -> bool:
    """Whether an array is a part of the one that is written into, or of such a part, and nothing of it is written."""
    storages = plan.storages
    while value in storages.sources and storages.is_whole(write.operands[1]):
        definition, source = plan.tree.definition[value], storages.sources[value]
        if definition.name == "tensor.extract_slice" and storages.is_whole(source):
            return are_disjoint(Place.of(definition.op), Place.of(write.op))
        value = source
    return False


def same_slice_readers(plan: StoragePlan, maker: Node, node: Node, whole: Storage) -> list[Node]:
    """The maps of a nest that reads an array only through the very slice that it is going to fill, element by element.

    Nothing when the nest reads more of the array than that.
    """
    slices = same_slices(plan, maker, node, whole)
    built = results_in(plan, maker, plan.storages.of(node.operands[0]))
    return (pointwise_nest(plan, maker, slices, built, whole) or []) if slices else []


def same_slices(plan: StoragePlan, maker: Node, node: Node, whole: Storage) -> list[ir.Value]:
    """What a map takes of an array that is written into, if it is the slice that is written and nothing else."""
    if maker.name != "soac.map":
        return []
    slices = [value for value in maker.op.inputs if plan.storages.of(value) is whole]
    readers = [plan.tree.definition[value] for value in slices]
    return slices if all(is_same_slice(plan, reader, node) for reader in readers) else []


def is_same_slice(plan: StoragePlan, reader: Node, writer: Node) -> bool:
    """Whether a part is read and written at the same elements in the same order, not of a view with another order."""
    if reader.name != "tensor.extract_slice":
        return False
    read, written = reader.operands[0], writer.operands[1]
    if read != written and not (plan.storages.is_whole(read) and plan.storages.is_whole(written)):
        return False
    gets = (slice_offsets, slice_sizes, slice_strides, remaining_axes)
    return all(get(reader.op) == get(writer.op) for get in gets)


def sink_part(plan: StoragePlan, node: Node, number: int, whole: Storage) -> None:
    """Builds operand `number` of `node` inside the storage `whole`."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if plan.storages.offer_sink(part, Sink("part", node, number), node):
        slices = same_slices(plan, storage.home, node, whole)
        separate_early_rows(plan, storage.home, slices, results_in(plan, storage.home, storage))
        plan.storages.merge(storage, whole, whole=False)


def build_around(plan: StoragePlan, node: Node, number: int, result: Storage) -> None:
    """Builds operand `number` of `node` inside the node's new result, whose memory is then needed earlier."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if storage is not result and plan.storages.offer_sink(part, Sink("part", node, number), node):
        plan.storages.merge(storage, result, whole=False)
        if storage.home.position < result.home.position:
            result.home = storage.home


def continue_slabs(plan: StoragePlan, node: Node, whole: Storage) -> None:
    """One write of a chain that fills a new array: its source lies there already, or is copied into it."""
    slabs = plan.chained.get(node) or plan.slabs[node]
    if node in plan.chained:
        plan.storages.join(node.results[0], whole, whole=True)
    if node in slabs.writes:
        build_around(plan, node, 0, whole)


def make_concat(plan: StoragePlan, node: Node) -> None:
    """The operands of a concatenation may be built inside the result."""
    result = plan.storages.fresh(node.results[0], node)
    for number in range(len(node.operands)):
        build_around(plan, node, number, result)
