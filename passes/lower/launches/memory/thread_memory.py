"""Memory that iterations of a launch allocate: planned by the host as a share for each thread, or from the heap.

The host can plan an allocation whose size it knows and of which a thread has one at a time: one that is given back
where it was made. What branches and loops hand on comes from the heap, to which they give it back. The host plans none
for the second way of a branch that hardly any thread takes: all threads would have a share, and there would be few.
The same elements of all threads are neighbours, where arrays are read and written element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tapeless._mlir import arith, ir, llvm, memref
from tapeless.dataclasses_on_use import dataclass
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.machine import SCRATCH_OF_THREADS
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.host.host import Host
from tapeless.passes.lower.launches.kernels.kernel import Kernel
from tapeless.passes.lower.launches.plan.plan import Expr
from tapeless.passes.lower.launches.plan.values import all_sizes, bytes_of, dynamic_axes
from tapeless.passes.lower.llvm.descriptor import memref_from_pointer, pointer_type, sizes_of
from tapeless.passes.marks import HEAP

LOAD, STORE = "memref.load", "memref.store"
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
        """Finds the allocations of a loop and asks the host for their sizes.

        Those of a launch of blocks are of its threads, too: each of them does what is outside of the loops they share.
        """
        memory = ThreadMemory(host)
        allocations = [view.operation for view in ops_named(loop.opview, "memref.alloc")]
        inside = _values_inside(loop) if allocations else set()
        for op in allocations:
            is_known = not any(size in inside for size in op.operands)
            if not is_known or not _is_one_at_a_time(op) or HEAP in op.attributes:
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
        return ["maxsi", "i64", ["divsi", "i64", SCRATCH_OF_THREADS, ["maxsi", "i64", self.bytes, 1]], 1]

    def allocate(self, threads: Expr) -> None:
        for share in self.shares:
            share.address = self.host.plan.name()
            self.host.plan.add("allocate", name=share.address, bytes=["muli", "i64", share.bytes, threads])

    def free(self) -> None:
        for share in self.shares:
            self.host.plan.add("free", name=share.address)

    def has(self, op: ir.Operation) -> bool:
        """Whether an operation is one of the allocations."""
        return any(share.op == op for share in self.shares)

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

    def lay_side_by_side(self, kernel: Kernel, thread: ir.Value, threads: ir.Value) -> None:
        """Has the same elements of all threads be neighbours in memory, where arrays are only read and written.

        Threads of a warp then read and write together what each of them would look for in another line of memory.
        """
        for share in self.shares:
            array = kernel.inner[share.op.results[0]]
            uses = [use.owner.operation for use in array.uses]
            if not all(_is_access(op, array) for op in uses):
                continue
            type_ = ir.MemRefType(array.type)
            with ir.InsertionPoint(kernel.anchor), ir.Location.unknown():
                sizes = [kernel.known(size, ir.IndexType.get()) for size in share.sizes]
                flat = ir.MemRefType.get([DYNAMIC], type_.element_type)
                whole = arith.muli(_product(sizes), threads)
                all_ = memref_from_pointer(kernel.address(share.address), flat, sizes_of(flat, [whole]))
            for op in uses:
                _access_side_by_side(op, all_, sizes, thread, threads)


def _is_access(op: ir.Operation, array: ir.Value) -> bool:
    """Whether an operation loads or stores an element of an array, and nothing else."""
    if op.name == LOAD:
        return True
    return op.name == STORE and op.operands[0] != array


def _access_side_by_side(
    op: ir.Operation, array: ir.Value, sizes: Sequence[ir.Value], thread: ir.Value, threads: ir.Value
) -> None:
    """Replaces an access by that to the element of this thread."""
    first = 1 if op.name == LOAD else 2
    with ir.InsertionPoint(op), op.location:
        indices = list(op.operands)[first:]
        place = indices[0] if indices else arith.constant(ir.IndexType.get(), 0)
        for index, size in zip(indices[1:], list(sizes)[1:], strict=True):
            place = arith.addi(arith.muli(place, size), index)
        place = arith.addi(arith.muli(place, threads), thread)
        if op.name == LOAD:
            made = memref.load(array, [place])
            op.results[0].replace_all_uses_with(made)
        else:
            memref.store(op.operands[0], array, [place])
    op.erase()


def _product(sizes: Sequence[ir.Value]) -> ir.Value:
    total = arith.constant(ir.IndexType.get(), 1)
    for size in sizes:
        total = arith.muli(total, size)
    return total


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


def _frees(op: ir.OpView) -> bool:
    return op.operation.name == "memref.dealloc"
