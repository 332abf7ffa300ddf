"""Stack buffers of fixed size at the start of their function, where they cost nothing and never pile up in a loop."""

from __future__ import annotations

from tapeless._mlir import func, ir


def hoist_stack_buffers(function: func.FuncOp) -> None:
    """Moves every `memref.alloca` without operands to the start of the function's body."""
    found: list[ir.Operation] = []

    def collect(operation: ir.Operation) -> ir.WalkResult:
        if operation.name == "memref.alloca" and not len(operation.operands):
            found.append(operation)
        return ir.WalkResult.ADVANCE

    function.operation.walk(collect)
    first = function.entry_block.operations[0]
    for operation in found:
        if operation != first.operation:
            operation.move_before(first)
