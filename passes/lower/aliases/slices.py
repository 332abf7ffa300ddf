"""Storages of slices and concatenations: parts are built inside the whole where that is safe."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.lower.aliases.pointwise import pointwise_nest
from tapeless.passes.lower.aliasing import Plan, update_operand
from tapeless.passes.lower.storage import Sink, Storage
from tapeless.passes.lower.tree import Node
from tapeless.passes.soac.shapes import scalar_size
from tapeless.passes.soac.sizes import Computed, Size
from tapeless.passes.soac.slices import kept_axes, slice_offsets, slice_sizes, slice_strides


def update_slice(plan: Plan, node: Node) -> None:
    """`tensor.insert_slice`: in place if possible, and then the source may be built in the slice.

    A source that reads the array it is written into cannot be built in place. When the slice is nearly all of the array
    (`u[1:-1] = f(u)`), a new array is built around the source instead: that copies only what lies outside the slice.
    """
    part, target = node.operands[:2]
    whole = plan.storages.of(target)
    if can_build_in_slice(plan, node, whole):
        if update_operand(plan, node, 1, node.results[0], frozenset({0})):
            sink_part(plan, node, 0, whole)
    elif covers_nearly_all(plan, node) and plan.storages.of(part).sinkable:
        build_around(plan, node, 0, plan.storages.fresh(node.results[0], node))
    else:
        update_operand(plan, node, 1, node.results[0], frozenset({0}))


def can_build_in_slice(plan: Plan, node: Node, whole: Storage) -> bool:
    """Whether nothing looks at the updated array while the source is made, but for the elements about to be written."""
    storage = plan.storages.of(node.operands[0])
    if storage is whole or not storage.home.same_block(node) or storage.home.position <= whole.home.position:
        return False
    allowed = {node, *same_slice_readers(plan, storage.home, node, whole)}
    return plan.storages.is_untouched(whole, storage.home, node, frozenset(allowed))


def same_slice_readers(plan: Plan, maker: Node, node: Node, whole: Storage) -> list[Node]:
    """The maps of a nest that reads an array only through the very slice that it is going to fill, element by element.

    Nothing when the nest reads more of the array than that.
    """
    if maker.name != "soac.map":
        return []
    slices = [value for value in maker.op.inputs if plan.storages.of(value) is whole]
    readers = [plan.tree.definition[value] for value in slices]
    if not all(reader.name == "tensor.extract_slice" and is_same_slice(reader, node) for reader in readers):
        return []
    return pointwise_nest(plan, maker, slices, whole) or []


def is_same_slice(reader: Node, writer: Node) -> bool:
    """Whether an extracted and an inserted slice name the same elements in the same order."""
    gets = (slice_offsets, slice_sizes, slice_strides, kept_axes)
    return all(get(reader.op) == get(writer.op) for get in gets)


def covers_nearly_all(plan: Plan, node: Node) -> bool:
    """Whether a slice leaves out only a fixed number of elements along each axis."""
    strides, sizes = slice_strides(node.op), slice_sizes(node.op)
    if any(stride != 1 for stride in strides) or len(kept_axes(node.op)) < len(sizes):
        return False
    return all(is_nearly(slice_size, plan.size(node.operands[1], k)) for k, slice_size in enumerate(sizes))


def is_nearly(part: ir.Value | int, whole: Size) -> bool:
    """Whether a size is another one less a number (at least zero)."""
    size = part if isinstance(part, int) else scalar_size(part)
    if isinstance(size, int) and isinstance(whole, int):
        return 2 * size > whole
    if isinstance(size, Computed) and size.name in ("arith.maxsi", "arith.subi") and isinstance(size.operands[1], int):
        return size.operands[0] == whole or is_nearly_computed(size.operands[0], whole)
    return size == whole


def is_nearly_computed(size: Size, whole: Size) -> bool:
    return isinstance(size, Computed) and size.name == "arith.subi" and size.operands[0] == whole


def sink_part(plan: Plan, node: Node, number: int, whole: Storage) -> None:
    """Builds operand `number` of `node` inside the storage `whole`."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if plan.storages.offer_sink(part, Sink("part", node, number), node):
        plan.storages.merge(storage, whole, whole=False)


def build_around(plan: Plan, node: Node, number: int, result: Storage) -> None:
    """Builds operand `number` of `node` inside the node's new result, whose memory is then needed earlier."""
    part = node.operands[number]
    storage = plan.storages.of(part)
    if storage is not result and plan.storages.offer_sink(part, Sink("part", node, number), node):
        plan.storages.merge(storage, result, whole=False)
        if storage.home.position < result.home.position:
            result.home = storage.home


def make_concat(plan: Plan, node: Node) -> None:
    """The operands of a concatenation may be built inside the result."""
    result = plan.storages.fresh(node.results[0], node)
    for number in range(len(node.operands)):
        build_around(plan, node, number, result)
