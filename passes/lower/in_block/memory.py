"""Memory of what a loop makes anew in every iteration: made once, before it, as large as it gets."""

from __future__ import annotations

from dataclasses import dataclass

from tapeless._mlir import ir
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.lower.in_block.bounds import Amount, Bounds
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.storage.buffers import operand_groups


@dataclass(frozen=True)
class Room:
    """Memory for an array of a loop; `sizes` are bounds of the sizes that its type does not tell."""

    op: ir.Operation
    sizes: list[Amount]
    is_exact: bool

    @staticmethod
    def of(bounds: Bounds, op: ir.Operation) -> Room | None:
        """Room for an allocation, if it is known before the loop how large it gets."""
        sizes = [bounds.most(size) for size in op.operands]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            return None
        return Room(op, known, all(bounds.is_before(size) for size in op.operands))

    def allocate(self, bounds: Bounds) -> ir.Value:
        """Makes the memory: an array, or as many bytes as the array may have."""
        type_ = ir.MemRefType(self.op.results[0].type)
        if self.is_exact:
            return allocated(type_, [bounds.value(size) for size in self.sizes])
        total: Amount = element_bytes(type_)
        for extent in [size for axis, size in enumerate(type_.shape) if not type_.is_dynamic_dim(axis)]:
            total *= extent
        for size in self.sizes:
            total = bounds.bytes(total, size)
        return allocated(ir.MemRefType.get([DYNAMIC], ir.IntegerType.get_signless(8)), [bounds.value(total)])

    def view(self, memory: ir.Value, sizes: list[ir.Value], zero: ir.Value) -> ir.Value:
        """The array of an iteration in the memory."""
        if self.is_exact:
            return memory
        return ir.Operation.create("memref.view", [self.op.results[0].type], [memory, zero, *sizes]).results[0]


def free(memory: ir.Value) -> None:
    """Gives memory back."""
    ir.Operation.create("memref.dealloc", [], [memory])


def allocated(type_: ir.MemRefType, sizes: list[ir.Value]) -> ir.Value:
    """An array of these sizes."""
    return ir.Operation.create("memref.alloc", [type_], sizes, operand_groups(type_)).results[0]
