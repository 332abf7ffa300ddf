"""Memory for arrays: allocated outside the loops that do not change its size, shared by arrays not alive together.

A buffer belongs to the frame in which its size is known. Released, it can be taken again by an array with the same size
expressions in the same loop nest (so that the temporaries of a parallel loop are its own); its `memref.dealloc` follows
the last release. Small static buffers live on the stack.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.groups import SEGMENTS
from tapeless.passes.ir.machine import STACK_OF_FUNCTION
from tapeless.passes.lower.loops.builder import Builder, Frame, Index
from tapeless.passes.lower.loops.memory.unrun import divides_unsigned, nothing_unless_run, outermost_of_known_loops

STACK_BYTES_EACH = 4096


@dataclass(eq=False)
class Buffer:
    """A piece of memory and whether an array is using it; `holders` are those that have to give it back.

    It may have no elements unless the code of the block `within` runs, if there is one.
    """

    value: ir.Value
    key: Hashable
    level: int
    on_stack: bool
    nest: ir.Operation | None = None
    is_free: bool = False
    holders: int = 1
    within: ir.Block | None = None
    dealloc: ir.Operation | None = None


class BufferPool:
    """Hands out buffers and frees them."""

    def __init__(self, builder: Builder, share: bool) -> None:
        self.builder = builder
        self.share = share
        self.stack_bytes = 0

    def acquire(self, type_: ir.MemRefType, sizes: Sequence[Index], key: Hashable, safe_to_hoist: bool) -> Buffer:
        """A buffer; equal keys mean equal sizes, `safe_to_hoist` that the sizes are those of real arrays."""
        first = self._private_depth()
        if self.share:
            for frame in self.builder.frames[first:]:
                for buffer in frame.buffers:
                    if buffer.is_free and buffer.key == key and self._fits_here(buffer):
                        return self._take(buffer)
        return self._allocate(type_, sizes, key, safe_to_hoist, first)

    def table(self, size: int, element: ir.Type) -> Buffer:
        """A small static buffer."""
        return self.acquire(ir.MemRefType.get([size], element), [], (element, (size,)), True)

    def release(self, buffer: Buffer) -> None:
        """Lets other arrays use the buffer, once all have given it back; frees it if it belongs to this frame."""
        buffer.holders -= 1
        if buffer.holders > 0:
            return
        buffer.is_free = True
        if not buffer.on_stack and buffer.level == self.builder.depth:
            self._free(buffer)

    def leave_inner(self, inner: Frame) -> None:
        """Frees what an inner region released or kept for itself, after the operation that holds the region."""
        for buffer in inner.buffers:
            if buffer.level < self.builder.depth + 1:
                self._free(buffer)
        for buffer in self.builder.frames[-1].buffers:
            if buffer.is_free:
                self._free(buffer)

    def close(self) -> None:
        """Frees every buffer of the current frame before its terminator."""
        for buffer in self.builder.frames[-1].buffers:
            if buffer.level == self.builder.depth:
                self._free(buffer)

    def raw(self, type_: ir.MemRefType, sizes: Sequence[Index]) -> ir.Value:
        """An allocation that somebody else frees."""
        return self.builder.create("memref.alloc", [type_], self._dynamic(type_, sizes), operand_groups(type_)).results[
            0
        ]

    def free_raw(self, value: ir.Value) -> None:
        self.builder.create("memref.dealloc", [], [value])

    def _fits_here(self, buffer: Buffer) -> bool:
        """Whether a buffer belongs to the present nest, and has its elements whenever the present code runs."""
        if not _is_same(buffer.nest, self.builder.nest):
            return False
        return buffer.within is None or any(frame.block == buffer.within for frame in self.builder.frames)

    def _take(self, buffer: Buffer) -> Buffer:
        buffer.is_free, buffer.holders = False, 1
        if buffer.dealloc is not None:
            buffer.dealloc.erase()
            buffer.dealloc = None
        return buffer

    def _free(self, buffer: Buffer) -> None:
        if buffer.dealloc is None and not buffer.on_stack:
            buffer.dealloc = self.builder.create("memref.dealloc", [], [buffer.value])

    def _allocate(
        self, type_: ir.MemRefType, sizes: Sequence[Index], key: Hashable, safe_to_hoist: bool, first: int
    ) -> Buffer:
        builder = self.builder
        if self._fits_stack(type_):
            at = ir.InsertionPoint.at_block_begin(builder.frames[0].block)
            op = ir.Operation.create("memref.alloca", [type_], [], operand_groups(type_), loc=builder.location, ip=at)
            buffer = Buffer(op.results[0], key, 0, on_stack=True, nest=builder.nest)
            builder.frames[first].buffers.append(buffer)
            return buffer
        dynamic = self._dynamic(type_, sizes)
        level = max(builder.pure_level(dynamic, leaves_branches=safe_to_hoist), first - 1, builder.memory_level())
        if any(map(divides_unsigned, dynamic)):
            level = max(level, outermost_of_known_loops(builder, level))
        within = None
        if level < builder.depth and not safe_to_hoist:
            within = builder.frames[-1].block if any(map(divides_unsigned, dynamic)) else None
            dynamic = [self._hoisted(size, level) for size in dynamic]
        op = builder.create("memref.alloc", [type_], dynamic, operand_groups(type_), level=level)
        buffer = Buffer(op.results[0], key, level, on_stack=False, nest=builder.nest, within=within)
        builder.frames[max(level, first)].buffers.append(buffer)
        return buffer

    def _hoisted(self, size: ir.Value, level: int) -> ir.Value:
        """A size outside of the code that needs it: where that does not run, nothing, whatever is computed there."""
        size = self.builder.as_value(self.builder.arith("arith.maxsi", size, 0))
        return nothing_unless_run(self.builder, size, level) if divides_unsigned(size) else size

    def _private_depth(self) -> int:
        """The depth of the loop over threads that is being filled, whose buffers are its own; else 0."""
        frames = self.builder.frames
        return next((depth for depth, frame in enumerate(frames) if frame.is_private), 0)

    def _fits_stack(self, type_: ir.MemRefType) -> bool:
        if not type_.has_static_shape:
            return False
        width = getattr(type_.element_type, "width", 64)
        size = (width + 7) // 8
        for extent in type_.shape:
            size *= extent
        if size > STACK_BYTES_EACH or self.stack_bytes + size > STACK_OF_FUNCTION:
            return False
        self.stack_bytes += size
        return True

    def _dynamic(self, type_: ir.MemRefType, sizes: Sequence[Index]) -> list[ir.Value]:
        return [self.builder.as_value(size) for axis, size in enumerate(sizes) if type_.is_dynamic_dim(axis)]


def _is_same(left: ir.Operation | None, right: ir.Operation | None) -> bool:
    return left is right if left is None or right is None else left == right


def operand_groups(type_: ir.MemRefType) -> dict[str, ir.Attribute]:
    """The operand groups of an allocation: its dynamic sizes and no symbols."""
    dynamic = sum(type_.is_dynamic_dim(axis) for axis in range(type_.rank))
    return {SEGMENTS: ir.DenseI32ArrayAttr.get([dynamic, 0])}
