"""Arrays of which blocks have copies, in a table with gaps between the copies, so that threads share no cache line."""

from __future__ import annotations

from tapeless._mlir import arith, ir, llvm, memref
from tapeless.dialects.array_types import DYNAMIC
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.lower.blocks.cuts import product
from tapeless.passes.lower.llvm.descriptor import as_word, element_bytes, memref_from_pointer, pointer_type, sizes_of
from tapeless.passes.lower.loops.builder import Builder, Index
from tapeless.passes.lower.loops.emitter import Emitter
from tapeless.passes.lower.loops.views import View, whole_view

GAP = 16


def element_type(view: View) -> ir.Type:
    """The element type of an array."""
    return ir.MemRefType(view.base.type).element_type


def new_array(emitter: Emitter, sizes: list[Index], element: ir.Type) -> View:
    """Memory that whoever asks for it gives back."""
    type_ = ir.MemRefType.get([size if isinstance(size, int) else DYNAMIC for size in sizes], element)
    return whole_view(emitter.pool.raw(type_, sizes), sizes)


def table_of_copies(emitter: Emitter, blocks: Index, view: View) -> View:
    """One copy of an array per block, in the shape of the array."""
    padded = [emitter.builder.add(size, 0 if axis else GAP) for axis, size in enumerate(view.sizes)]
    copies = new_array(emitter, [blocks, *padded], element_type(view))
    return View(copies.base, copies.axes, (blocks, *view.sizes))


def table_of_flat_copies(emitter: Emitter, blocks: Index, view: View) -> View:
    """One copy of an array for every block but the first, as a row of its elements."""
    count = product(emitter.builder, view.sizes)
    rows = emitter.builder.sub(blocks, 1)
    copies = new_array(emitter, [rows, emitter.builder.add(count, GAP)], element_type(view))
    return View(copies.base, copies.axes, (rows, count))


def memory_of_block(builder: Builder, copies: View, block: ir.Value, whole: View) -> ir.Value:
    """Where a block sums up, as a buffer of the type of the whole array: the first in the array itself."""
    type_ = ir.MemRefType(whole.base.type)
    count = builder.add(product(builder, whole.sizes), GAP)
    offset = builder.mul(builder.sub(block, 1), builder.mul(count, element_bytes(type_)))
    sizes = [builder.as_value(size) for axis, size in enumerate(whole.sizes) if type_.is_dynamic_dim(axis)]
    zero = builder.as_value(0)
    with ir.InsertionPoint(builder.frames[-1].block), builder.location:
        own = arith.addi(memref.extract_aligned_pointer_as_index(copies.base), builder.as_value(offset))
        is_first = arith.cmpi(arith.CmpIPredicate.eq, block, zero)
        address = arith.select(is_first, memref.extract_aligned_pointer_as_index(whole.base), own)
        pointer = llvm.inttoptr(pointer_type(), as_word(address))
        return memref_from_pointer(pointer, type_, sizes_of(type_, sizes))


def flattened(builder: Builder, view: View) -> View:
    """A whole array as a row of its elements."""
    count = builder.as_value(product(builder, view.sizes))
    attributes = {
        SEGMENTS: ir.DenseI32ArrayAttr.get([1, 0, 1, 0]),
        "static_offsets": ir.DenseI64ArrayAttr.get([0]),
        "static_sizes": ir.DenseI64ArrayAttr.get([DYNAMIC]),
        "static_strides": ir.DenseI64ArrayAttr.get([1]),
    }
    type_ = ir.MemRefType.get([DYNAMIC], element_type(view))
    base = builder.create("memref.reinterpret_cast", [type_], [view.base, count], attributes).results[0]
    return whole_view(base, [count])
