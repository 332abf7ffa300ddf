"""Arrays that threads make in sizes that they find themselves: small ones in memory of the thread, not from the heap.

The heap of the device serves one thread after the other. What a thread makes and gives back in one block of code (the
states of a loop that ends when it has converged, a window of a signal) is mostly short, so a kernel has a little memory
for it on the stack of each thread; an array that is larger than that is taken from the heap as before.
"""

from __future__ import annotations

from tapeless._mlir import arith, ir, memref, scf
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.llvm.descriptor import (
    allocated_pointer,
    element_bytes,
    memref_from_pointer,
    sizes_of,
)

# Bytes of an array, and how many arrays of a kernel may have them: stacks of all threads that a device has room for are
# memory that nobody else can have.
MOST_BYTES = 512
MOST_ARRAYS = 3
DEALLOC = "memref.dealloc"


def keep_small_arrays(kernel: Contents) -> None:
    """Gives a kernel memory for the first arrays that its threads allocate."""
    found = [op for op in kernel.allocations if _freed(op) is not None]
    for op in found[:MOST_ARRAYS]:
        _keep(op, kernel.function.regions[0].blocks[0])


def _freed(op: ir.Operation) -> ir.Operation | None:
    """Where an array is given back, if that is in the block that makes it and nothing else may own it."""
    users = [use.owner.operation for use in op.results[0].uses]
    freeing = [user for user in users if user.name == DEALLOC]
    is_handed_on = any(user.name == "scf.yield" or len(user.regions) for user in users)
    return freeing[0] if len(freeing) == 1 and freeing[0].block == op.block and not is_handed_on else None


def _keep(op: ir.Operation, start: ir.Block) -> None:
    """Chooses by size: `%a = if it fits { memory of the thread } else { memref.alloc }`."""
    type_, freeing = ir.MemRefType(op.results[0].type), _freed(op)
    room = MOST_BYTES // element_bytes(type_)
    with ir.InsertionPoint(start.operations[0]), op.location:
        own = memref.alloca(ir.MemRefType.get([room], type_.element_type), [], [])
    with ir.InsertionPoint(op), op.location:
        fits = arith.cmpi(arith.CmpIPredicate.ule, _elements(op, type_), _index(room))
        choice = scf.IfOp(fits, [type_], has_else=True)
        with ir.InsertionPoint(choice.then_block):
            sizes = sizes_of(type_, list(op.operands))
            scf.YieldOp([memref_from_pointer(allocated_pointer(own), type_, sizes)])
        with ir.InsertionPoint(choice.else_block):
            end = scf.YieldOp([op.results[0]])
    op.results[0].replace_all_uses_except(choice.results[0], end.operation)
    op.move_before(end.operation)
    assert freeing is not None
    with ir.InsertionPoint(freeing), freeing.location:
        larger = scf.IfOp(fits, has_else=True)
        with ir.InsertionPoint(larger.then_block):
            scf.YieldOp([])
        with ir.InsertionPoint(larger.else_block):
            memref.dealloc(choice.results[0])
            scf.YieldOp([])
    freeing.erase()


def _elements(op: ir.Operation, type_: ir.MemRefType) -> ir.Value:
    total = _index(1)
    dynamic = iter(op.operands)
    for axis, extent in enumerate(type_.shape):
        size = next(dynamic) if type_.is_dynamic_dim(axis) else _index(extent)
        total = arith.muli(total, size)
    return total


def _index(value: int) -> ir.Value:
    return arith.constant(ir.IndexType.get(), value)
