"""Array operations without a body: reading, writing, making and rearranging."""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.soac.sizes import constant_int
from tapeless.passes.soac.slices import kept_axes, slice_offsets, slice_sizes, slice_strides

from .builder import Index
from .copying import copy, fill
from .emitter import Emitter, is_scalar_op, memref_type
from .extents import size_here, sizes_here
from .places import destination, place_of, temporary, updated
from .runtime_calls import as_i64, call_runtime, pointer
from .tree import Node
from .views import View, load, reversed_axis, sliced, store, transposed, whole_view

DYNAMIC = ir.ShapedType.get_dynamic_size()


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
        size = size_here(emitter, emitter.plan.size(node.operands[0], axis))
        emitter.env[node.results[0]] = emitter.builder.as_value(size)


def emit_extract(emitter: Emitter, node: Node) -> None:
    indices = [emitter.scalar(index) for index in node.operands[1:]]
    emitter.env[node.results[0]] = load(emitter.builder, emitter.view(node.operands[0]), indices)


def slice_bounds(emitter: Emitter, node: Node) -> tuple[list[Index], list[Index], list[Index]]:
    """Offsets, sizes and strides of a slice operation."""

    def lowered(values: list[ir.Value | int]) -> list[Index]:
        return [value if isinstance(value, int) else emitter.index(value) for value in values]

    op = node.op
    return lowered(slice_offsets(op)), lowered(slice_sizes(op)), lowered(slice_strides(op))


def slice_view(emitter: Emitter, node: Node, view: View) -> View:
    """The part of `view` that a slice operation names."""
    return sliced(emitter.builder, view, *slice_bounds(emitter, node), kept_axes(node.op))


def emit_extract_slice(emitter: Emitter, node: Node) -> None:
    emitter.env[node.results[0]] = slice_view(emitter, node, emitter.view(node.operands[0]))


def emit_transpose(emitter: Emitter, node: Node) -> None:
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
        copy(builder, source, packed)
        source = packed
    sizes = sizes_here(emitter, result)
    type_ = memref_type(result)
    strides = row_major(emitter, sizes)
    statics = [size if not type_.is_dynamic_dim(axis) else DYNAMIC for axis, size in enumerate(type_.shape)]
    type_strides, _ = type_.get_strides_and_offset()
    operands = [builder.as_value(size) for axis, size in enumerate(sizes) if type_.is_dynamic_dim(axis)]
    dynamic_strides = [builder.as_value(s) for s, known in zip(strides, type_strides, strict=True) if known == DYNAMIC]
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, len(operands), len(dynamic_strides)]),
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


def emit_insert_slice(emitter: Emitter, node: Node) -> None:
    """Writes a slice; a source that shares the target's memory is set aside first."""
    part, target = node.operands[:2]
    source, before = emitter.view(part), emitter.view(target)
    view = destination(emitter, node.results[0])
    if view is not before:
        copy_around(emitter, node, before, view)
    if (node, 0) in emitter.built_parts:
        return
    storages = emitter.plan.storages
    if before is view and storages.of(part) is storages.of(target):
        aside = temporary(emitter, part)
        copy(emitter.builder, source, aside)
        source = aside
    copy(emitter.builder, source, slice_view(emitter, node, view))


def copy_around(emitter: Emitter, node: Node, source: View, target: View) -> None:
    """Copies what a slice operation leaves alone: box by box around the slice, or everything when it has strides."""
    builder = emitter.builder
    offsets, sizes, strides = slice_bounds(emitter, node)
    if any(stride != 1 for stride in strides):
        copy(builder, source, target)
        return
    axes, ones = list(range(source.rank)), [1] * source.rank
    low, extent = [0] * source.rank, list(source.sizes)
    for axis in axes:
        end = builder.add(offsets[axis], sizes[axis])
        for first, size in ((0, offsets[axis]), (end, builder.sub(extent[axis], end))):
            if (isinstance(size, int) and size == 0) or sizes[axis] == extent[axis]:
                continue
            starts = [*low[:axis], first, *low[axis + 1 :]]
            counts = [*extent[:axis], size, *extent[axis + 1 :]]
            boxes = [sliced(builder, view, starts, counts, ones, axes) for view in (source, target)]
            copy(builder, *boxes)
        low[axis], extent[axis] = offsets[axis], sizes[axis]


