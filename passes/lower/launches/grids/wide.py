"""Threads that take several neighbouring iterations, so that they load and store 16 bytes at once.

LLVM joins accesses to neighbours if they are in one block of code and known to be aligned.
"""

from __future__ import annotations

from tapeless._mlir import ir
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
    if len(operations) > MOST_OPERATIONS or any(len(op.regions) for op in operations):
        return 1
    if any(op.name in ("memref.alloc", "memref.alloca") or _is_heavy_call(op) for op in operations):
        return 1
    sizes = [_bytes(op) for op in operations if op.name in ACCESSES and _runs_along(op, block.arguments[0])]
    return max(ACCESS_BYTES // min(sizes), 1) if sizes else 1


def _bytes(op: ir.Operation) -> int:
    return element_bytes(ir.MemRefType(op.operands[ACCESSES[op.name]].type))


def _is_heavy_call(op: ir.Operation) -> bool:
    """Calls of elementary functions are light: LLVM puts their few instructions in their place."""
    return op.name == "func.call" and not ir.FlatSymbolRefAttr(op.attributes["callee"]).value.startswith(ELEMENTARY)


def _runs_along(op: ir.Operation, variable: ir.Value) -> bool:
    """Whether an access goes to the next element in the next iteration."""
    return list(op.operands)[-1] == variable
