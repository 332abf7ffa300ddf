"""Functions that kernels call, in the module of the kernels: elementary ones, those that call themselves, reports."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tapeless._mlir import arith, func, ir, llvm
from tapeless._mlir import math as math_dialect
from tapeless.passes.driver.base import OpRefused
from tapeless.passes.ir.machine import STACK_OF_GPU_THREAD
from tapeless.passes.ir.search import ops_named
from tapeless.passes.lower.launches.kernels import failure, reports
from tapeless.passes.lower.launches.kernels.contents import Contents
from tapeless.passes.lower.launches.kernels.failure import FAIL, TELLING, callee
from tapeless.passes.lower.llvm.descriptor import element_bytes, pointer_type

# Functions of the C library, and what libdevice calls them.
OF_LIBDEVICE = {"lgamma": "__nv_lgamma", "lgammaf": "__nv_lgammaf"}
CHECK_STACK = "tl_check_stack"
OF_STATUS = failure.FUNCTIONS | reports.FUNCTIONS
# What a call takes of a thread's stack beside its own buffers.
BYTES_PER_CALL = 320


def add_functions(
    block: ir.Block, kernels: Sequence[Contents], named: dict[str, ir.Operation]
) -> tuple[dict[str, Contents], dict[str, int]]:
    """Brings the callees of kernels into their module; gives these by their names, and the `stack` that the plan must
    ask for, if any.
    """
    added: dict[str, Contents] = {}
    waiting = [*kernels]
    while waiting:
        for call in waiting.pop().calls:
            name = callee(call)
            if name not in added and name != CHECK_STACK:
                added[name] = Contents.of(_add(block, call, name, named))
                waiting.append(added[name])
            if name in OF_LIBDEVICE:
                _call_library(call, OF_LIBDEVICE[name])
    recursive = [contents.function for contents in added.values() if _checks_stack(contents.function)]
    if not recursive:
        return added, {}
    names = {ir.StringAttr(op.attributes["sym_name"]).value for op in recursive}
    for op in recursive:
        _count_depth(op, STACK_OF_GPU_THREAD // (_buffers(op) + BYTES_PER_CALL))
    for view in list(block.operations):
        _hand_depth(view.operation, names)
    if FAIL not in added:
        added[FAIL] = Contents.of(_append(block, OF_STATUS[FAIL]))
    return added, {"stack": STACK_OF_GPU_THREAD}


def _append(block: ir.Block, text: str) -> ir.Operation:
    made = ir.Operation.parse(text)
    block.append(made)
    return made.operation


def _add(block: ir.Block, call: ir.Operation, name: str, named: dict[str, ir.Operation]) -> ir.Operation:
    with ir.InsertionPoint.at_block_begin(block):
        if name in OF_STATUS:
            return _append(block, OF_STATUS[name])
        found = named[name]
        if name in OF_LIBDEVICE:
            return _declare(OF_LIBDEVICE[name], found.opview.type)
        if found.name == "func.func" and found.opview.is_external:
            raise OpRefused(call.opview, f"calls '{name}', which no device has; report the program")
        return found.clone().operation


def _declare(name: str, type_: ir.FunctionType) -> ir.Operation:
    """A function of the device's library; one of `func` would be called through a wrapper."""
    inputs, (result,) = ", ".join(map(str, type_.inputs)), type_.results
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "function_type": ir.TypeAttr.get(ir.Type.parse(f"!llvm.func<{result} ({inputs})>")),
    }
    return ir.Operation.create("llvm.func", [], [], attributes, regions=1)


def _call_library(call: ir.Operation, name: str) -> None:
    with ir.InsertionPoint(call), call.location:
        operands = list(call.operands)
        types = [result.type for result in call.results]
        made = llvm.CallOp(types[0], operands, [], [], callee=ir.FlatSymbolRefAttr.get(name)).operation
    call.results[0].replace_all_uses_with(made.results[0])
    call.erase()


def _checks_stack(function: ir.Operation) -> bool:
    return any(callee(call.operation) == CHECK_STACK for call in ops_named(function.opview, "func.call"))


def _buffers(function: ir.Operation) -> int:
    """Bytes of the buffers that one call has on the stack."""
    total = 0
    for op in ops_named(function.opview, "memref.alloca"):
        type_ = ir.MemRefType(op.results[0].type)
        size = element_bytes(type_)
        for extent in type_.shape:
            size *= extent
        total += size
    return total


def _count_depth(function: ir.Operation, deepest: int) -> None:
    """A function gets the status buffer and how deep it is nested, and fails where that is too deep."""
    i64 = ir.IntegerType.get_signless(64)
    block = function.regions[0].blocks[0]
    status = block.insert_argument(0, pointer_type(), ir.Location.unknown())
    depth = block.insert_argument(1, i64, ir.Location.unknown())
    type_ = function.opview.type
    inputs = [argument.type for argument in block.arguments]
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, type_.results))
    if "arg_attrs" in function.attributes:
        del function.attributes["arg_attrs"]
    for call in list(ops_named(function.opview, "func.call")):
        if callee(call.operation) == CHECK_STACK:
            with ir.InsertionPoint(call), call.location:
                too_deep = arith.cmpi(arith.CmpIPredicate.sge, depth, arith.constant(i64, deepest))
                branch = ir.Operation.create("scf.if", [], [too_deep], regions=2)
                with ir.InsertionPoint(branch.regions[0].blocks.append()):
                    nothing = llvm.mlir_zero(pointer_type())
                    func.call([], FAIL, [status, call.operands[0], arith.constant(i64, 0), nothing])
                    ir.Operation.create("scf.yield", [], [])
            call.operation.erase()
        elif callee(call.operation) in TELLING:
            with ir.InsertionPoint(call), call.location:
                func.call([], callee(call.operation), [status, *call.operands])
            call.operation.erase()


def _hand_depth(function: ir.Operation, recursive: set[str]) -> None:
    """Calls of functions that count how deep they are nested: one deeper than the caller, or the first."""
    i64 = ir.IntegerType.get_signless(64)
    own = ir.StringAttr(function.attributes["sym_name"]).value
    for call in list(ops_named(function.opview, "func.call")):
        if callee(call.operation) not in recursive:
            continue
        arguments = function.regions[0].blocks[0].arguments
        with ir.InsertionPoint(call), call.location:
            one = arith.constant(i64, 1)
            depth = arith.addi(arguments[1], one) if own in recursive else arith.constant(i64, 0)
            types = [result.type for result in call.operation.results]
            made = func.CallOp(types, callee(call.operation), [arguments[0], depth, *call.operands]).operation
        for old, new in zip(call.operation.results, made.results, strict=True):
            old.replace_all_uses_with(new)
        call.operation.erase()


def use_instructions(contents: Contents) -> None:
    """Replaces such operations everywhere in a function."""
    for op in contents.without_instruction:
        with ir.InsertionPoint(op), op.location:
            result = REPLACED[op.name](op.operands[0])
        op.results[0].replace_all_uses_with(result)
        op.erase()


def _is_nan(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.UNO, value, value)


def _is_finite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OLT, math_dialect.absf(value), arith.constant(value.type, math.inf))


def _is_infinite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OEQ, math_dialect.absf(value), arith.constant(value.type, math.inf))


def _truncated(value: ir.Value) -> ir.Value:
    return ir.Operation.create("llvm.intr.trunc", [value.type], [value]).results[0]


REPLACED: dict[str, Callable[[ir.Value], ir.Value]] = {
    "math.isnan": _is_nan,
    "math.isfinite": _is_finite,
    "math.isinf": _is_infinite,
    "math.trunc": _truncated,
}
