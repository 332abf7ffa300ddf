"""Array operations without a body: reading, writing, making and rearranging."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.sizes.sizes import constant_int
from tapeless.passes.lower.loops.arrays.extents import size_here, sizes_here
from tapeless.passes.lower.loops.arrays.oddities import check_sizes
from tapeless.passes.lower.loops.builder import Index
from tapeless.passes.lower.loops.calls.runtime_calls import as_i64, call_runtime, pointer
from tapeless.passes.lower.loops.copying import copy, fill
from tapeless.passes.lower.loops.emitter import Emitter, memref_type
from tapeless.passes.lower.loops.memory.destinations import destination, temporary, updated
from tapeless.passes.lower.loops.views import View, load, reversed_axis, store, transposed, whole_view
from tapeless.passes.lower.schedule.kinds import is_scalar_op
from tapeless.passes.lower.storage.tree import Node
from tapeless.passes.marks import START


def emit_constant(emitter: Emitter, node: Node) -> None:
    """A constant array becomes a global that is only read."""
    if is_scalar_op(node):
        emitter.emit_scalar(node)
        return
    result = node.results[0]
    type_ = memref_type(result)
    name = emitter.add_global(type_, node.op.attributes["value"])
    op = emitter.builder.create("memref.get_global", [type_], [], {"name": ir.FlatSymbolRefAttr.get(name)}, level=0)
    emitter.env[result] = whole_view(op.results[0], list(type_.shape))


def emit_dim(emitter: Emitter, node: Node) -> None:
    if node.results[0] not in emitter.env:
        axis = constant_int(node.operands[1])
        if axis is None or not 0 <= axis < node.operands[0].type.rank:
            raise OpRefused(node.op, "asks for the size of an axis that is not known; give the axis as a constant")
        size = size_here(emitter, emitter.plan.size(node.operands[0], axis))
        emitter.env[node.results[0]] = emitter.builder.as_value(size)


def emit_extract(emitter: Emitter, node: Node) -> None:
    indices = [emitter.scalar(index) for index in node.operands[1:]]
    emitter.env[node.results[0]] = load(emitter.builder, emitter.view(node.operands[0]), indices)


def emit_transpose(emitter: Emitter, node: Node) -> None:
    """A view; or the place itself, in which the array was built in the order of its transposition."""
    storage = emitter.plan.storages.memory(node.operands[0])
    place = emitter.sinks.get(storage.sink) if storage.turned is node and storage.sink else None
    if isinstance(place, View):
        emitter.env[node.results[0]] = place
        return
    permutation = [ir.IntegerAttr(axis).value for axis in node.op.permutation]
    emitter.env[node.results[0]] = transposed(emitter.view(node.operands[0]), permutation)


def emit_reverse(emitter: Emitter, node: Node) -> None:
    axis = ir.IntegerAttr(node.op.axis).value
    emitter.env[node.results[0]] = reversed_axis(emitter.builder, emitter.view(node.operands[0]), axis)


def emit_cast(emitter: Emitter, node: Node) -> None:
    emitter.env[node.results[0]] = emitter.view(node.operands[0])


def emit_reshape(emitter: Emitter, node: Node) -> None:
    """The same elements under other sizes; what is not contiguous is copied first."""
    builder, result = emitter.builder, node.results[0]
    source = emitter.view(node.operands[0])
    if not source.covers_base:
        packed = temporary(emitter, node.operands[0])
        copy(emitter, source, packed)
        source = packed
    sizes = sizes_here(emitter, result)
    check_sizes(node, sizes)
    type_ = memref_type(result)
    strides = row_major(emitter, sizes)
    statics = [size if not type_.is_dynamic_dim(axis) else DYNAMIC for axis, size in enumerate(type_.shape)]
    type_strides, _ = type_.get_strides_and_offset()
    operands = [builder.as_value(size) for axis, size in enumerate(sizes) if type_.is_dynamic_dim(axis)]
    dynamic_strides = [builder.as_value(s) for s, known in zip(strides, type_strides, strict=True) if known == DYNAMIC]
    attributes = {
        SEGMENTS: ir.DenseI32ArrayAttr.get([1, 0, len(operands), len(dynamic_strides)]),
        "static_offsets": ir.DenseI64ArrayAttr.get([0]),
        "static_sizes": ir.DenseI64ArrayAttr.get(statics),
        "static_strides": ir.DenseI64ArrayAttr.get(type_strides),
    }
    operands = [source.base, *operands, *dynamic_strides]
    base = builder.create("memref.reinterpret_cast", [type_], operands, attributes).results[0]
    emitter.env[result] = whole_view(base, sizes)


def row_major(emitter: Emitter, sizes: list[Index]) -> list[Index]:
    """The strides of a contiguous array."""
    strides: list[Index] = [1]
    for size in reversed(sizes[1:]):
        strides.append(emitter.builder.mul(strides[-1], size))
    return strides[::-1][-len(sizes) :]


def emit_insert(emitter: Emitter, node: Node) -> None:
    value, target, *indices = node.operands
    view = updated(emitter, target, node.results[0])
    store(emitter.builder, emitter.scalar(value), view, [emitter.scalar(index) for index in indices])


def emit_splat(emitter: Emitter, node: Node) -> None:
    """Fills an array, or notes what a sum starts from."""
    value, view = emitter.scalar(node.operands[0]), destination(emitter, node.results[0])
    if START in node.op.attributes:
        emitter.starts[view] = value
    else:
        fill(emitter.builder, value, view)


def emit_empty(emitter: Emitter, node: Node) -> None:
    destination(emitter, node.results[0])


def emit_from_elements(emitter: Emitter, node: Node) -> None:
    """Stores the elements in order; shape operands of `tensor.reshape` are not needed in memory.

    Where the elements lie in memory of an array whose sizes are known only when running, their own type has the sizes.
    """
    uses = emitter.plan.tree.uses[node.results[0]]
    if uses and all(use.name == "tensor.reshape" and use.operands[1] == node.results[0] for use in uses):
        return
    view = destination(emitter, node.results[0])
    for number, element in enumerate(node.operands):
        indices = []
        for size in reversed(node.results[0].type.shape):
            number, index = divmod(number, size)
            indices.append(index)
        store(emitter.builder, emitter.scalar(element), view, indices[::-1])


def call_argsort(emitter: Emitter, node: Node) -> None:
    """The runtime sorts; it reads and writes whole contiguous arrays."""
    builder = emitter.builder
    source, result = emitter.view(node.operands[0]), destination(emitter, node.results[0])
    suffix = str(ir.MemRefType(source.base.type).element_type)
    if not source.covers_base:
        packed = temporary(emitter, node.operands[0])
        copy(emitter, source, packed)
        source = packed
    target = result if result.covers_base else temporary(emitter, node.results[0])
    size = as_i64(builder, builder.as_value(source.sizes[0]))
    arguments = [pointer(builder, source.base), size, pointer(builder, target.base)]
    call_runtime(emitter, f"tl_argsort_{suffix}", arguments)
    copy(emitter, target, result)
