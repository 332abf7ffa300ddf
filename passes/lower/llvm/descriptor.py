"""Memref descriptors built from a bare pointer and sizes, so that LLVM sees pointers with facts instead of structs."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, ir, llvm
from tapeless.dialects.array_types import DYNAMIC


def pointer_type() -> ir.Type:
    """`!llvm.ptr`."""
    return ir.Type.parse("!llvm.ptr")


def descriptor_type(memref_type: ir.MemRefType) -> ir.Type:
    """The struct that the memref lowering uses for this type."""
    rank = memref_type.rank
    arrays = f", array<{rank} x i64>, array<{rank} x i64>" if rank else ""
    return ir.Type.parse(f"!llvm.struct<(ptr, ptr, i64{arrays})>")


def element_bytes(memref_type: ir.MemRefType) -> int:
    """Size in memory of one element; `i1` takes a byte, as in numpy."""
    element = memref_type.element_type
    if isinstance(element, ir.IndexType):
        return 8
    if isinstance(element, ir.VectorType):
        vector = ir.VectorType(element)
        lanes = 1
        for size in vector.shape:
            lanes *= size
        return lanes * ((vector.element_type.width + 7) // 8)
    return (element.width + 7) // 8


def word(value: int) -> ir.Value:
    """A constant `i64`."""
    return arith.constant(ir.IntegerType.get_signless(64), value)


def as_word(value: ir.Value) -> ir.Value:
    """An `index` as `i64`."""
    return arith.index_cast(ir.IntegerType.get_signless(64), value)


def sizes_of(memref_type: ir.MemRefType, dynamic_sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """Every dimension as `i64`; `dynamic_sizes` are the `index` values of the `?` dimensions in order."""
    remaining = iter(dynamic_sizes)
    return [as_word(next(remaining)) if size == DYNAMIC else word(size) for size in memref_type.shape]


def row_major_strides(sizes: Sequence[ir.Value]) -> list[ir.Value]:
    """Strides, in elements, of a contiguous array of these sizes."""
    stride = word(1)
    strides = [stride]
    for size in reversed(sizes[1:]):
        stride = arith.muli(stride, size)
        strides.append(stride)
    return strides[::-1]


def memref_from_pointer(pointer: ir.Value, memref_type: ir.MemRefType, sizes: Sequence[ir.Value]) -> ir.Value:
    """A contiguous memref over `pointer`: the descriptor is filled field by field and cast to the memref type."""
    descriptor = llvm.mlir_undef(descriptor_type(memref_type))
    fields: list[tuple[list[int], ir.Value]] = [([0], pointer), ([1], pointer), ([2], word(0))]
    if memref_type.rank:
        fields += [([3, axis], size) for axis, size in enumerate(sizes)]
        fields += [([4, axis], stride) for axis, stride in enumerate(row_major_strides(sizes))]
    for position, value in fields:
        descriptor = llvm.insertvalue(descriptor, value, position)
    return cast(descriptor, memref_type)


def allocated_pointer(buffer: ir.Value) -> ir.Value:
    """The pointer that the allocation of `buffer` returned."""
    descriptor = cast(buffer, descriptor_type(ir.MemRefType(buffer.type)))
    return llvm.extractvalue(pointer_type(), descriptor, [0])


def cast(value: ir.Value, target: ir.Type) -> ir.Value:
    """Joins the memref and the llvm view of a value until the conversion has run."""
    return ir.Operation.create("builtin.unrealized_conversion_cast", [target], [value]).result
