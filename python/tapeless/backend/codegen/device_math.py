"""What kernels on a GPU call: instructions where there are some, else functions of libdevice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tapeless._mlir import arith, ir, math
from tapeless.dialects.groups import SEGMENTS

# Functions of the C library that kernels call, under the names of libdevice.
DEVICE_CALL = "__nv_"
# Functions of libdevice that are single instructions: as intrinsics they need no library.
INSTRUCTIONS = {
    f"{DEVICE_CALL}{name}{suffix}": intrinsic
    for suffix in ("", "f")
    for name, intrinsic in {
        "sqrt": "llvm.intr.sqrt",
        "fabs": "llvm.intr.fabs",
        "floor": "llvm.intr.floor",
        "ceil": "llvm.intr.ceil",
        "trunc": "llvm.intr.trunc",
        "rint": "llvm.intr.rint",
        "fma": "llvm.intr.fma",
        "copysign": "llvm.intr.copysign",
    }.items()
}


def prepare_math(module: ir.Operation) -> None:
    """Before the conversion to NVVM: questions about floats become comparisons, C functions those of libdevice."""
    for op in _found(module, CLASSES):
        with ir.InsertionPoint(op), op.location:
            op.results[0].replace_all_uses_with(CLASSES[op.name](op.operands[0]))
        op.erase()
    _call_libdevice(module)


def use_instructions(function: ir.Operation) -> None:
    """After it: calls of libdevice become intrinsics where there is an instruction."""
    for op in _found(function, ["llvm.call"]):
        callee = op.attributes.get("callee")
        intrinsic = None if callee is None else INSTRUCTIONS.get(ir.FlatSymbolRefAttr(callee).value)
        if intrinsic is not None:
            types = [result.type for result in op.results]
            made = ir.Operation.create(intrinsic, types, list(op.operands), loc=op.location, ip=ir.InsertionPoint(op))
            op.results[0].replace_all_uses_with(made.results[0])
            op.erase()


def _is_nan(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.UNO, value, value)


def _is_finite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OLT, math.absf(value), _infinity(value))


def _is_infinite(value: ir.Value) -> ir.Value:
    return arith.cmpf(arith.CmpFPredicate.OEQ, math.absf(value), _infinity(value))


def _infinity(value: ir.Value) -> ir.Value:
    return arith.constant(value.type, ir.FloatAttr.get(value.type, float("inf")))


CLASSES: dict[str, Callable[[ir.Value], ir.Value]] = {
    "math.isnan": _is_nan,
    "math.isfinite": _is_finite,
    "math.isinf": _is_infinite,
}


def _call_libdevice(module: ir.Operation) -> None:
    """Functions without a body are declared as LLVM's, which keeps the conversion from wrapping them."""
    declared = [op for op in _found(module, ["func.func"]) if not op.regions[0].blocks]
    names = {ir.StringAttr(op.attributes["sym_name"]).value: op for op in declared}
    for op in _found(module, ["func.call"]):
        callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        if callee in names:
            _replace_call(op, DEVICE_CALL + callee)
    for name, op in names.items():
        type_ = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
        attributes = {
            "sym_name": ir.StringAttr.get(DEVICE_CALL + name),
            "function_type": ir.TypeAttr.get(_llvm_type(type_.inputs, type_.results)),
            "linkage": ir.Attribute.parse("#llvm.linkage<external>"),
        }
        ir.Operation.create("llvm.func", [], [], attributes, regions=1, loc=op.location, ip=ir.InsertionPoint(op))
        op.erase()


def _replace_call(op: ir.Operation, callee: str) -> None:
    types = [result.type for result in op.results]
    attributes = {
        "callee": ir.FlatSymbolRefAttr.get(callee),
        "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
        SEGMENTS: ir.DenseI32ArrayAttr.get([len(op.operands), 0]),
    }
    made = ir.Operation.create(
        "llvm.call", types, list(op.operands), attributes, loc=op.location, ip=ir.InsertionPoint(op)
    )
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


def _llvm_type(inputs: Iterable[ir.Type], results: Iterable[ir.Type]) -> ir.Type:
    given = ", ".join(map(str, inputs))
    returned = next(map(str, results), "void")
    return ir.Type.parse(f"!llvm.func<{returned} ({given})>")


def _found(operation: ir.Operation, names: Iterable[str]) -> list[ir.Operation]:
    wanted, found = set(names), []

    def collect(op: ir.Operation) -> ir.WalkResult:
        if op.name in wanted:
            found.append(op)
        return ir.WalkResult.ADVANCE

    operation.walk(collect)
    return found
