"""Memory that threads take from the heap of the device: where there is no more, the call ends with an error."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, func, ir, memref, scf
from tapeless.passes.ir.machine import HEAP_OF_GPU
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.kernels.failure import FUNCTIONS, NO_MEMORY
from tapeless.passes.lower.llvm.descriptor import element_bytes


def is_in_loop(op: ir.Operation | None) -> bool:
    """Whether threads may make an allocation: one in a launch, of which the host does not plan all."""
    while op is not None and op.name != "scf.for":
        op = op.parent
    return op is not None


def check_allocations(block: ir.Block, functions: Sequence[Contents]) -> dict[str, int]:
    """Tests every allocation of kernels and of their callees; gives the `heap` that the plan must ask for, if any."""
    allocating = [contents for contents in functions if contents.allocations and _has_status(contents.function)]
    for contents in allocating:
        for op in contents.allocations:
            _check(op, contents.function.regions[0].blocks[0].arguments[0])
    if not allocating:
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
