"""Memory that the threads of a block share and whose size only a call tells: one piece of dynamic shared memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import arith, ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import WORKGROUP, Kernel
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import all_sizes, bytes_of, dynamic_axes

ALIGNMENT = 16
BYTES = "memref<?xi8, #gpu.address_space<workgroup>>"


@dataclass(frozen=True)
class Piece:
    """An allocation, its sizes, and where it starts."""

    op: ir.Operation
    sizes: tuple[Expr, ...]
    offset: Expr


@dataclass
class BlockMemory:
    """The allocations of a launch of blocks that the host makes one piece of, and how many bytes they take."""

    pieces: list[Piece] = field(default_factory=list)
    bytes: Expr = 0

    @staticmethod
    def of(host: Host, operations: Sequence[ir.Operation]) -> BlockMemory:
        """Finds those of an iteration and asks the host for their sizes."""
        memory = BlockMemory()
        for op in operations:
            if op.name != "memref.alloca" or WORKGROUP not in str(op.results[0].type) or not len(op.operands):
                continue
            type_ = ir.MemRefType(op.results[0].type)
            sizes = all_sizes(type_, [host.known(size) for size in op.operands])
            memory.pieces.append(Piece(op, sizes, memory.bytes))
            rounded = ["muli", "i64", ["ceildivsi", "i64", bytes_of(type_, sizes), ALIGNMENT], ALIGNMENT]
            memory.bytes = host.plan.let(["addi", "i64", memory.bytes, rounded])
        return memory

    def has(self, op: ir.Operation) -> bool:
        """Whether an operation is one of the allocations."""
        return any(piece.op == op for piece in self.pieces)

    def place(self, kernel: Kernel) -> None:
        """Puts a part of the shared memory in the place of each allocation."""
        if not self.pieces:
            return
        index = ir.IndexType.get()
        whole = ir.Operation.create("gpu.dynamic_shared_memory", [ir.Type.parse(BYTES)], []).results[0]
        for piece in self.pieces:
            type_ = ir.MemRefType(piece.op.results[0].type)
            offset = arith.constant(index, 0) if piece.offset == 0 else _aligned(kernel.known(piece.offset, index))
            sizes = [kernel.known(piece.sizes[axis], index) for axis in dynamic_axes(type_)]
            view = ir.Operation.create("memref.view", [type_], [whole, offset, *sizes])
            kernel.inner[piece.op.results[0]] = view.results[0]


def _aligned(offset: ir.Value) -> ir.Value:
    """An offset as it is: by this, LLVM knows that it is aligned, and joins accesses to neighbours."""
    return arith.andi(offset, arith.constant(offset.type, -ALIGNMENT))
