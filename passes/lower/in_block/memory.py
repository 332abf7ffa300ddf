"""Memory of arrays that a loop makes anew in every iteration: allocated once, before it, at their largest size."""

from __future__ import annotations

from collections.abc import Callable

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.build import index
from tapeless.passes.lower.in_block.amounts import Amount
from tapeless.passes.lower.in_block.bounds import Bounds
from tapeless.passes.lower.llvm.descriptor import element_bytes
from tapeless.passes.lower.loops.memory.buffers import operand_groups

# Arrays of blocks begin at multiples of so many bytes.
ALIGNMENT = 16


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

    def bytes(self, bounds: Bounds) -> Amount:
        """How many bytes the array may have."""
        type_ = ir.MemRefType(self.op.results[0].type)
        total: Amount = element_bytes(type_)
        for extent in [size for axis, size in enumerate(type_.shape) if not type_.is_dynamic_dim(axis)]:
            total *= extent
        for size in self.sizes:
            total = bounds.bytes(total, size)
        return total

    def allocate(self, bounds: Bounds) -> ir.Value:
        """Makes the memory: an array, or as many bytes as the array may have."""
        if self.is_exact:
            type_ = ir.MemRefType(self.op.results[0].type)
            return allocated(type_, [bounds.value(size) for size in self.sizes])
        return allocated(_bytes(), [bounds.value(self.bytes(bounds))])

    def view(self, memory: ir.Value, sizes: list[ir.Value]) -> ir.Value:
        """The array of an iteration in the memory."""
        return memory if self.is_exact else self.view_at(memory, index(0), sizes)

    def view_at(self, memory: ir.Value, start: ir.Value, sizes: list[ir.Value]) -> ir.Value:
        """The array of an iteration in bytes, from one of them on."""
        return ir.Operation.create("memref.view", [self.op.results[0].type], [memory, start, *sizes]).results[0]


@dataclass(frozen=True)
class BlockRooms:
    """Memory for an array of which each block has one, so many bytes from that of the next one."""

    room: Room
    memory: ir.Value
    distance: ir.Value

    def of_block(self, number: ir.Value) -> Callable[[list[ir.Value]], ir.Value]:
        """Gives the array of a block, for the sizes of its axes that its type does not tell."""
        return lambda sizes: self.room.view_at(self.memory, arith.muli(number, self.distance), sizes)


def memory_of_blocks(room: Room, bounds: Bounds, count: ir.Value) -> BlockRooms:
    """Makes memory for an array of each of so many blocks."""
    rounded = bounds.product(bounds.rounds(room.bytes(bounds), ALIGNMENT), ALIGNMENT)
    distance = bounds.value(rounded)
    return BlockRooms(room, allocated(_bytes(), [arith.muli(distance, count)]), distance)


def free(memory: ir.Value) -> None:
    """Gives memory back."""
    ir.Operation.create("memref.dealloc", [], [memory])


def allocated(type_: ir.MemRefType, sizes: list[ir.Value]) -> ir.Value:
    """An array of these sizes."""
    return ir.Operation.create("memref.alloc", [type_], sizes, operand_groups(type_)).results[0]


def made(name: str, type_: ir.MemRefType) -> ir.Value:
    """Memory whose size its type tells."""
    return ir.Operation.create(name, [type_], [], operand_groups(type_)).results[0]


def _bytes() -> ir.MemRefType:
    return ir.MemRefType.get([DYNAMIC], ir.IntegerType.get_signless(8))
