"""Lists of the operations of a kernel, or of a function that it calls, that are changed after it is built.

Kernels are large and many, and a visit to every operation of each of them takes long: one visit finds all of these.
"""

from __future__ import annotations

from dataclasses import field

from tapeless._mlir import ir
from tapeless.dataclasses_on_use import dataclass
from tapeless.passes.marks import ATOMIC

# The lists of `Contents` by the names of the operations in them.
LISTS = {
    "func.call": "calls",
    "memref.get_global": "calls",
    "memref.alloca": "buffers",
    "memref.alloc": "allocations",
    "memref.atomic_rmw": "updates",
    "arith.addf": "additions",
    "arith.addi": "additions",
    "math.isnan": "without_instruction",
    "math.isfinite": "without_instruction",
    "math.isinf": "without_instruction",
    "math.trunc": "without_instruction",
}


@dataclass
class Contents:
    """Operations of a function in the order of a walk; of the additions those that are marked as atomic."""

    function: ir.Operation
    calls: list[ir.Operation] = field(default_factory=list)
    buffers: list[ir.Operation] = field(default_factory=list)
    allocations: list[ir.Operation] = field(default_factory=list)
    updates: list[ir.Operation] = field(default_factory=list)
    additions: list[ir.Operation] = field(default_factory=list)
    without_instruction: list[ir.Operation] = field(default_factory=list)

    @staticmethod
    def of(function: ir.Operation) -> Contents:
        """Visits all operations of a function."""
        contents = Contents(function)
        lists = {name: getattr(contents, list_) for name, list_ in LISTS.items()}
        additions, onward = contents.additions, ir.WalkResult.ADVANCE

        def visit(op: ir.Operation) -> ir.WalkResult:
            found = lists.get(op.name)
            if found is not None and (found is not additions or ATOMIC in op.attributes):
                found.append(op)
            return onward

        function.walk(visit)
        return contents
