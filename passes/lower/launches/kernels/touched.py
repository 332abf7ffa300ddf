"""Which arrays a kernel reads, and which it writes: launches that do not meet in memory may run at once."""

from __future__ import annotations

from typing import Any

from tapeless._mlir import ir

# What an operation does to the memory of its operand with this number; what is not in these tables may do both.
READ = {
    "memref.load": 0,
    "memref.prefetch": 0,
    "vector.load": 0,
    "vector.transfer_read": 0,
    "llvm.load": 0,
}
WRITTEN = {"memref.store": 1, "vector.store": 1, "vector.transfer_write": 1, "llvm.store": 1}
# Operations whose results are the same memory, or a part of it.
VIEWS = frozenset(
    {
        "builtin.unrealized_conversion_cast",
        "llvm.getelementptr",
        "llvm.insertvalue",
        "memref.cast",
        "memref.collapse_shape",
        "memref.expand_shape",
        "memref.reinterpret_cast",
        "memref.subview",
        "memref.view",
    }
)
SILENT = frozenset({"memref.dim"})


def tell_touched(kernels: ir.Operation, entries: dict[str, dict[str, Any]]) -> None:
    """Adds to a plan's kernels the parameters that lead to memory that they read, and that they write."""
    for op in kernels.regions[0].blocks[0]:
        if op.operation.name == "gpu.func":
            entry = entries[ir.StringAttr(op.operation.attributes["sym_name"]).value]
            addresses = [number for number, word in enumerate(entry["parameters"]) if word == "ptr"]
            arguments = op.operation.regions[0].blocks[0].arguments
            touched = {number: _touched(arguments[number]) for number in addresses}
            entry["reads"] = [number for number, (reads, _) in touched.items() if reads]
            entry["writes"] = [number for number, (_, writes) in touched.items() if writes]


def _touched(address: ir.Value) -> tuple[bool, bool]:
    """Whether the memory behind an address may be read, and whether it may be written."""
    reads = writes = False
    waiting = [address]
    while waiting and not (reads and writes):
        for use in waiting.pop().uses:
            op = use.owner.operation
            if op.name in VIEWS:
                waiting += op.results
            elif READ.get(op.name) == use.operand_number:
                reads = True
            elif WRITTEN.get(op.name) == use.operand_number:
                writes = True
            elif op.name not in SILENT:
                reads = writes = True
    return reads, writes
