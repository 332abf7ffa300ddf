"""Memory that iterations of a launch allocate: planned by the host as a share for each thread, or from the heap.

The host can plan an allocation whose size it knows and of which a thread has one at a time: one that is given back
where it was made. What branches and loops hand on comes from the heap, to which they give it back. The host plans none
for the second way of a branch that hardly any thread takes: all threads would have a share, and there would be few.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tapeless._mlir import arith, ir, llvm
from tapeless.passes.ir.guards import is_solved
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import all_sizes, bytes_of, dynamic_axes
from tapeless.passes.lower.llvm.descriptor import memref_from_pointer, pointer_type, sizes_of

MOST_BYTES = 1 << 30
ALIGNMENT = 8


@dataclass
class Share:
    """An allocation of which each thread has a share: so many bytes, at an address that is known after allocation."""

    op: ir.Operation
    sizes: tuple[Expr, ...]
    bytes: Expr
    address: str = ""


@dataclass
class ThreadMemory:
    """The planned allocations of a launch, which stand at the start of its loop."""

    host: Host
    shares: list[Share] = field(default_factory=list)

    @staticmethod
    def of(host: Host, loop: ir.Operation) -> ThreadMemory:
        """Finds the allocations of a loop and asks the host for their sizes."""
        memory = ThreadMemory(host)
        inside = _values_inside(loop)
        for view in ops_named(loop.opview, "memref.alloc"):
            op = view.operation
            is_known = not any(size in inside for size in op.operands)
            if not is_known or not _is_one_at_a_time(op) or _is_in_second_way(op, loop):
                continue
            type_ = ir.MemRefType(op.results[0].type)
            sizes = all_sizes(type_, [host.known(size) for size in op.operands])
            total = bytes_of(type_, sizes)
            rounded = ["muli", "i64", ["ceildivsi", "i64", total, ALIGNMENT], ALIGNMENT]
            memory.shares.append(Share(op, sizes, host.plan.let(rounded)))
            for freeing in [use.owner.operation for use in op.results[0].uses if _frees(use.owner)]:
                freeing.erase()
            op.move_before(loop.regions[0].blocks[0].operations[0])
        return memory

    @property
    def bytes(self) -> Expr:
        """How much memory a thread has."""
        total: Expr = 0
        for share in self.shares:
            total = share.bytes if total == 0 else ["addi", "i64", total, share.bytes]
        return total

    def most_threads(self) -> Expr:
        """How many threads have their memory within the limit."""
        return ["maxsi", "i64", ["divsi", "i64", MOST_BYTES, ["maxsi", "i64", self.bytes, 1]], 1]

    def allocate(self, threads: Expr) -> None:
        for share in self.shares:
            share.address = self.host.plan.name()
            self.host.plan.add("allocate", name=share.address, bytes=["muli", "i64", share.bytes, threads])

    def free(self) -> None:
        for share in self.shares:
            self.host.plan.add("free", name=share.address)

    def place(self, kernel: Kernel, thread: ir.Value) -> None:
        """Puts the share of a thread in the place of each allocation."""
        i64, i8 = ir.IntegerType.get_signless(64), ir.IntegerType.get_signless(8)
        for share in self.shares:
            type_ = ir.MemRefType(share.op.results[0].type)
            offset = arith.muli(arith.index_cast(i64, thread), kernel.known(share.bytes, i64))
            base = kernel.address(share.address)
            dynamic = [-(2**31)]
            pointer = llvm.getelementptr(pointer_type(), base, [offset], dynamic, i8, None)
            sizes = [kernel.known(share.sizes[axis], ir.IndexType.get()) for axis in dynamic_axes(type_)]
            kernel.inner[share.op.results[0]] = memref_from_pointer(pointer, type_, sizes_of(type_, sizes))


def _values_inside(loop: ir.Operation) -> set[ir.Value]:
    inside: set[ir.Value] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op != loop:
            inside.update(op.results)
        for region in op.regions:
            for block in region.blocks:
                inside.update(block.arguments)
        return ir.WalkResult.ADVANCE

    loop.walk(visit)
    return inside


def _is_one_at_a_time(op: ir.Operation) -> bool:
    """Whether an allocation is given back, under its own name, in the block in which it is made.

    Any other is handed on: a loop that carries arrays of changing size owns what it is given, and gives it back to the
    heap under the name of what it carries.
    """
    return any(_frees(use.owner) and use.owner.operation.block == op.block for use in op.results[0].uses)


def _is_in_second_way(op: ir.Operation, loop: ir.Operation) -> bool:
    """Whether an operation of a launch stands where derivatives of loops as a whole were not finite."""
    block = op.block
    while (parent := block.owner.operation) != loop:
        if parent.name == "scf.if" and is_solved(parent) and parent.regions[0].blocks[0] != block:
            return True
        block = parent.block
    return False


def _frees(op: ir.OpView) -> bool:
    return op.operation.name == "memref.dealloc"
