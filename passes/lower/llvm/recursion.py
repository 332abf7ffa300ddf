"""Recursive functions get their arrays as pointers and sizes, with what LLVM may assume of them."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, func, ir, memref
from tapeless.dialects.array_types import DYNAMIC
from tapeless.passes.ir.calls import callee_of, is_recursive
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.llvm.descriptor import allocated_pointer
from tapeless.passes.lower.llvm.entry import use_bare_pointers


def bare_recursion(module: ir.Module, functions: Sequence[func.FuncOp]) -> None:
    """Replaces the memref parameters of recursive functions, and the operands of their calls."""
    recursive = {function.name.value: function for function in functions if is_recursive(function)}
    if not recursive:
        return
    for function in recursive.values():
        use_bare_pointers(function)
    for call in ops_named(module.operation, "func.call"):
        if callee_of(call) in recursive:
            _pass_bare(call)


def _pass_bare(call: ir.OpView) -> None:
    with ir.InsertionPoint(call), call.location:
        operands = [word for operand in call.operation.operands for word in _bare(operand)]
        made = func.CallOp([result.type for result in call.operation.results], callee_of(call), operands)
    for old, new in zip(call.operation.results, made.operation.results, strict=True):
        old.replace_all_uses_with(new)
    call.operation.erase()


def _bare(value: ir.Value) -> list[ir.Value]:
    """A scalar, or the pointer of an array with the sizes that its type does not tell."""
    if not isinstance(value.type, ir.MemRefType):
        return [value]
    axes = [axis for axis, size in enumerate(value.type.shape) if size == DYNAMIC]
    sizes = [memref.dim(value, arith.constant(ir.IndexType.get(), axis)) for axis in axes]
    return [allocated_pointer(value), *sizes]


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
