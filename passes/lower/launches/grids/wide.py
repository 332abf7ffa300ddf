"""Threads that take several neighbouring iterations, so that they load and store 16 bytes at once.

LLVM joins accesses to neighbours if they are in one block of code and known to be aligned.
"""

from __future__ import annotations

from tapeless._mlir import ir
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.grids.guarded_reads import is_guarded_read, operations_of, read_always
from tapeless.passes.lower.launches.kernels.kernel import ACCESS_BYTES
from tapeless.passes.lower.llvm.descriptor import element_bytes

# More operations per iteration hide the time of accesses, and several of them take registers.
MOST_OPERATIONS = 48
ELEMENTARY = "tl."
ACCESSES = {"memref.load": 0, "memref.store": 1}


def iterations_per_thread(loop: ir.Operation) -> int:
    """How many iterations make the narrowest access of a light body that runs along an array 16 bytes wide, or one."""
    block = loop.regions[0].blocks[0]
    operations = [view.operation for view in block.operations]
    branches = [op for op in operations if len(op.regions)]
    count = len(operations) + sum(len(operations_of(branch)) for branch in branches)
    if count > MOST_OPERATIONS or not all(is_guarded_read(op) or _is_update(op) for op in branches):
        return 1
    reads = [op for branch in branches for op in operations_of(branch) if op.name == "memref.load"]
    if any(_follows(index, block.arguments[0]) for op in reads for index in list(op.operands)[1:]):
        return 1
    if any(op.name in ("memref.alloc", "memref.alloca") or _is_heavy_call(op) for op in operations):
        return 1
    sizes = [_bytes(op) for op in operations if op.name in ACCESSES and _runs_along(op, block.arguments[0])]
    return max(ACCESS_BYTES // min(sizes), 1) if sizes else 1


def iterate_without_branches(loop: ir.Operation) -> None:
    """Replaces the branches of such a body, so that accesses of several iterations are in one block of code."""
    for view in list(loop.regions[0].blocks[0].operations):
        if is_guarded_read(view.operation):
            read_always(view.operation)


def is_only_computing(op: ir.Operation) -> bool:
    """Whether an operation reads and computes, and so may run before the stores of other iterations."""
    return op.name == "memref.load" or op.name.startswith(("arith.", "math."))


def _is_update(op: ir.Operation) -> bool:
    """Whether an operation is a branch for the sake of an atomic update."""
    return op.name == "scf.if" and not len(op.results) and bool(ops_named(op.opview, "memref.atomic_rmw"))


def _bytes(op: ir.Operation) -> int:
    return element_bytes(ir.MemRefType(op.operands[ACCESSES[op.name]].type))


def _follows(index: ir.Value, variable: ir.Value) -> bool:
    """Whether an index is that of the iteration, or at a distance from it: neighbours read neighbours as it is."""
    if index == variable:
        return True
    is_made = not isinstance(index.owner, ir.Block) and index.owner.operation.name in ("arith.addi", "arith.subi")
    return is_made and variable in list(index.owner.operation.operands)


def _is_heavy_call(op: ir.Operation) -> bool:
    """Calls of elementary functions are light: LLVM puts their few instructions in their place."""
    return op.name == "func.call" and not ir.FlatSymbolRefAttr(op.attributes["callee"]).value.startswith(ELEMENTARY)


def _runs_along(op: ir.Operation, variable: ir.Value) -> bool:
    """Whether an access goes to the next element in the next iteration."""
    return list(op.operands)[-1] == variable
