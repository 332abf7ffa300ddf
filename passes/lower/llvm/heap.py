"""`memref.alloc` and `memref.dealloc` as calls of the runtime, whose results LLVM knows to be fresh memory."""

from __future__ import annotations

from collections.abc import Sequence

from tapeless._mlir import arith, func, ir, llvm
from tapeless.passes.lower.llvm.descriptor import (
    allocated_pointer,
    element_bytes,
    memref_from_pointer,
    pointer_type,
    sizes_of,
    word,
)

LARGEST = 2**63 - 1


def lower_heap(module: ir.Module) -> None:
    """Replaces every allocation and release in the module."""
    found: dict[str, list[ir.Operation]] = {"memref.alloc": [], "memref.dealloc": []}

    def collect(operation: ir.Operation) -> ir.WalkResult:
        if operation.name in found:
            found[operation.name].append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(collect)
    if found["memref.alloc"]:
        declare(module, "tl_alloc", [ir.IntegerType.get_signless(64)], [pointer_type()])
    if found["memref.dealloc"]:
        declare(module, "tl_free", [pointer_type()], [])
    for operation in found["memref.dealloc"]:
        lower_dealloc(operation)
    for operation in found["memref.alloc"]:
        lower_alloc(operation)


def declare(module: ir.Module, name: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type]) -> None:
    """Declares a runtime function unless the module already does."""
    if any(op.operation.attributes["sym_name"].value == name for op in module.body if "sym_name" in op.attributes):
        return
    with ir.InsertionPoint.at_block_begin(module.body), ir.Location.unknown():
        func.FuncOp(name, ir.FunctionType.get(inputs, results), visibility="private")


def lower_alloc(operation: ir.Operation) -> None:
    """`memref.alloc` becomes `tl_alloc(bytes)` with a contiguous descriptor."""
    memref_type = ir.MemRefType(operation.results[0].type)
    with ir.InsertionPoint(operation), operation.location:
        sizes = sizes_of(memref_type, list(operation.operands))
        pointer = func.call([pointer_type()], "tl_alloc", [byte_count(sizes, element_bytes(memref_type))])
        buffer = memref_from_pointer(pointer, memref_type, sizes)
    operation.results[0].replace_all_uses_with(buffer)
    operation.erase()


def byte_count(sizes: Sequence[ir.Value], bytes_each: int) -> ir.Value:
    """Bytes of an array; a product that overflows becomes the largest integer, which the runtime refuses."""
    i64, i1 = ir.IntegerType.get_signless(64), ir.IntegerType.get_signless(1)
    pair = ir.Type.parse("!llvm.struct<(i64, i1)>")
    total, overflows = word(bytes_each), arith.constant(i1, 0)
    for size in sizes:
        product = ir.Operation.create("llvm.intr.smul.with.overflow", [pair], [total, size]).result
        total = llvm.extractvalue(i64, product, [0])
        overflows = arith.ori(overflows, llvm.extractvalue(i1, product, [1]))
    return arith.select(overflows, word(LARGEST), total)


def lower_dealloc(operation: ir.Operation) -> None:
    """`memref.dealloc` becomes `tl_free`."""
    with ir.InsertionPoint(operation), operation.location:
        func.call([], "tl_free", [allocated_pointer(operation.operands[0])])
    operation.erase()