def part_of_slice(emitter: Emitter, node: Node, number: int) -> View:
    """Where the source of `tensor.insert_slice` ends in its target."""
    result = node.results[0]
    whole = place_of(emitter, emitter.plan.storages.memory(result), result)
    view = slice_view(emitter, node, whole)
    emitter.built_parts.add((node, number))
    return view


def emit_splat(emitter: Emitter, node: Node) -> None:
    value = emitter.scalar(node.operands[0])
    fill(emitter.builder, value, destination(emitter, node.results[0]))


def emit_empty(emitter: Emitter, node: Node) -> None:
    destination(emitter, node.results[0])


def emit_from_elements(emitter: Emitter, node: Node) -> None:
    """Stores the elements in order; shape operands of `tensor.reshape` are not needed in memory."""
    uses = emitter.plan.tree.uses[node.results[0]]
    if uses and all(use.name == "tensor.reshape" and use.operands[1] == node.results[0] for use in uses):
        return
    view = destination(emitter, node.results[0])
    for number, element in enumerate(node.operands):
        indices = []
        for size in reversed(view.sizes):
            number, index = divmod(number, size)
            indices.append(index)
        store(emitter.builder, emitter.scalar(element), view, indices[::-1])


def emit_concat(emitter: Emitter, node: Node) -> None:
    destination(emitter, node.results[0])
    for number, part in enumerate(node.operands):
        if (node, number) not in emitter.built_parts:
            copy(emitter.builder, emitter.view(part), concat_slice(emitter, node, number))


def concat_slice(emitter: Emitter, node: Node, number: int) -> View:
    """Where operand `number` lies in the result of a concatenation."""
    builder, result = emitter.builder, node.results[0]
    whole = place_of(emitter, emitter.plan.storages.memory(result), result)
    axis = ir.IntegerAttr(node.op.attributes["dim"]).value
    offset: Index = 0
    for part in node.operands[:number]:
        offset = builder.add(offset, size_here(emitter, emitter.plan.size(part, axis)))
    offsets: list[Index] = [0] * whole.rank
    offsets[axis] = offset
    return sliced(
        builder, whole, offsets, sizes_here(emitter, node.operands[number]), [1] * whole.rank, list(range(whole.rank))
    )


def part_of_concat(emitter: Emitter, node: Node, number: int) -> View:
    view = concat_slice(emitter, node, number)
    emitter.built_parts.add((node, number))
    return view


def emit_argsort(emitter: Emitter, node: Node) -> None:
    """The runtime sorts; it reads and writes whole contiguous arrays."""
    builder = emitter.builder
    source, result = emitter.view(node.operands[0]), destination(emitter, node.results[0])
    suffix = str(ir.MemRefType(source.base.type).element_type)
    if not source.covers_base:
        packed = temporary(emitter, node.operands[0])
        copy(builder, source, packed)
        source = packed
    target = result if result.covers_base else temporary(emitter, node.results[0])
    size = as_i64(builder, builder.as_value(source.sizes[0]))
    arguments = [pointer(builder, source.base), size, pointer(builder, target.base)]
    call_runtime(emitter, f"tl_argsort_{suffix}", arguments)
    copy(builder, target, result)


def emit_array_select(emitter: Emitter, node: Node) -> None:
    """A choice between arrays copies the chosen one."""
    if is_scalar_op(node):
        emitter.emit_scalar(node)
        return
    builder = emitter.builder
    target = destination(emitter, node.results[0])
    branch = builder.create("scf.if", [], [emitter.scalar(node.operands[0])], regions=2)
    for region, value in enumerate(node.operands[1:]):
        builder.push(branch, region, [], is_branch=True)
        copy(builder, emitter.view(value), target)
        builder.yield_values()
        builder.pop()


RULES = {
    "arith.constant": emit_constant,
    "arith.select": emit_array_select,
    "tensor.dim": emit_dim,
    "tensor.extract": emit_extract,
    "tensor.extract_slice": emit_extract_slice,
    "tensor.insert": emit_insert,
    "tensor.insert_slice": emit_insert_slice,
    "tensor.splat": emit_splat,
    "tensor.empty": emit_empty,
    "tensor.from_elements": emit_from_elements,
    "tensor.concat": emit_concat,
    "tensor.reshape": emit_reshape,
    "tensor.cast": emit_cast,
    "soac.transpose": emit_transpose,
    "soac.reverse": emit_reverse,
    "soac.argsort": emit_argsort,
}

PART_RULES = {"tensor.insert_slice": part_of_slice, "tensor.concat": part_of_concat}
