"""Memory that threads take from the heap of the device: where there is no more, the call ends with an error."""

from __future__ import annotations

from tapeless._mlir import arith, func, ir, memref, scf
from tapeless.passes.ir.machine import HEAP_OF_GPU
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.kernels.failure import FUNCTIONS, NO_MEMORY
from tapeless.passes.lower.llvm.descriptor import element_bytes


def takes_from_heap(function: ir.Operation) -> bool:
    """Whether threads may allocate: any allocation in a launch that its host does not plan."""
    return any(_is_in_loop(view.operation) for view in ops_named(function.opview, "memref.alloc"))


def _is_in_loop(op: ir.Operation | None) -> bool:
    while op is not None and op.name != "scf.for":
        op = op.parent
    return op is not None


def check_allocations(block: ir.Block) -> dict[str, int]:
    """Tests every allocation of kernels and of their callees; gives the `heap` that the plan must ask for, if any."""
    allocations = [
        (view.operation, op.operation)
        for view in block.operations
        for op in ops_named(view, "memref.alloc")
        if _has_status(view.operation)
    ]
    for holder, op in allocations:
        _check(op, holder.regions[0].blocks[0].arguments[0])
    if not allocations:
        return {}
    block.append(ir.Operation.parse(FUNCTIONS[NO_MEMORY]))
    return {"heap": HEAP_OF_GPU}


def _has_status(function: ir.Operation) -> bool:
    arguments = function.regions[0].blocks[0].arguments
    return len(arguments) > 0 and str(arguments[0].type) == "!llvm.ptr"


def _check(op: ir.Operation, status: ir.Value) -> None:
    """`if there is no memory: tl_no_memory(bytes)`; an empty array may have none."""
    i64, type_ = ir.IntegerType.get_signless(64), ir.MemRefType(op.results[0].type)
    with ir.InsertionPoint.after(op), op.location:
        size = arith.constant(i64, element_bytes(type_))
        dynamic = iter(op.operands)
        for axis, extent in enumerate(type_.shape):
            is_dynamic = type_.is_dynamic_dim(axis)
            factor = arith.index_cast(i64, next(dynamic)) if is_dynamic else arith.constant(i64, extent)
            size = arith.muli(size, factor)
        zero = arith.constant(i64, 0)
        address = arith.index_cast(i64, memref.extract_aligned_pointer_as_index(op.results[0]))
        is_missing = arith.cmpi(arith.CmpIPredicate.eq, address, zero)
        is_wanted = arith.cmpi(arith.CmpIPredicate.ne, size, zero)
        branch = scf.IfOp(arith.andi(is_missing, is_wanted))
        with ir.InsertionPoint(branch.then_block):
            func.call([], NO_MEMORY, [status, size])
            scf.YieldOp([])
